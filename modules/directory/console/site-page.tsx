// Site page: address, buildings down to zones, people and assets.
import {
  Badge,
  Button,
  confirm,
  EditDialog,
  Fact,
  Facts,
  Link,
  number,
  Phone,
  RecordPage,
  RecordPending,
  Section,
  Tabs,
  useChange,
  useItem,
  useGo,
  useMay,
  type Data,
  t,
} from '@keelson/web';
import { useState } from 'react';
import schema from 'schema:PUT /sites.php?id={id}';
import { Places } from './places.tsx';
import { SiteAssets } from './site-assets.tsx';
import { SitePeople } from './site-people.tsx';

const READ = 'GET /sites.php?id={id}';
type Site = Data<typeof READ>;
const names = ['site_name', 'address', 'zip', 'city', 'state', 'country', 'phone', 'status', 'is_primary'];
const back = { to: '/sites', title: t('Back to sites') };

export default function SitePage({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const { data: site, error, refetch } = useItem(READ, { id });
  const may = useMay();
  if (error || !site) return <RecordPending title={t('Site')} back={back} error={error} retry={() => void refetch()} />;
  const people = {
    id: 'people',
    title: t('People ({employee_count})', { employee_count: number(site.employee_count) }),
    body: () => <SitePeople site={site} />,
  };
  const assets = {
    id: 'assets',
    title: t('Assets ({asset_count})', { asset_count: number(site.asset_count) }),
    body: () => <SiteAssets site={site} />,
  };
  return (
    <RecordPage
      title={site.site_name}
      back={back}
      badge={
        <Badge tone={site.status === 'active' ? 'ok' : 'muted'}>
          {site.status === 'active' ? t('Active') : t('Inactive')}
        </Badge>
      }
      acts={may('companies:write') && <Acts site={site} />}
      side={<Reach site={site} />}
    >
      <Tabs
        label={t('Site')}
        tabs={[
          { id: 'places', title: t('Places'), body: () => <Places site={site} /> },
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
    <Section title={t('Site')}>
      <Facts>
        <Fact name={t('Company')}>
          <Link href={`/companies/${site.company_number}`}>{site.company_name}</Link>
        </Fact>
        <Fact name={t('Address')}>{site.address}</Fact>
        <Fact name={t('City')}>{city}</Fact>
        <Fact name={t('Country')}>{site.country}</Fact>
        <Fact name={t('Phone')}>{site.phone && <Phone number={site.phone} />}</Fact>
        <Fact name={t('Primary')}>{site.is_primary ? t('Yes') : t('No')}</Fact>
      </Facts>
    </Section>
  );
}

function Acts({ site }: { site: Site }) {
  const { site_number: id, site_name } = site;
  const go = useGo();
  const [editing, setEditing] = useState(false);
  const touches = ['/sites.php', '/companies.php'];
  const remove = useChange('DELETE /sites.php?id={id}', { touches, done: () => go(back.to) });
  const ask = async () => {
    const question = {
      title: t('Delete {site_name}?', { site_name }),
      text: t('This cannot be undone.'),
      act: t('Delete'),
      danger: true,
    };
    if (await confirm(question)) remove.mutate({ id });
  };
  return (
    <>
      <Button icon="edit" onClick={() => setEditing(true)}>
        {t('Edit')}
      </Button>
      <Button look="quiet" icon="trash" disabled={remove.isPending} onClick={() => void ask()}>
        {t('Delete')}
      </Button>
      <EditDialog
        title={t('Edit {site_name}', { site_name })}
        open={editing}
        onClose={() => setEditing(false)}
        operation="PUT /sites.php?id={id}"
        args={{ id }}
        schema={schema}
        names={names}
        values={site}
        touches={touches}
      />
    </>
  );
}
