// Site page: address, buildings down to zones, people and assets.
import {
  Badge,
  Button,
  confirm,
  Dialog,
  Fact,
  Facts,
  Form,
  Link,
  number,
  Phone,
  RecordPage,
  RecordPending,
  SchemaFields,
  Section,
  Tabs,
  toast,
  useChange,
  useItem,
  useLocation,
  useMay,
  valuesOf,
  type Data,
} from '@keelson/web';
import { useState } from 'react';
import schema from 'schema:PUT /sites.php?id={id}';
import { Places } from './places.tsx';
import { SiteAssets } from './site-assets.tsx';
import { SitePeople } from './site-people.tsx';

const READ = 'GET /sites.php?id={id}';
type Site = Data<typeof READ>;
const names = ['site_name', 'address', 'zip', 'city', 'state', 'country', 'phone', 'status', 'is_primary'];
const back = { to: '/sites', title: 'Back to sites' };

export default function SitePage({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const { data: site, error, refetch } = useItem(READ, { id });
  const may = useMay();
  if (error || !site) return <RecordPending title="Site" back={back} error={error} retry={() => void refetch()} />;
  const people = {
    id: 'people',
    title: `People (${number(site.employee_count)})`,
    body: () => <SitePeople site={site} />,
  };
  const assets = {
    id: 'assets',
    title: `Assets (${number(site.asset_count)})`,
    body: () => <SiteAssets site={site} />,
  };
  return (
    <RecordPage
      key={id}
      title={site.site_name}
      back={back}
      badge={
        <Badge tone={site.status === 'active' ? 'ok' : 'muted'}>
          {site.status === 'active' ? 'Active' : 'Inactive'}
        </Badge>
      }
      acts={may('companies:write') && <Acts site={site} />}
      side={<Reach site={site} />}
    >
      <Tabs
        label="Site"
        tabs={[
          { id: 'places', title: 'Places', body: () => <Places site={site} /> },
          ...(may('contacts:read') ? [people] : []),
          ...(may('assets:read') ? [assets] : []),
        ]}
      />
    </RecordPage>
  );
}

function Reach({ site }: { site: Site }) {
  const city = [site.zip, site.city, site.state].filter(Boolean).join(' ');
  return (
    <Section title="Site">
      <Facts>
        <Fact name="Company">
          <Link href={`/companies/${site.company_number}`}>{site.company_name}</Link>
        </Fact>
        <Fact name="Address">{site.address}</Fact>
        <Fact name="City">{city}</Fact>
        <Fact name="Country">{site.country}</Fact>
        <Fact name="Phone">{site.phone && <Phone number={site.phone} />}</Fact>
        <Fact name="Primary">{site.is_primary ? 'Yes' : 'No'}</Fact>
      </Facts>
    </Section>
  );
}

function Acts({ site }: { site: Site }) {
  const { site_number: id, site_name } = site;
  const [, go] = useLocation();
  const [editing, setEditing] = useState(false);
  const touches = ['/sites.php', '/companies.php'];
  const done = () => {
    toast('Saved');
    setEditing(false);
  };
  const change = useChange('PUT /sites.php?id={id}', { quiet: true, touches, done });
  const remove = useChange('DELETE /sites.php?id={id}', { touches, done: () => go(back.to) });
  const ask = async () => {
    const question = { title: `Delete ${site_name}?`, text: 'This cannot be undone.', act: 'Delete', danger: true };
    if (await confirm(question)) remove.mutate({ id });
  };
  return (
    <>
      <Button icon="edit" onClick={() => setEditing(true)}>
        Edit
      </Button>
      <Button look="quiet" icon="trash" disabled={remove.isPending} onClick={() => void ask()}>
        Delete
      </Button>
      <Dialog title={`Edit ${site_name}`} open={editing} onClose={() => setEditing(false)}>
        <Form
          submit="Save"
          busy={change.isPending}
          error={change.error}
          names={names}
          onCancel={() => setEditing(false)}
          onSubmit={(given) => change.mutate({ id, body: valuesOf(given, schema, names, true) })}
        >
          <SchemaFields schema={schema} names={names} values={site} />
        </Form>
      </Dialog>
    </>
  );
}
