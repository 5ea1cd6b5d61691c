// Columns of the queue: the available ones, and those that a person has chosen for a view, in order.
import {
  Avatar,
  Button,
  changePreferences,
  Dialog,
  IconButton,
  Time,
  usePreferences,
  usePresentIn,
  type Column,
  type Row,
  t,
} from '@keelson/web';
import { useState } from 'react';
import type { LIST } from '../ticket/change.tsx';
import { Assignee, Due, PriorityMark, StatusMark, WaitingOn, type Status } from '../ticket/look.tsx';
import { TagMarks } from '../ticket/tags.tsx';
import type { View } from './views.tsx';

export type TicketRow = Row<typeof LIST>;
export type TicketColumn = Column<TicketRow>;

export const columns: readonly TicketColumn[] = [
  {
    key: 'priority',
    title: t('Priority'),
    untitled: true,
    width: '1rem',
    sort: 'priority',
    cell: (each) => <PriorityMark priority={each.priority} />,
  },
  {
    key: 'status',
    title: t('Status'),
    untitled: true,
    width: '1rem',
    cell: (each) => <StatusMark status={each.status as Status} />,
  },
  { key: 'number', title: t('No.'), width: '3.5rem', look: 'muted', cell: (each) => each.ticket_number },
  {
    key: 'subject',
    title: t('Subject'),
    width: 'minmax(10.5rem, 4fr)',
    wants: 17.5,
    look: 'strong',
    sort: 'subject',
    cell: (each) => (
      <span data-unread={each.unread || undefined}>
        <Faces id={each.ticket_id} />
        {each.subject} <TagMarks tags={each.tags} />{' '}
        {each.description && <span className="tone-muted excerpt">{each.description}</span>}
      </span>
    ),
  },
  {
    key: 'company',
    title: t('Company'),
    width: 'minmax(5.25rem, 1.3fr)',
    yields: 'late',
    sort: 'company_name',
    cell: (each) => each.company_name,
  },
  { key: 'site', title: t('Site'), width: 'minmax(5rem, 1fr)', look: 'muted', cell: (each) => each.site_name },
  {
    key: 'requester',
    title: t('Requester'),
    width: 'minmax(5rem, 1fr)',
    look: 'muted',
    cell: (each) => each.requester_name,
  },
  {
    key: 'category',
    title: t('Category'),
    width: 'minmax(5rem, 0.8fr)',
    yields: 'early',
    look: 'muted',
    sort: 'job_type',
    cell: (each) => each.job_type,
  },
  {
    key: 'waiting',
    title: t('Waiting on'),
    width: '6.5rem',
    yields: 'early',
    look: 'muted',
    cell: (each) => <WaitingOn ticket={each} />,
  },
  {
    key: 'due',
    title: t('Due'),
    width: '5.5rem',
    yields: 'early',
    look: 'muted',
    sort: 'due_date',
    ascending: true,
    cell: (each) => <Due ticket={each} />,
  },
  {
    key: 'assignee',
    title: t('Assignee'),
    width: 'minmax(8.75rem, 1fr)',
    yields: 'late',
    look: 'muted',
    sort: 'assigned_to',
    cell: (each) => <Assignee name={each.assigned_name} />,
  },
  {
    key: 'team',
    title: t('Team'),
    width: 'minmax(5rem, 0.8fr)',
    look: 'muted',
    cell: (each) => each.team_name,
  },
  {
    key: 'parent',
    title: t('Parent'),
    width: '4rem',
    look: 'muted',
    cell: (each) => each.parent_number,
  },
  {
    key: 'created',
    title: t('Created'),
    width: '5rem',
    look: 'muted right',
    sort: 'created_at',
    cell: (each) => <Time at={each.created_at} />,
  },
  {
    key: 'updated',
    title: t('Updated'),
    width: '6rem',
    yields: 'early',
    look: 'muted right',
    sort: 'updated_at',
    cell: (each) => <Time at={each.updated_at} />,
  },
];

/** Hidden unless chosen. */
const rare: ReadonlySet<string> = new Set(['site', 'requester', 'team', 'parent', 'created']);
/** Always shown, because it contains the link. */
const ALWAYS = 'subject';
/** Plugins' columns, such as the time left, come before this one unless placed elsewhere. */
const BEFORE = 'assignee';

/** Returns all columns in default order. */
function withAdded(added: readonly TicketColumn[]): TicketColumn[] {
  const at = columns.findIndex(({ key }) => key === BEFORE);
  return columns.toSpliced(at, 0, ...added);
}

