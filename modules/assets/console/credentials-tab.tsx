// Credentials of all assets of a company, for looking one up during a call.
import { addressWith, Badge, Failed, Link, number, SearchField, SimpleTable, useMay, usePages } from '@keelson/web';
import { Bones, firstRows, type Column, type Row } from '@keelson/web';
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
      title: 'Login',
      width: '',
      look: 'strong',
      cell: ({ label, provider_only }) => (
        <>
          {label} {provider_only && <Badge tone="muted">Internal</Badge>}
        </>
      ),
    },
    {
      key: 'asset',
      title: 'Asset',
      width: '',
      cell: (each) => <Link href={addressWith('/assets/:quoted', each.asset_id)}>{each.machine_name}</Link>,
    },
    { key: 'username', title: 'Username', width: '', cell: (each) => each.username },
    { key: 'password', title: 'Password', width: '', cell: (each) => <Password credential={each} may={may} /> },
    { key: 'notes', title: 'Notes', width: '', look: 'muted', cell: (each) => each.notes },
  ];
  return (
    <div className="within">
      <div className="filters">
        <SearchField label="Search passwords" value={search} onSearch={setSearch} />
      </div>
      {list.error ? (
        <Failed error={list.error} retry={list.retry} />
      ) : list.loading ? (
        <Bones />
      ) : (
        <SimpleTable
          label="Passwords"
          rows={firstRows(list, SHOWN)}
          columns={columns}
          empty={search ? 'No logins match these filters.' : 'No logins yet. Add them on an asset.'}
        />
      )}
      {list.total > SHOWN && (
        <p className="none">
          Showing {SHOWN} of {number(list.total)}. Search to find the rest.
        </p>
      )}
    </div>
  );
}
