import { Card, firstRows, Link, LinkButton, Loaded, Time, useMay, usePages, t } from '@keelson/web';
import { PriorityMark, StatusMark, type Status } from './ticket/look.tsx';

const LIST = 'GET /assets.php?action=tickets&id={id}';

export default function AssetTickets({ record }: { record: { asset_id: number } }) {
  const list = usePages(LIST, { id: record.asset_id });
  const rows = firstRows(list, 8);
  const may = useMay()('tickets:write');
  return (
    <Card
      title={t('Tickets')}
      flush
      act={
        may && (
          <LinkButton to={`/tickets/new?asset=${record.asset_id}`} icon="plus">
            {t('New')}
          </LinkButton>
        )
      }
    >
      <Loaded list={list}>{rows.length === 0 && <p className="none">{t('No tickets for this asset.')}</p>}</Loaded>
      <ul className="lines">
        {rows.map((each) => (
          <li key={each.ticket_id}>
            <Link href={`/tickets/${each.ticket_number}`}>
              <PriorityMark priority={each.priority} />
              <StatusMark status={each.status as Status} />
              <span className="grow">{each.subject}</span>
              <span className="tone-muted">
                <Time at={each.updated_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
