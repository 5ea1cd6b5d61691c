// Home page panel with current outages.
import { Card, firstRows, Link, Note, Time, usePages, t } from '@keelson/web';

const SHOWN = 5;

export default function OutagesPanel() {
  const list = usePages('GET /outages.php', { status: 'active' });
  const active = firstRows(list, SHOWN);
  if (active.length === 0) return null;
  return (
    <Card
      title={t('Outages ({total})', { total: list.total })}
      act={<Link href="/outages?status=active">{t('All')}</Link>}
    >
      {active.map((each) => (
        <Note key={each.outage_id} tone="warn" title={each.service_name}>
          <Link href={`/outages/${each.outage_id}`}>{each.title}</Link> · <Time at={each.started_at} />
        </Note>
      ))}
    </Card>
  );
}
