// Short ticket list embedded in another page.
import { Card, Link, LinkButton, Time, useMay, usePages, type Args, firstRows } from '@keelson/web';
import { LIST } from './change.tsx';
import { PriorityMark, StatusMark, type Status } from './look.tsx';

interface TicketLinesProps {
  readonly title: string;
  readonly asked: Partial<Args<typeof LIST>>;
  readonly empty: string;
  /** URL of the full list. */
  readonly all: string;
  readonly create?: string;
  /** Maximum number of rows. */
  readonly most?: number;
}

export function TicketLines({ title, asked, empty, all, create, most = 8 }: TicketLinesProps) {
  const list = usePages(LIST, { sort: 'updated_at', order: 'desc', brief: true, ...asked });
  const may = useMay()('tickets:write');
  const rows = firstRows(list, most);
  return (
    <Card
      flush
      title={list.loading ? title : `${title} (${list.total})`}
      act={
        create && may ? (
          <LinkButton to={create} icon="plus">
            New
          </LinkButton>
        ) : undefined
      }
    >
      {rows.length === 0 && !list.loading && <p className="none">{empty}</p>}
      <ul className="lines">
        {rows.map((each) => (
          <li key={each.ticket_id}>
            <Link href={`/tickets/${each.ticket_number}`}>
              <PriorityMark priority={each.priority} />
              <StatusMark status={each.status as Status} />
              <span className="tone-muted">{each.ticket_number}</span>
              <span className="grow">{each.subject}</span>
              <span className="tone-muted">
                <Time at={each.updated_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {list.total > most && (
        <p className="none">
          <Link href={all}>All {list.total}</Link>
        </p>
      )}
    </Card>
  );
}