/** Returns the columns to show in a view: those chosen for it, saved with it, chosen for all views, or the defaults. */
export function useColumns(view: View | undefined, added: readonly TicketColumn[]) {
  const { columns: chosen } = usePreferences();
  const all = withAdded(added);
  const usual = all.filter(({ key }) => !rare.has(key)).map(({ key }) => key);
  const saved = view?.columns?.length ? view.columns : undefined;
  const keys = chosen[nameOf(view)] ?? saved ?? chosen[nameOf(undefined)] ?? usual;
  const known = new Map(all.map((each) => [each.key, each]));
  const found = keys.flatMap((key) => known.get(key) ?? []);
  // Chosen columns stay, whether they fit or not.
  const asUsual = found.map(({ key }) => key).join() === usual.join();
  const shown = asUsual ? found : found.map((each) => ({ ...each, yields: undefined }));
  return {
    all,
    usual,
    shown: shown.some(({ key }) => key === ALWAYS) ? shown : all.filter(({ key }) => !rare.has(key)),
  };
}

const nameOf = (view: View | undefined): string => (view ? `tickets/${view.id}` : 'tickets');

interface ChooserProps extends ReturnType<typeof useColumns> {
  readonly view: View | undefined;
}

/** Button that opens the column picker. */
export function ColumnChooser(props: ChooserProps) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton icon="columns" label={t('Choose columns')} onClick={() => setOpen(true)} />
      <Dialog
        title={t('Columns of “{view}”', { view: props.view?.title ?? t('All views') })}
        open={open}
        onClose={() => setOpen(false)}
      >
        <Choices {...props} done={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function Choices({ view, all, usual, shown, done }: ChooserProps & { done: () => void }) {
  const { columns: chosen } = usePreferences();
  const first = shown.map(({ key }) => key);
  // Chosen columns first, in their order.
  const [order, setOrder] = useState([...first, ...all.map(({ key }) => key).filter((key) => !first.includes(key))]);
  const [on, setOn] = useState<ReadonlySet<string>>(new Set(first));
  const toggle = (key: string) =>
    setOn((now) => new Set(now.has(key) ? [...now].filter((each) => each !== key) : [...now, key]));
  const move = (key: string, by: number) =>
    setOrder((now) => {
      const from = now.indexOf(key);
      return now.toSpliced(from, 1).toSpliced(from + by, 0, key);
    });
  const keep = (columnsOf: Readonly<Record<string, readonly string[]>>) => {
    changePreferences({ columns: columnsOf });
    done();
  };
  const keys = order.filter((key) => on.has(key));
  const others = Object.fromEntries(Object.entries(chosen).filter(([name]) => !/^tickets(\/|$)/.test(name)));
  const reset = () => {
    const { [nameOf(view)]: _, ...rest } = chosen;
    keep(rest);
  };
  const titleOf = (key: string) => all.find((each) => each.key === key)?.title ?? '';
  return (
    <div className="form">
      <ul className="choose-columns">
        {order.map((key, index) => (
          <li key={key}>
            <label>
              <input type="checkbox" checked={on.has(key)} disabled={key === ALWAYS} onChange={() => toggle(key)} />
              {titleOf(key)}
            </label>
            <IconButton
              icon="chevron-up"
              label={t('Move {key} up', { key: titleOf(key) })}
              className="quiet"
              disabled={index === 0}
              onClick={() => move(key, -1)}
            />
            <IconButton
              icon="chevron-down"
              label={t('Move {key} down', { key: titleOf(key) })}
              className="quiet"
              disabled={index === order.length - 1}
              onClick={() => move(key, 1)}
            />
          </li>
        ))}
      </ul>
      <div className="actions">
        <Button look="quiet" onClick={reset} disabled={keys.join() === usual.join() && !chosen[nameOf(view)]}>
          {t('Restore default')}
        </Button>
        <Button onClick={() => keep({ ...others, tickets: keys })}>{t('Use in all views')}</Button>
        <Button look="primary" onClick={() => keep({ ...chosen, [nameOf(view)]: keys })}>
          {view ? t('Use in this view') : t('Save')}
        </Button>
      </div>
    </div>
  );
}

const MOST_FACES = 2;

/** Shows who else has the ticket open. */
export function Faces({ id }: { id: number }) {
  const people = usePresentIn('ticket').get(id) ?? [];
  if (people.length === 0) return null;
  const said = people
    .map(({ name, doing }) => (doing === 'writing' ? t('{name} is writing', { name }) : t('{name} is here', { name })))
    .join(', ');
  return (
    <span className="faces" title={said}>
      <span className="hidden">{said}</span>
      {people.slice(0, MOST_FACES).map((each) => (
        <Avatar key={each.user_id} name={each.name} size="small" tone={each.doing === 'writing' ? 'warm' : 'accent'} />
      ))}
    </span>
  );
}
