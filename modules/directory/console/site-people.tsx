import {
  Card,
  Loaded,
  firstRows,
  Link,
  Phone,
  SimpleTable,
  usePages,
  type Column,
  type Data,
  type Row,
  t,
} from '@keelson/web';

type Site = Data<'GET /sites.php?id={id}'>;
const LIST = 'GET /contacts.php';
const SHOWN = 100;

const columns: readonly Column<Row<typeof LIST>>[] = [
  { key: 'name', title: t('Name'), width: '', look: 'strong', cell: (each) => `${each.first_name} ${each.last_name}` },
  { key: 'title', title: t('Job title'), width: '', look: 'muted', cell: (each) => each.title },
  { key: 'email', title: t('Email'), width: '', cell: (each) => each.email },
  { key: 'phone', title: t('Phone'), width: '', cell: (each) => each.phone && <Phone number={each.phone} /> },
];

/** The people at a site. */
export function SitePeople({ site: { site_number } }: { site: Site }) {
  const list = usePages(LIST, { site_number });
  const all = list.total > SHOWN && (
    <Link href={`/contacts?site_number=${site_number}`}>{t('All {total}', { total: list.total })}</Link>
  );
  return (
    <Card title={t('People')} flush act={all}>
      <Loaded list={list}>
        <SimpleTable
          label={t('People')}
          rows={firstRows(list, SHOWN)}
          columns={columns}
          to={(each) => `/contacts/${each.employee_number}`}
          empty={t('No contacts at this site.')}
        />
      </Loaded>
    </Card>
  );
}
