// Controls for status, priority and assignee, with their keyboard shortcuts.
import { confirm, Icon, Menu, useKeys, useMay, useSession, t } from '@keelson/web';
import { changeTicket, useTechnicians, type Shown, type Ticket } from './change.tsx';
import {
  Assignee,
  priorityChoices,
  PriorityMark,
  statusChoices,
  StatusMark,
  type Status,
  priorities,
  type Priority,
} from './look.tsx';

/** Sets the status; also closes open child tickets if the person agrees. */
async function setStatus(ticket: Pick<Ticket, keyof Shown | 'children'>, status: Status): Promise<void> {
  const open = ticket.children.filter((each: { status: string }) => each.status !== 'closed').length;
  if (status !== 'closed' || open === 0) return changeTicket(ticket, { status });
  if (
    await confirm({
      title: t('Close the child tickets too?'),
      text: t('{count, plural, one {Its open child ticket} other {Its # open child tickets}} must be closed first.', {
        count: open,
      }),
      act: t('Close all'),
    })
  )
    await changeTicket(ticket, { status, close_children: true });
}

export function TicketActs({
  ticket,
}: {
  ticket: Pick<Ticket, 'ticket_id' | 'status' | 'priority' | 'assigned_to' | 'assigned_name' | 'children'>;
}) {
  const may = useMay()('tickets:write');
  const technicians = useTechnicians();
  const { person } = useSession();
  const set = (status: Status) => void setStatus(ticket, status);
  const rank = (priority: number) => void changeTicket(ticket, { priority });
  const assign = (id: number) => {
    const name = technicians.find((each: { user_id: number }) => each.user_id === id)?.name ?? null;
    void changeTicket(ticket, { assigned_to: id === 0 ? null : id }, { assigned_name: id === 0 ? null : name });
  };
  useKeys(
    may
      ? [
          { keys: 'm', title: t('Assign to me'), run: () => assign(person.id) },
          { keys: 'e', title: t('Close'), run: () => set('closed') },
          { keys: 'h', title: t('Put on hold'), run: () => set('on_hold') },
          ...priorityChoices.map(({ value }) => ({
            keys: String(value),
            title: t('Priority: {priority}', { priority: priorities[value as Priority] }),
            run: () => rank(Number(value)),
          })),
        ]
      : [],
  );
  if (!may)
    return (
      <>
        <StatusMark status={ticket.status} word />
        <PriorityMark priority={ticket.priority} word />
        <Assignee name={ticket.assigned_name} />
      </>
    );
  const people = technicians.map((each: { user_id: number; name: string }) => ({
    value: each.user_id,
    label: each.name,
  }));
  return (
    <>
      <Menu label={t('Status')} keys="s" value={ticket.status} choices={statusChoices} onChoose={set}>
        <StatusMark status={ticket.status} word />
        <Icon name="chevron-down" />
      </Menu>
      <Menu label={t('Priority')} value={ticket.priority} choices={priorityChoices} onChoose={rank}>
        <PriorityMark priority={ticket.priority} word />
      </Menu>
      <Menu
        label={t('Assignee')}
        keys="a"
        value={ticket.assigned_to ?? 0}
        choices={[{ value: 0, label: t('Unassigned') }, ...people]}
        onChoose={assign}
      >
        <Assignee name={ticket.assigned_name} />
      </Menu>
    </>
  );
}
