// The company's contracts, licenses, domains and networks.
import {
  Bones,
  columnsOf,
  Failed,
  SearchField,
  Sheet,
  SimpleTable,
  Tabs,
  useAllRows,
  type FieldInfo,
  t,
} from '@keelson/web';
import { useState } from 'react';

type AnyRow = Readonly<Record<string, unknown>>;

interface Kind {
  readonly id: 'contracts' | 'licenses' | 'domains' | 'networks';
  readonly title: string;
  readonly columns: readonly string[];
  readonly to?: (row: AnyRow) => string;
}

const kinds: readonly Kind[] = [
  {
    id: 'contracts',
    title: t('Contracts'),
    columns: ['name', 'contract_type', 'status', 'end_date', 'billing_cycle', 'value'],
  },
  { id: 'licenses', title: t('Licenses'), columns: ['name', 'vendor', 'status', 'seats_used', 'seats', 'expires_at'] },
  {
    id: 'domains',
    title: t('Domains'),
    columns: ['domain_name', 'registrar', 'status', 'expires_at', 'auto_renew'],
  },
  {
    id: 'networks',
    title: t('Networks'),
    columns: ['network_address', 'description', 'subnet_mask', 'gateway', 'site_name', 'vlan_count'],
    to: (row) => `/services/networks/${String(row.network_id)}`,
  },
];

/** Enum fields, displayed as words. */
const word: FieldInfo = { type: 'string', enum: [] };
const fields = { contract_type: word, billing_cycle: word };

export default function Services() {
  return (
    <Sheet title={t('Services')}>
      <Tabs
        label={t('Services')}
        tabs={kinds.map((kind) => ({ id: kind.id, title: kind.title, body: () => <Rows key={kind.id} of={kind} /> }))}
      />
    </Sheet>
  );
}

function Rows({ of: { id, title, columns, to } }: { of: Kind }) {
  const [search, setSearch] = useState('');
  const { rows, loading, error, retry } = useAllRows(`GET /${id}`, search ? { search } : {});
  return (
    <>
      <SearchField
        label={t(
          'Search {kind, select, contracts {contracts} licenses {licenses} domains {domains} other {networks}}',
          { kind: id },
        )}
        value={search}
        onSearch={setSearch}
      />
      {error && <Failed error={error} retry={retry} />}
      {loading && <Bones rows={6} />}
      {!loading && !error && (
        <div className="service-rows">
          <SimpleTable
            label={title}
            rows={rows}
            columns={columnsOf(columns, fields)}
            to={to}
            empty={
              search
                ? t(
                    'No {kind, select, contracts {contracts} licenses {licenses} domains {domains} other {networks}} match your search.',
                    { kind: id },
                  )
                : t(
                    'No {kind, select, contracts {contracts} licenses {licenses} domains {domains} other {networks}} yet.',
                    { kind: id },
                  )
            }
          />
        </div>
      )}
    </>
  );
}
