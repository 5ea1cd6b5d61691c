import {
  Bones,
  Card,
  Failed,
  firstRows,
  Link,
  Phone,
  SimpleTable,
  usePages,
  type Column,
  type Data,
  type Row,
} from '@keelson/web';

type Site = Data<'GET /sites.php?id={id}'>;
const LIST = 'GET /contacts.php';
const SHOWN = 100;

const columns: readonly Column<Row<typeof LIST>>[] = [
  { key: 'name', title: 'Name', width: '', look: 'strong', cell: (each) => `${each.first_name} ${each.last_name}` },
  { key: 'title', title: 'Title', width: '', look: 'muted', cell: (each) => each.title },
  { key: 'email', title: 'Email', width: '', cell: (each) => each.email },
  { key: 'phone', title: 'Phone', width: '', cell: (each) => each.phone && <Phone number={each.phone} /> },
];

/** The people at a site. */
export function SitePeople({ site: { site_number } }: { site: Site }) {
  const list = usePages(LIST, { site_number });
  const all = list.total > SHOWN && <Link href={`/contacts?site_number=${site_number}`}>All {list.total}</Link>;
  return (
    <Card title="People" flush act={all}>
      {list.error ? (
        <Failed error={list.error} retry={list.retry} />
      ) : list.loading ? (
        <Bones />
      ) : (
        <SimpleTable
          label="People"
          rows={firstRows(list, SHOWN)}
          columns={columns}
          to={(each) => `/contacts/${each.employee_number}`}
          empty="No contacts at this site."
        />
      )}
    </Card>
  );
}
