// Mail server settings.
import {
  Bones,
  Button,
  Card,
  confirm,
  Failed,
  Form,
  Note,
  rawText,
  SelectField,
  TextField,
  toast,
  useChange,
  useItem,
  useSession,
} from '@keelson/web';

const SERVER = 'GET /settings/mail-server.php';
const TOUCHED = ['/settings/mail-server.php'];
const names = ['host', 'port', 'security', 'username', 'password', 'from_address', 'from_name'];

export function MailServerCard({ may }: { readonly may: boolean }) {
  const { data, error } = useItem(SERVER);
  const { person } = useSession();
  const change = useChange('PUT /settings/mail-server.php', {
    quiet: true,
    touches: TOUCHED,
    done: () => toast('Mail server saved'),
  });
  const test = useChange('POST /settings/mail-server.php?action=test', {
    touches: TOUCHED,
    done: ({ sent_to }) => toast(`Test mail sent to ${sent_to}`),
  });
  const remove = useChange('DELETE /settings/mail-server.php', {
    touches: TOUCHED,
    done: () => toast('Mail server removed'),
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
  const takeAway = async () => {
    const words = {
      title: 'Remove mail server?',
      text: 'Outgoing mail is queued until you set up another one.',
      act: 'Remove',
      danger: true,
    };
    if (await confirm(words)) remove.mutate({});
  };
  return (
    <Card title="Outgoing mail">
      {state === 'failing' && (
        <Note tone="warn" icon="alert" title="The mail server is not responding">
          <p>{problem}</p>
        </Note>
      )}
      {source === 'none' && <p>No mail server is set up. Outgoing mail is queued for up to 7 days.</p>}
      {source === 'environment' ? (
        <p>
          Outgoing mail is sent through <b>{data.host}</b>, set by SMTP_URL in the environment. Change it there.
        </p>
      ) : (
        <Form
          key={source}
          submit="Test and save"
          error={change.error}
          busy={change.isPending || !may}
          names={names}
          onSubmit={submit}
        >
          <TextField name="host" label="Server" value={data.host ?? ''} hint="Such as smtp.example.com." required />
          <TextField name="port" label="Port" type="number" value={data.port ?? 587} required />
          <SelectField
            name="security"
            label="Encryption"
            value={data.security ?? 'starttls'}
            required
            choices={[
              { value: 'starttls', label: 'STARTTLS (usually port 587)' },
              { value: 'tls', label: 'Implicit TLS (usually port 465)' },
            ]}
          />
          <TextField
            name="username"
            label="Username"
            value={data.username ?? ''}
            hint="Leave blank if the server does not require one."
          />
          <TextField
            name="password"
            label="Password"
            type="password"
            autoComplete="new-password"
            hint={data.has_password ? 'Leave blank to keep the current password.' : undefined}
          />
          <TextField name="from_address" label="Sender address" type="email" value={data.from_address ?? ''} required />
          <TextField
            name="from_name"
            label="Sender name"
            value={data.from_name ?? ''}
            hint="Leave blank to use your company name."
          />
        </Form>
      )}
      {may && source !== 'none' && (
        <p>
          <Button icon="send" disabled={test.isPending} onClick={() => test.mutate({ body: { to: person.email } })}>
            Send test mail
          </Button>{' '}
          {source === 'console' && (
            <Button look="quiet" icon="trash" disabled={remove.isPending} onClick={() => void takeAway()}>
              Remove
            </Button>
          )}
        </p>
      )}
    </Card>
  );
}
