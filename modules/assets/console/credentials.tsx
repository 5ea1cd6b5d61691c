// Credentials of an asset. Passwords are revealed one at a time, to those who may change assets, and every reveal is
// logged.
import { Badge, Button, Card, confirm, IconButton, SimpleTable, useMay, t } from '@keelson/web';
import type { Column, Data } from '@keelson/web';
import { useState } from 'react';
import { CredentialForm } from './credential-form.tsx';
import { CredentialLog } from './credential-log.tsx';
import { Password } from './password.tsx';
import { useCredentials } from './write-credentials.tsx';

type Asset = Data<'GET /assets.php?id={id}'>;
type Credential = Asset['credentials'][number];
export function Credentials({ asset: { asset_id, credentials } }: { asset: Asset }) {
  const may = useMay()('assets:write');
  const [open, setOpen] = useState<Credential | 'new'>();
  const [told, setTold] = useState<Credential>();
  const { write } = useCredentials(asset_id, () => undefined);
  const remove = async ({ login_id, label }: Credential) => {
    if (
      await confirm({
        title: t('Delete {label}?', { label }),
        text: t('Its password will be deleted too.'),
        act: t('Delete'),
        danger: true,
      })
    )
      write((now) => now.filter((each) => each.login_id !== login_id));
  };
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
    { key: 'username', title: t('Username'), width: '', cell: (each) => each.username },
    { key: 'password', title: t('Password'), width: '', cell: (each) => <Password credential={each} may={may} /> },
    { key: 'url', title: t('Address'), width: '', look: 'muted', cell: ({ url }) => <Address url={url} /> },
    { key: 'notes', title: t('Notes'), width: '', look: 'muted', cell: (each) => each.notes },
    {
      key: 'acts',
      title: t('Acts'),
      untitled: true,
      width: '',
      look: 'right acts',
      cell: (each) =>
        may && (
          <>
            <IconButton
              icon="history"
              label={t('Access log of {label}', { label: each.label })}
              onClick={() => setTold(each)}
            />
            <IconButton icon="edit" label={t('Edit {label}', { label: each.label })} onClick={() => setOpen(each)} />
            <IconButton
              icon="trash"
              label={t('Delete {label}', { label: each.label })}
              onClick={() => void remove(each)}
            />
          </>
        ),
    },
  ];
  const add = may && (
    <Button size="small" icon="plus" onClick={() => setOpen('new')}>
      {t('Add login')}
    </Button>
  );
  return (
    <Card title={t('Credentials')} flush act={add}>
      <SimpleTable label={t('Credentials')} rows={credentials} columns={columns} empty={t('No logins yet.')} />
      {told && <CredentialLog credential={told} onClose={() => setTold(undefined)} />}
      {open && (
        <CredentialForm
          asset_id={asset_id}
          credential={open === 'new' ? undefined : open}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Card>
  );
}

function Address({ url }: { url: string }) {
  if (!/^https?:\/\//.test(url)) return url;
  return (
    <a href={url} rel="noreferrer" target="_blank">
      {url}
    </a>
  );
}
