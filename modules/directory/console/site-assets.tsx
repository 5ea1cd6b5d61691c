import {
  addressWith,
  Badge,
  Card,
  Loaded,
  firstRows,
  Link,
  SimpleTable,
  toneOf,
  usePages,
  words,
  t,
} from '@keelson/web';
import type { Column, Data, Row } from '@keelson/web';

type Site = Data<'GET /sites.php?id={id}'>;
const LIST = 'GET /assets.php';
const SHOWN = 100;

const columns: readonly Column<Row<typeof LIST>>[] = [
  { key: 'name', title: t('Asset'), width: '', look: 'strong', cell: (each) => each.machine_name },
  { key: 'type', title: t('Type'), width: '', cell: (each) => each.asset_type },
  {
    key: 'status',
    title: t('Status'),
    width: '',
    cell: ({ status }) => status && <Badge tone={toneOf(status)}>{words(status)}</Badge>,
  },
  { key: 'address', title: t('IP address'), width: '', look: 'muted', cell: (each) => each.ip_address },
  { key: 'location', title: t('Location'), width: '', look: 'muted', cell: (each) => each.location },
];

/** The assets at a site. */
export function SiteAssets({ site: { site_number } }: { site: Site }) {
  const list = usePages(LIST, { site_number });
  const all = list.total > SHOWN && (
    <Link href={`/assets?site_number=${site_number}`}>{t('All {total}', { total: list.total })}</Link>
  );
  return (
    <Card title={t('Assets')} flush act={all}>
      <Loaded list={list}>
        <SimpleTable
          label={t('Assets')}
          rows={firstRows(list, SHOWN)}
          columns={columns}
          to={(each) => addressWith('/assets/:quoted', each.asset_id)}
          empty={t('No assets at this site.')}
        />
      </Loaded>
    </Card>
  );
}
