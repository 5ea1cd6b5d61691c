// Credentials of all assets of a company, for looking one up during a call.
import { addressWith, Badge, Link, Loaded, number, SearchField, SimpleTable, useMay, usePages, t } from '@keelson/web';
import { firstRows, type Column, type Row } from '@keelson/web';
import { useState } from 'react';
import { Password } from './password.tsx';

const LIST = 'GET /assets/credentials.php';
const SHOWN = 100;
type Credential = Row<typeof LIST>;

export default function CredentialsTab({ company: { company_number } }: { company: { company_number: number } }) {
  const may = useMay()('assets:write');
  const [search, setSearch] = useState('');
  const list = usePages(LIST, { company_number, ...(search && { search }) });
  const columns: readonly Column<Credential>[] = [
    {
      key: 'label',
      title: t('Login'),
      width: '',
      look: 'strong',
      cell: ({ label, provider_only }) => (
        <>
          {label} {provider_only && <Badge tone="muted">{t('Internal')}</Badge>}
        </>
      ),
    },
    {
      key: 'asset',
      title: t('Asset'),
      width: '',
      cell: (each) => <Link href={addressWith('/assets/:quoted', each.asset_id)}>{each.machine_name}</Link>,
    },
    { key: 'username', title: t('Username'), width: '', cell: (each) => each.username },
    { key: 'password', title: t('Password'), width: '', cell: (each) => <Password credential={each} may={may} /> },
    { key: 'notes', title: t('Notes'), width: '', look: 'muted', cell: (each) => each.notes },
  ];
  return (
    <div className="within">
      <div className="filters">
        <SearchField label={t('Search passwords')} value={search} onSearch={setSearch} />
      </div>
      <Loaded list={list}>
        <SimpleTable
          label={t('Passwords')}
          rows={firstRows(list, SHOWN)}
          columns={columns}
          empty={search ? t('No logins match these filters.') : t('No logins yet. Add them on an asset.')}
        />
      </Loaded>
      {list.total > SHOWN && (
        <p className="none">
          {t('Showing {shown} of {total}. Search to find the rest.', { shown: SHOWN, total: number(list.total) })}
        </p>
      )}
    </div>
  );
}
