// Ticket queue: views, filters, bulk actions and split view (`v`).
import {
  addressWith,
  Filter,
  IconButton,
  LinkButton,
  ListPage,
  Link,
  SearchField,
  Time,
  useItem,
  useKeys,
  useLocation,
  useMay,
  useNarrow,
  usePages,
  usePluginColumns,
  useSearchParams,
  words,
  type Column,
  type Row,
  type Sorting,
} from '@keelson/web';
import { useEffect, useState } from 'react';
import { LIST, useTechnicians } from './change.tsx';
import { BulkActs } from './bulk-acts.tsx';
import { Assignee, Due, dueTimes, priorities, PriorityMark, StatusMark, statuses, type Status } from './look.tsx';
import { askedOf, keepQueue } from './queue.tsx';
import { TagMarks } from './tags.tsx';
import { Ticket } from './ticket.tsx';
import { Views } from './views.tsx';

type TicketRow = Row<typeof LIST>;

const columns: readonly Column<TicketRow>[] = [
  {
    key: 'priority',
    title: 'Priority',
    untitled: true,
    width: '1rem',
    cell: (each) => <PriorityMark priority={each.priority} />,
  },
  {
    key: 'status',
    title: 'Status',
    untitled: true,
    width: '1rem',
    cell: (each) => <StatusMark status={each.status as Status} />,
  },
  { key: 'number', title: 'No.', width: '3.5rem', look: 'muted', cell: (each) => each.ticket_number },
  {
    key: 'subject',
    title: 'Subject',
    width: 'minmax(12rem, 3fr)',
    look: 'strong',
    sort: 'subject',
    cell: (each) => (
      <span data-unread={each.unread || undefined}>
        {each.subject} <TagMarks tags={each.tags} />{' '}
        {each.description && <span className="tone-muted excerpt">{each.description}</span>}
      </span>
    ),
  },
  {
    key: 'company',
    title: 'Company',
    width: 'minmax(7rem, 1.3fr)',
    sort: 'company_name',
    cell: (each) => each.company_name,
  },
  {
    key: 'category',
    title: 'Category',
    width: 'minmax(6rem, 0.8fr)',
    look: 'muted',
    sort: 'job_type',
    cell: (each) => each.job_type,
  },
  {
    key: 'waiting',
    title: 'Waits',
    width: '5rem',
    look: 'muted',
    cell: (each) => each.waiting_since && <Time at={each.waiting_since} />,
  },
  {
    key: 'due',
    title: 'Due',
    width: '6rem',
    look: 'muted',
    sort: 'due_date',
    cell: (each) => <Due ticket={each} />,
  },
  {
    key: 'assignee',
    title: 'Assignee',
    width: 'minmax(7rem, 1fr)',
    look: 'muted',
    sort: 'assigned_to',
    cell: (each) => <Assignee name={each.assigned_name} />,
  },
  {
    key: 'updated',
    title: 'Updated',
    width: '5.5rem',
    look: 'muted right',
    sort: 'updated_at',
    cell: (each) => <Time at={each.updated_at} />,
  },
];

const brief = (each: TicketRow) => (
  <>
    <span className="brief-line">
      <StatusMark status={each.status as Status} />
      <b data-unread={each.unread || undefined}>{each.subject}</b>
      <span className="tone-muted">
        <Time at={each.updated_at} />
      </span>
    </span>
    <span className="brief-line tone-muted">
      <PriorityMark priority={each.priority} />
      <span className="grow">
        {each.ticket_number} · {each.company_name}
      </span>
      <TagMarks tags={each.tags.slice(0, 1)} />
      <Due ticket={each} />
      <Assignee name={each.assigned_name} />
    </span>
  </>
);

const choices = (from: Readonly<Record<string, string | { readonly title: string }>>) =>
  Object.fromEntries(
    Object.entries(from).map(([value, each]) => [value, typeof each === 'string' ? each : each.title]),
  );

