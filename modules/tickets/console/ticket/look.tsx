// Icons and labels for a ticket's status, priority and assignee.
import { ago, Avatar, date, Icon, useNow, useSession, type Choice, type IconName, type Tone, t } from '@keelson/web';

export type Status = 'open' | 'in_progress' | 'on_hold' | 'closed';
export type Priority = 1 | 2 | 3 | 4 | 5;

export const statuses: Readonly<
  Record<Status, { readonly title: string; readonly icon: IconName; readonly tone: Tone; readonly key: string }>
> = {
  open: { title: t('Open'), icon: 'circle', tone: 'info', key: 'o' },
  in_progress: { title: t('In progress'), icon: 'clock', tone: 'warn', key: 'p' },
  on_hold: { title: t('On hold'), icon: 'circle-pause', tone: 'muted', key: 'h' },
  closed: { title: t('Closed'), icon: 'circle-check', tone: 'ok', key: 'e' },
};

export const priorities: Readonly<Record<Priority, string>> = {
  1: t('Critical'),
  2: t('High'),
  3: t('Normal'),
  4: t('Low'),
  5: t('Planning'),
};

export const statusChoices = Object.entries(statuses).map(([value, { title, icon }]): Choice<Status> => ({
  value: value as Status,
  label: title,
  icon,
}));
export const priorityChoices = Object.entries(priorities).map(([value, label]): Choice<number> => ({
  value: Number(value),
  label,
  keys: value,
}));

export const dueTimes: Readonly<Record<string, string>> = {
  overdue: t('Overdue'),
  today: t('Due today'),
  week: t('Due within a week'),
  set: t('With a due date'),
  none: t('Without a due date'),
};

/** Shows the due date; overdue or due today stands out while the ticket is not closed. */
export function Due({ ticket }: { ticket: { readonly due_date: string | null; readonly status: string } }) {
  if (ticket.due_date === null) return null;
  const today = new Date().toLocaleDateString('sv');
  const late = ticket.status !== 'closed' && ticket.due_date < today;
  const now = ticket.status !== 'closed' && ticket.due_date === today;
  return (
    <span className={`due${late ? ' tone-danger' : now ? ' tone-warn' : ''}`}>
      {late && <span className="hidden">{t('Overdue:')} </span>}
      {date(ticket.due_date)}
    </span>
  );
}

/** Shows the status as an icon, with its name for screen readers or, with `word`, as visible text. */
export function StatusMark({ status, word = false }: { status: Status; word?: boolean }) {
  const { title, icon, tone } = statuses[status];
  return (
    <span className={`status-mark tone-${tone}`}>
      <Icon name={icon} />
      <span className={word ? undefined : 'hidden'}>{title}</span>
    </span>
  );
}

/** Shows the priority as four bars; more filled bars mean more urgent. */
export function PriorityMark({ priority, word = false }: { priority: number; word?: boolean }) {
  const filled = Math.max(0, 5 - priority);
  return (
    <span className="priority-mark" data-level={priority}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        {[0, 1, 2, 3].map((bar) => (
          <rect
            key={bar}
            x={1 + bar * 4}
            y={11 - bar * 3}
            width="2.5"
            height={4 + bar * 3}
            rx="0.8"
            data-on={bar < filled || undefined}
          />
        ))}
      </svg>
      <span className={word ? undefined : 'hidden'}>
        {priorities[priority as Priority] ?? t('Priority {priority}', { priority })}
      </span>
    </span>
  );
}

export function Assignee({ name }: { name: string | null }) {
  return (
    <span className="assignee">
      <Avatar name={name} size="small" />
      <span>{name ?? t('Unassigned')}</span>
    </span>
  );
}

interface Awaited {
  readonly status: string;
  readonly approval_status: string;
  readonly waiting_since: string | null;
  readonly last_comment_by: string | null;
}

/** Shows who has to act next: the customer, an approver, or us and since when. */
export function WaitingOn({ ticket }: { ticket: Awaited }) {
  const now = useNow();
  const { status, approval_status, waiting_since, last_comment_by } = ticket;
  if (status === 'closed') return null;
  if (approval_status === 'pending') return t('Approval');
  if (waiting_since) return t('Us, {when}', { when: ago(waiting_since, now) });
  return t(last_comment_by === 'technician' ? 'Customer' : 'Us');
}

/** Values of the filter by time left until the next SLA target. */
export const timesLeft: Readonly<Record<string, string>> = {
  overdue: t('Overdue'),
  hour: t('Less than an hour'),
  four_hours: t('Less than 4 hours'),
  day: t('Less than a day'),
  set: t('With a target'),
  none: t('Without a target'),
};

/** Returns whether lists can be sorted and filtered by time left. */
export function useTimeLeft(): boolean {
  return useSession().columns.some((each) => each.list === 'GET /tickets.php' && each.sort === 'time_left');
}
