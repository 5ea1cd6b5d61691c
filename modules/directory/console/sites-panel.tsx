import { Card, Icon, Link, usePages, firstRows, t } from '@keelson/web';

const LIST = 'GET /sites.php';
const SHOWN = 6;

export default function Sites({ company }: { company: { company_number: number } }) {
  const { company_number } = company;
  const list = usePages(LIST, { company_number });
  const sites = firstRows(list, SHOWN);
  if (sites.length === 0) return null;
  return (
    <Card title={t('Sites')}>
      <ul className="people">
        {sites.map((each) => (
          <li key={each.site_number}>
            <Icon name="map-pin" />
            <div>
              <Link href={`/sites/${each.site_number}`}>
                <b>{each.site_name}</b>
              </Link>
              <span className="tone-muted">
                {[each.is_primary && t('primary'), each.address, each.city].filter(Boolean).join(', ')}
              </span>
            </div>
          </li>
        ))}
      </ul>
      {list.total > SHOWN && (
        <Link href={`/sites?company_number=${company_number}`}>{t('All {total}', { total: list.total })}</Link>
      )}
    </Card>
  );
}
