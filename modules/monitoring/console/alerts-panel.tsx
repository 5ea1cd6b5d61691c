// Home page panel with unacknowledged alerts.
import { Badge, Card, Explained, firstRows, Link, Time, toneOf, usePages, words, t } from '@keelson/web';

const SHOWN = 5;

export default function AlertsPanel() {
  const list = usePages('GET /monitoring/alerts.php', { status: 'open', muted: 'no' });
  if (list.total === 0) return null;
  return (
    <Card
      title={t('Alerts ({total})', { total: list.total })}
      flush
      act={<Link href="/alerts/by-machine">{t('All')}</Link>}
    >
      <ul className="lines">
        {firstRows(list, SHOWN).map((each) => (
          <li key={each.alert_id}>
            <Link href={`/alerts/${each.alert_id}`}>
              <Badge tone={toneOf(each.severity)}>{words(each.severity)}</Badge>
              <span className="wraps">
                <Explained text={each.message} />
              </span>
              <span className="tone-muted">
                {each.company_name} <Time at={each.last_raised_at} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
