// Short ticket list embedded in another page.
import {
  Card,
  Link,
  LinkButton,
  Loaded,
  Time,
  useMay,
  usePages,
  usePluginColumns,
  type Args,
  firstRows,
  t,
} from '@keelson/web';
import { LIST } from './ticket/change.tsx';
import { Due, PriorityMark, StatusMark, WaitingOn, type Status } from './ticket/look.tsx';

interface TicketLinesProps {
  readonly title: string;
  readonly asked: Partial<Args<typeof LIST>>;
  readonly empty: string;
  /** URL of the full list. */
  readonly all: string;
  readonly create?: string;
  /** Maximum number of rows. */
  readonly most?: number;
  /** Shows who has to act next and what is due, instead of the last change. */
  readonly due?: boolean;
}

export function TicketLines({ title, asked, empty, all, create, most = 8, due = false }: TicketLinesProps) {
  const list = usePages(LIST, { sort: 'updated_at', order: 'desc', brief: true, ...asked });
  const may = useMay()('tickets:write');
  const left = usePluginColumns(list, 'ticket_id').find(({ sort }) => sort === 'time_left');
  const rows = firstRows(list, most);
  return (
    <Card
      flush
      title={list.loading || list.error ? title : `${title} (${list.total})`}
      act={
        create && may ? (
          <LinkButton to={create} icon="plus">
            {t('New')}
          </LinkButton>
        ) : undefined
      }
    >
      <Loaded list={list}>{rows.length === 0 && <p className="none">{empty}</p>}</Loaded>
      <ul className="lines">
        {rows.map((each) => (
          <li key={each.ticket_id}>
            <Link href={`/tickets/${each.ticket_number}`}>
              <PriorityMark priority={each.priority} />
              <StatusMark status={each.status as Status} />
              <span className="tone-muted">{each.ticket_number}</span>
              <span className="grow">{each.subject}</span>
              <span className="tone-muted">
                {!due && <Time at={each.updated_at} />}
                {due && <WaitingOn ticket={each} />}
              </span>
              {due && (
                <span className="tone-muted">
                  <Due ticket={each} />
                </span>
              )}
              {due && left && <span className="tone-muted">{left.cell(each)}</span>}
            </Link>
          </li>
        ))}
      </ul>
      {list.total > most && (
        <p className="none">
          <Link href={all}>{t('All {total}', { total: list.total })}</Link>
        </p>
      )}
    </Card>
  );
}