export default function Tickets() {
  const [params, setParams] = useSearchParams();
  const [, go] = useLocation();
  const may = useMay();
  const { narrow } = useNarrow();
  const technicians = useTechnicians();
  const { split, at, view: _view, ...asked } = Object.fromEntries(params);
  const list = usePages(LIST, askedOf(params));
  useEffect(() => keepQueue(params.size > 0 ? `?${params.toString()}` : ''), [params]);
  const added = usePluginColumns(list, 'ticket_id');
  const set = (change: Readonly<Record<string, string>>) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        for (const [name, value] of Object.entries(change)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace: true },
    );
  const beside = Boolean(split) && !narrow;
  useKeys([
    { keys: 'v', title: 'Ticket beside the list', run: () => set({ split: split ? '' : '1' }) },
    ...(may('tickets:write') ? [{ keys: 'c', title: 'New ticket', run: () => go('/tickets/new') }] : []),
  ]);
  const people = technicians.map((each: { user_id: number; name: string }) => ({
    value: String(each.user_id),
    label: each.name,
  }));
  return (
    <div className="queue" data-split={beside || undefined}>
      <ListPage
        title="Tickets"
        noun="tickets"
        list={list}
        columns={added.length > 0 ? [...columns, ...added] : columns}
        brief={brief}
        compact={beside}
        id={(each) => each.ticket_id}
        to={(each) => `/tickets/${each.ticket_number}`}
        current={at ? Number(at) : undefined}
        onWalk={beside ? (each) => set({ at: String(each.ticket_id) }) : undefined}
        onOpen={beside ? (each) => set({ at: String(each.ticket_id) }) : undefined}
        sorting={{ sort: asked.sort ?? 'updated_at', order: asked.order === 'asc' ? 'asc' : 'desc' }}
        onSort={(next: Sorting) => set({ ...next })}
        empty="No tickets match these filters. Tickets from mail, portal and chat appear here."
        views={<Views />}
        bulk={
          may('tickets:write')
            ? (selected, clear) => <BulkActs ids={[...selected].map(Number)} done={clear} />
            : undefined
        }
        filters={
          <>
            <SearchField
              label="Filter by words, number, company"
              value={asked.search ?? ''}
              onSearch={(search) => set({ search })}
            />
            <Filter
              label="Status"
              any="Unresolved"
              value={asked.status ?? ''}
              choices={choices(statuses)}
              onChoose={(status) => set({ status })}
            />
            <Filter
              label="Priority"
              value={asked.priority ?? ''}
              choices={choices(priorities)}
              onChoose={(priority) => set({ priority })}
            />
            <TagFilter value={asked.tag ?? ''} onChoose={(tag) => set({ tag })} />
            <Filter label="Due" value={asked.due ?? ''} choices={dueTimes} onChoose={(due) => set({ due })} />
            <Filter
              label="Assignee"
              value={asked.assigned_to ?? ''}
              choices={[{ value: 'me', label: 'Me' }, { value: 'none', label: 'Unassigned' }, ...people]}
              onChoose={(assigned_to) => set({ assigned_to })}
            />
          </>
        }
        actions={
          <>
            {!narrow && (
              <IconButton
                icon="split"
                label="Ticket beside the list (v)"
                aria-pressed={beside}
                onClick={() => set({ split: split ? '' : '1' })}
              />
            )}
            {may('tickets:write') && (
              <LinkButton to="/tickets/new" look="primary" icon="plus">
                New ticket
              </LinkButton>
            )}
          </>
        }
      />
      {beside && (
        <div className="beside">
          {at ? <Ticket id={Number(at)} inset key={at} /> : <p className="none">Choose a ticket with j and k.</p>}
          {at && (
            <Link href={addressWith('/tickets/:quoted', at)} className="hidden">
              Open {words('ticket')} {at} on its own page
            </Link>
          )}
        </div>
      )}
    </div>
  );
}

/** Offers the tags in use, read once somebody reaches for them; one chosen elsewhere is always among them. */
function TagFilter({ value, onChoose }: { value: string; onChoose: (tag: string) => void }) {
  const [reached, setReached] = useState(false);
  const reach = () => setReached(true);
  const known = useItem('GET /tickets.php?action=tags', {}, { enabled: reached }).data ?? [];
  const tags = new Set([...known.map((each: { tag: string }) => each.tag), ...(value ? [value] : [])]);
  return (
    <span onPointerEnter={reach} onFocus={reach}>
      <Filter
        label="Tag"
        value={value}
        choices={Object.fromEntries([...tags].map((tag) => [tag, tag]))}
        onChoose={onChoose}
      />
    </span>
  );
}
