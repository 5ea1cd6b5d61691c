// Company page: contact details, open work, and panels of other modules.
import {
  Badge,
  Button,
  Card,
  EditDialog,
  Fact,
  Facts,
  Figure,
  money,
  Note,
  number,
  RecordPage,
  RecordPending,
  Slot,
  Tabs,
  useItem,
  useMay,
  useSession,
  words,
  type Data,
  Phone,
  t,
} from '@keelson/web';
import { useState } from 'react';
import schema from 'schema:PUT /companies.php?id={id}';
import { CompanyLanguage } from './company-language.tsx';
import { useCompanyTabs } from './company-tabs.tsx';
import { Modules } from './modules.tsx';

const READ = 'GET /companies.php?id={id}';
type Company = Data<typeof READ>;
const names = [
  'customer',
  'status',
  'industry',
  'phone',
  'email',
  'website',
  'address',
  'zip',
  'city',
  'state',
  'country',
  'notes',
];
const back = { to: '/companies', title: t('Back to companies') };

export default function CompanyPage({ params }: { params: { number: string } }) {
  const id = Number(params.number);
  const { data: company, error, refetch } = useItem(READ, { id });
  const may = useMay()('companies:write');
  const [editing, setEditing] = useState(false);
  const tabs = useCompanyTabs(company);
  if (error || !company)
    return <RecordPending title={t('Company')} back={back} error={error} retry={() => void refetch()} />;
  return (
    <RecordPage
      title={company.customer}
      back={back}
      badge={<Badge tone={company.status === 'Active' ? 'ok' : 'muted'}>{words(company.status)}</Badge>}
      acts={
        may && (
          <Button icon="edit" onClick={() => setEditing(true)}>
            {t('Edit')}
          </Button>
        )
      }
    >
      {company.notes && (
        <Note icon="map-pin" tone="muted">
          {company.notes}
        </Note>
      )}
      <Figures company={company} />
      <Tabs
        label={t('Company')}
        addressed
        tabs={[
          { id: 'overview', title: t('Overview'), body: () => <Overview company={company} /> },
          ...tabs,
          { id: 'modules', title: t('Modules'), body: () => <Modules company={company} /> },
        ]}
      />
      <EditCompany company={company} open={editing} onClose={() => setEditing(false)} />
    </RecordPage>
  );
}

function Figures({ company: { company_number, statistics, open_tickets } }: { company: Company }) {
  const { tenant } = useSession();
  return (
    <div className="figures">
      <Figure name={t('Open tickets')} to={`/tickets?company_number=${company_number}`}>
        {number(open_tickets)}
      </Figure>
      <Figure name={t('All tickets')} to={`/tickets?status=all&company_number=${company_number}`}>
        {number(statistics.total_tickets)}
      </Figure>
      <Figure name={t('People')} to={`/contacts?company_number=${company_number}`}>
        {number(statistics.contact_count)}
      </Figure>
      <Figure name={t('Assets')} to={`/assets?company_number=${company_number}`}>
        {number(statistics.asset_count)}
      </Figure>
      <Figure name={t('Contracts')} to={`/contracts?company_number=${company_number}`}>
        {number(statistics.active_contracts)}
      </Figure>
      <Figure name={t('Balance due')} to={`/invoices?company_number=${company_number}`}>
        {money(statistics.balance_due, tenant.currency)}
      </Figure>
    </div>
  );
}

function Overview({ company }: { company: Company }) {
  const address = [company.address, [company.zip, company.city].filter(Boolean).join(' '), company.country]
    .filter(Boolean)
    .join(', ');
  return (
    <div className="columns">
      <div>
        <Slot name="company.main" company={company} />
      </div>
      <div>
        <Card title={t('Contact details')}>
          <Facts>
            <Fact name={t('Phone')}>{company.phone && <Phone number={company.phone} />}</Fact>
            <Fact name={t('Email')}>{company.email && <a href={`mailto:${company.email}`}>{company.email}</a>}</Fact>
            <Fact name={t('Website')}>{company.website && <Website address={company.website} />}</Fact>
            <Fact name={t('Address')}>{address}</Fact>
            <Fact name={t('Industry')}>{company.industry}</Fact>
          </Facts>
        </Card>
        <CompanyLanguage company={company} />
        <Slot name="company.side" company={company} />
      </div>
    </div>
  );
}

/** Returns a link; people also enter an address without its scheme. */
function Website({ address }: { address: string }) {
  return (
    <a href={/^https?:/i.test(address) ? address : `https://${address}`} target="_blank" rel="noreferrer">
      {address}
    </a>
  );
}

function EditCompany({ company, open, onClose }: { company: Company; open: boolean; onClose: () => void }) {
  return (
    <EditDialog
      title={t('Edit {customer}', { customer: company.customer })}
      open={open}
      onClose={onClose}
      operation="PUT /companies.php?id={id}"
      args={{ id: company.company_number }}
      schema={schema}
      names={names}
      values={{ ...company, status: company.status.toLowerCase() }}
      touches={['/companies.php']}
    />
  );
}
