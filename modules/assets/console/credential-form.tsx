import { changedIn, CheckField, Dialog, Form, rawText, TextField, texts, type Data, t } from '@keelson/web';
import { useCredentials, type CredentialNode } from './write-credentials.tsx';

type Credential = Data<'GET /assets.php?id={id}'>['credentials'][number];

const names = ['label', 'username', 'url', 'notes'] as const;

interface CredentialFormProps {
  readonly asset_id: number;
  readonly credential: Credential | undefined;
  readonly onClose: () => void;
}

/** Form that adds or changes a credential. An empty password keeps the stored one. */
export function CredentialForm({ asset_id, credential, onClose }: CredentialFormProps) {
  const { write, busy } = useCredentials(asset_id, onClose);
  const submit = (given: FormData) => {
    const password = rawText(given, 'password');
    const fields = { ...texts(given, ...names), provider_only: given.get('provider_only') === 'true' };
    if (!credential) return write((now) => [...now, { ...fields, ...(password && { password }) }]);
    const { login_id } = credential;
    // Somebody else may have changed the rest meanwhile.
    const node: CredentialNode = { login_id, ...changedIn(fields, credential), ...(password && { password }) };
    // The server refuses a login that somebody else has deleted.
    write((now) => [...now.filter((each) => each.login_id !== login_id), node]);
  };
  return (
    <Dialog title={credential ? t('Edit {label}', { label: credential.label }) : t('Add login')} open onClose={onClose}>
      <Form submit={credential ? t('Save') : t('Add login')} busy={busy} onCancel={onClose} onSubmit={submit}>
        <TextField name="label" label={t('Login')} value={credential?.label} max={255} required autoFocus />
        <TextField name="username" label={t('Username')} value={credential?.username} max={255} />
        <TextField
          name="password"
          label={t('Password')}
          type="password"
          autoComplete="new-password"
          hint={credential?.has_password ? t('Leave blank to keep the current password.') : undefined}
        />
        <TextField name="url" label={t('Address')} type="url" value={credential?.url} />
        <TextField name="notes" label={t('Notes')} lines={3} value={credential?.notes} />
        <CheckField
          name="provider_only"
          label={t('Internal')}
          hint={t('Hidden from customers in the portal.')}
          checked={credential?.provider_only ?? false}
        />
      </Form>
    </Dialog>
  );
}
