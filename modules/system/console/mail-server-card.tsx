// Mail server settings.
import {
  Bones,
  Button,
  Card,
  Failed,
  Form,
  Note,
  rawText,
  RemoveButton,
  SelectField,
  TextField,
  toast,
  useChange,
  useItem,
  useSession,
  rich,
  t,
} from '@keelson/web';

const SERVER = 'GET /settings/mail-server.php';
const TOUCHED = ['/settings/mail-server.php'];

export function MailServerCard({ may }: { readonly may: boolean }) {
  const { data, error } = useItem(SERVER);
  const { person } = useSession();
  const change = useChange('PUT /settings/mail-server.php', {
    quiet: true,
    touches: TOUCHED,
    done: () => toast(t('Mail server saved')),
  });
  const test = useChange('POST /settings/mail-server.php?action=test', {
    touches: TOUCHED,
    done: ({ sent_to }) => toast(t('Test mail sent to {sent_to}', { sent_to })),
  });
  const remove = useChange('DELETE /settings/mail-server.php', {
    touches: TOUCHED,
    done: () => toast(t('Mail server removed')),
  });
  if (error) return <Failed error={error} />;
  if (!data) return <Bones />;
  const { source, state, problem } = data;
  const submit = (given: FormData) => {
    const password = rawText(given, 'password');
    change.mutate({
      body: {
        host: rawText(given, 'host'),
        port: Number(rawText(given, 'port')),
        security: rawText(given, 'security') as 'tls' | 'starttls',
        username: rawText(given, 'username'),
        ...(password !== '' && { password }),
        from_address: rawText(given, 'from_address'),
        from_name: rawText(given, 'from_name'),
      },
    });
  };
  return (
    <Card title={t('Outgoing mail')}>
      {state === 'failing' && (
        <Note tone="warn" icon="alert" title={t('The mail server is not responding')}>
          <p>{problem}</p>
        </Note>
      )}
      {source === 'none' && <p>{t('No mail server is set up. Outgoing mail is queued for up to 7 days.')}</p>}
      {source === 'environment' ? (
        <p>
          {rich('Outgoing mail is sent through {host}, set by SMTP_URL in the environment. Change it there.', {
            host: <b>{data.host}</b>,
          })}
        </p>
      ) : (
        <Form
          key={source}
          submit={t('Test and save')}
          error={change.error}
          busy={change.isPending || !may}
          onSubmit={submit}
        >
          <TextField
            name="host"
            label={t('Server')}
            value={data.host ?? ''}
            hint={t('Such as smtp.example.com.')}
            required
          />
          <TextField name="port" label={t('Port')} type="number" value={data.port ?? 587} required />
          <SelectField
            name="security"
            label={t('Encryption')}
            value={data.security ?? 'starttls'}
            required
            choices={[
              { value: 'starttls', label: t('STARTTLS (usually port 587)') },
              { value: 'tls', label: t('Implicit TLS (usually port 465)') },
            ]}
          />
          <TextField
            name="username"
            label={t('Username')}
            value={data.username ?? ''}
            hint={t('Leave blank if the server does not require one.')}
          />
          <TextField
            name="password"
            label={t('Password')}
            type="password"
            autoComplete="new-password"
            hint={data.has_password ? t('Leave blank to keep the current password.') : undefined}
          />
          <TextField
            name="from_address"
            label={t('Sender address')}
            type="email"
            value={data.from_address ?? ''}
            required
          />
          <TextField
            name="from_name"
            label={t('Sender name')}
            value={data.from_name ?? ''}
            hint={t('Leave blank to use your company name.')}
          />
        </Form>
      )}
      {may && source !== 'none' && (
        <p>
          <Button icon="send" disabled={test.isPending} onClick={() => test.mutate({ body: { to: person.email } })}>
            {t('Send test mail')}
          </Button>{' '}
          {source === 'console' && (
            <RemoveButton
              question={t('Remove mail server?')}
              text={t('Outgoing mail is queued until you set up another one.')}
              busy={remove.isPending}
              onRemove={() => remove.mutate({})}
            />
          )}
        </p>
      )}
    </Card>
  );
}
