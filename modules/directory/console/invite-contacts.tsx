// Invites many contacts to the portal at once.
import {
  Button,
  Empty,
  InvitedPeople,
  ListPage,
  SearchField,
  toastError,
  useChange,
  useRows,
  useSearchParams,
  type Column,
  type Data,
  type Row,
  t,
} from '@keelson/web';
import { useState } from 'react';

type Contact = Row<'GET /contacts.php'>;

const columns: readonly Column<Contact>[] = [
  {
    key: 'name',
    title: t('Name'),
    width: '2fr',
    look: 'strong',
    cell: (each) => `${each.first_name} ${each.last_name}`,
  },
  { key: 'company_name', title: t('Company'), width: '2fr', cell: (each) => each.company_name },
  { key: 'email', title: t('E-mail'), width: '2fr', cell: (each) => each.email },
];

export default function InviteContacts() {
  const [params, setParams] = useSearchParams();
  const [done, setDone] = useState<Data<'POST /contacts.php?action=invite'>>();
  const search = params.get('search') ?? '';
  const rows = useRows<Contact>('GET /contacts.php', { status: 'Active', ...(search && { search }) });
  const invite = useChange('POST /contacts.php?action=invite', { touches: ['/contacts.php'], done: setDone });
  return (
    <ListPage
      title={t('Invite to the portal')}
      noun="contacts"
      list={rows}
      columns={columns}
      id={(each) => each.employee_number}
      empty={<Empty title={t('There are no active contacts.')} />}
      actions={
        <SearchField
          label={t('Search contacts')}
          value={search}
          onSearch={(text) => setParams(text ? { search: text } : {}, { replace: true })}
        />
      }
      bulk={(selected, clear) => (
        <Button
          look="primary"
          icon="send"
          disabled={invite.isPending}
          onClick={() => {
            if (selected.size > MOST)
              return toastError(new Error(t('Select at most {count} contacts at a time', { count: MOST })));
            invite.mutate({ body: { employee_numbers: [...selected].map(Number) } }, { onSuccess: clear });
          }}
        >
          {t('Invite to the portal')}
        </Button>
      )}
    >
      {done && <InvitedPeople of={done} />}
    </ListPage>
  );
}

const MOST = 500;
