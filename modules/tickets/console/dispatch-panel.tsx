// The dispatcher's part of the home page: unassigned tickets, tickets due soon, and everyone's workload.
import {
  Avatar,
  Badge,
  Card,
  firstRows,
  Link,
  Loaded,
  Menu,
  minutes,
  number,
  SimpleTable,
  useItem,
  useLive,
  usePages,
  usePluginColumns,
  type Column,
  type Row,
  t,
} from '@keelson/web';
import type { TicketRow } from './queue/columns.tsx';
import { changeTicket, LIST } from './ticket/change.tsx';
import { Assignee, Due, PriorityMark, useTimeLeft } from './ticket/look.tsx';

const LOAD = 'GET /tickets.php?action=load';
type Load = Row<typeof LOAD>;

const SHOWN = 6;

export default function Dispatch() {
  useLive('ticket', LOAD.slice(4));
  const load = useItem(LOAD);
  const team = load.data ?? [];
  const measured = useTimeLeft();
  const order = { sort: measured ? 'time_left' : 'created_at' } as const;
  return (
    <>
      <Tickets
        title={t('Unassigned')}
        asked={{ status: 'unresolved', assigned_to: 'none', ...order }}
        all="/tickets?assigned_to=none"
        empty={t('Every open ticket has an assignee.')}
        team={team}
      />
      {measured && (
        <Tickets
          title={t('Due within 4 hours or overdue')}
          asked={{ status: 'unresolved', time_left: 'four_hours', ...order }}
          all="/tickets?time_left=four_hours&sort=time_left&order=asc"
          empty={t('Nothing is due soon.')}
          team={team}
        />
      )}
      <Card title={t('Team')} flush>
        <Loaded list={{ loading: load.isPending, error: load.error, retry: () => void load.refetch() }}>
          <SimpleTable
            label={t('Team')}
            rows={team}
            columns={teamColumns}
            to={(each) => `/tickets?assigned_to=${each.user_id}`}
          />
        </Loaded>
      </Card>
    </>
  );
}

const teamColumns: readonly Column<Load>[] = [
  {
    key: 'name',
    title: t('Technician'),
    width: '',
    cell: (each) => (
      <span className="assignee">
        <Avatar name={each.name} size="small" />
        <span>{each.name}</span>
      </span>
    ),
  },
  { key: 'open', title: t('Open'), width: '', look: 'right', cell: (each) => number(each.open_tickets) },
  {
    key: 'overdue',
    title: t('Overdue'),
    width: '',
    look: 'right',
    cell: (each) =>
      each.overdue_tickets > 0 ? <Badge tone="danger">{number(each.overdue_tickets)}</Badge> : number(0),
  },
  { key: 'today', title: t('Logged today'), width: '', look: 'right', cell: (each) => minutes(each.minutes_today) },
];

interface TicketsProps {
  readonly title: string;
  readonly asked: Parameters<typeof usePages<typeof LIST>>[1] & object;
  readonly all: string;
  readonly empty: string;
  readonly team: readonly Load[];
}

function Tickets({ title, asked, all, empty, team }: TicketsProps) {
  const list = usePages(LIST, { order: 'asc', brief: true, per_page: SHOWN, ...asked });
  const left = usePluginColumns(list, 'ticket_id').find(({ sort }) => sort === 'time_left');
  const rows = firstRows(list, SHOWN);
  return (
    <Card
      flush
      title={list.loading || list.error ? title : `${title} (${number(list.total)})`}
      act={<Link href={all}>{t('All')}</Link>}
    >
      <Loaded list={list}>{rows.length === 0 && <p className="none">{empty}</p>}</Loaded>
      <ul className="lines dispatch">
        {rows.map((each) => (
          <li key={each.ticket_id}>
            <Link href={`/tickets/${each.ticket_number}`}>
              <PriorityMark priority={each.priority} />
              <span className="tone-muted">{each.ticket_number}</span>
              <span className="grow">{each.subject}</span>
              <span className="tone-muted">{left ? left.cell(each) : <Due ticket={each} />}</span>
            </Link>
            <Assign ticket={each} team={team} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Assigns a ticket with one click; the least busy technicians come first. */
function Assign({ ticket, team }: { ticket: TicketRow; team: readonly Load[] }) {
  const choices = team.toReversed().map((each) => ({
    value: each.user_id,
    label: t('{name} · {open_tickets} open', { name: each.name, open_tickets: each.open_tickets }),
  }));
  const assign = (assigned_to: number) => {
    const assigned_name = team.find((each) => each.user_id === assigned_to)?.name ?? null;
    void changeTicket(ticket, { assigned_to }, { assigned_name });
  };
  return (
    <Menu
      label={t('Assignee of {ticket_number}', { ticket_number: ticket.ticket_number })}
      className="button quiet small"
      choices={choices}
      value={ticket.assigned_to ?? undefined}
      onChoose={assign}
    >
      <Assignee name={ticket.assigned_name} />
    </Menu>
  );
}
