// Form fields of a mailbox.
import { CheckField, rawText, SelectField, TextField, useItem, type Args, type Data } from '@keelson/web';

export type Mailbox = Data<'GET /mailboxes.php?id={id}'>;
type Body = NonNullable<Args<'POST /mailboxes.php'>['body']>;

export const names = [
  'name',
  'address',
  'host',
  'port',
  'security',
  'username',
  'password',
  'authserv_id',
  'job_type',
  'priority',
];

const securities = [
  { value: 'tls', label: 'TLS' },
  { value: 'starttls', label: 'STARTTLS' },
  { value: 'none', label: 'None (within one’s own network)' },
];
const priorities = ['Critical', 'High', 'Normal', 'Low', 'Planning'].map((label, at) => ({ value: at + 1, label }));

export function MailboxFields({ mailbox }: { mailbox?: Mailbox }) {
  const categories = useItem('GET /job-types.php').data ?? [];
  return (
    <>
      <div className="pair">
        <TextField
          name="address"
          label="Address"
          type="email"
          value={mailbox?.address}
          hint="What customers write to, and where their answers go."
          required
          autoFocus
        />
        <TextField name="name" label="Name" value={mailbox?.name} hint="Such as Support." required />
      </div>
      <div className="trio">
        <TextField name="host" label="IMAP server" value={mailbox?.host} hint="Such as imap.example.com." required />
        <TextField name="port" label="Port" type="number" value={mailbox?.port ?? 993} required />
        <SelectField
          name="security"
          label="Encryption"
          value={mailbox?.security ?? 'tls'}
          choices={securities}
          required
        />
      </div>
      <div className="pair">
        <TextField name="username" label="User name" value={mailbox?.username} required />
        <TextField
          name="password"
          label="Password"
          type="password"
          autoComplete="new-password"
          hint={
            mailbox ? 'Left empty, it stays the one that is kept.' : 'Of an application, where your provider wants one.'
          }
          required={!mailbox}
        />
      </div>
      <div className="pair">
        <SelectField
          name="job_type"
          label="Category of new tickets"
          value={mailbox?.job_type}
          none="The usual one"
          choices={categories.map((each: { name: string }) => ({ value: each.name, label: each.name }))}
        />
        <SelectField
          name="priority"
          label="Priority of new tickets"
          value={mailbox?.priority}
          none="Normal"
          choices={priorities}
        />
      </div>
      <TextField
        name="authserv_id"
        label="Name of your mail server"
        value={mailbox?.authserv_id}
        hint="As it stands first in Authentication-Results of mails that you receive. With it, technicians answer customers by mail; without it, their mails become internal notes."
      />
      <CheckField name="active" label="Read this mailbox" checked={mailbox?.active ?? true} />
    </>
  );
}

/** Reads the form; includes the password only if one was entered. */
export function mailboxOf(given: FormData): Omit<Body, 'password'> & { readonly password?: string } {
  const of = (name: string) => rawText(given, name).trim();
  const password = rawText(given, 'password');
  return {
    name: of('name'),
    address: of('address'),
    host: of('host'),
    port: Number(of('port')),
    security: of('security') as Body['security'],
    username: of('username'),
    authserv_id: of('authserv_id'),
    job_type: of('job_type') || null,
    priority: of('priority') ? Number(of('priority')) : null,
    active: given.get('active') === 'true',
    ...(password !== '' && { password }),
  };
}
