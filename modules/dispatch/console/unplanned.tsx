// Unplanned tickets beside the board.
import {
  addressWith,
  Button,
  Card,
  date,
  dragged,
  firstRows,
  Link,
  Loaded,
  minutes,
  SearchField,
  usePages,
  type Row,
  t,
} from '@keelson/web';
import { useEffect, useState } from 'react';

const LIST = 'GET /dispatch/unplanned.php';
export type Ticket = Row<typeof LIST>;
const MOST = 50;

interface UnplannedProps {
  readonly team: string;
  readonly writes: boolean;
  readonly onLoad: (tickets: readonly Ticket[]) => void;
  readonly onPlan: (ticket: Ticket) => void;
}

export function Unplanned({ team, writes, onLoad, onPlan }: UnplannedProps) {
  const [search, setSearch] = useState('');
  const list = usePages(LIST, { ...(team && { team_id: Number(team) }), ...(search && { search }) });
  const tickets = firstRows(list, MOST);
  const ids = tickets.map((each) => each.ticket_id).join();
  useEffect(() => onLoad(tickets), [ids]);
  return (
    <Card flush title={list.loading || list.error ? t('Unplanned') : t('Unplanned ({total})', { total: list.total })}>
      <div className="dispatch-search">
        <SearchField label={t('Filter unplanned tickets')} value={search} onSearch={setSearch} />
      </div>
      <Loaded list={list}>{tickets.length === 0 && <p className="none">{t('All tickets are planned.')}</p>}</Loaded>
      <ul className="dispatch-unplanned">
        {tickets.map((each) => (
          <li key={each.ticket_id} {...(writes && dragged('plan', `ticket:${each.ticket_id}`))}>
            <Link href={addressWith('/tickets/:quoted', each.ticket_id)}>
              {each.ticket_number} {each.subject}
            </Link>
            <span className="tone-muted">
              {[
                each.company_name,
                each.site_name,
                each.estimate_minutes !== null && minutes(each.estimate_minutes),
                each.due_date !== null && t('due {day}', { day: date(each.due_date) }),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
            {writes && (
              <Button look="quiet" onClick={() => onPlan(each)}>
                {t('Plan…')}
                <span className="hidden"> {t('Ticket {ticket_number}', { ticket_number: each.ticket_number })}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
