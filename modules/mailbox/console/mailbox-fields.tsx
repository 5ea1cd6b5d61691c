// Form fields of a mailbox.
import {
  CheckField,
  rawLines,
  rawText,
  RecordField,
  rich,
  SelectField,
  t,
  TextField,
  useItem,
  type Args,
  type Data,
} from '@keelson/web';
import { useState } from 'react';

export type Mailbox = Data<'GET /mailboxes.php?id={id}'>;
type Body = NonNullable<Args<'POST /mailboxes.php'>['body']>;

const signIns = [
  { value: 'password', label: t('User name and password') },
  { value: 'microsoft', label: 'Microsoft 365' },
  { value: 'google', label: 'Google' },
];
const protocols = {
  microsoft: [
    { value: 'api', label: 'Microsoft Graph' },
    { value: 'imap', label: t('IMAP and SMTP') },
  ],
  google: [
    { value: 'api', label: 'Gmail API' },
    { value: 'imap', label: t('IMAP and SMTP') },
  ],
};
/** IMAP and SMTP servers of common providers. */
const servers = {
  password: { host: '', smtp_host: '' },
  microsoft: { host: 'outlook.office365.com', smtp_host: 'smtp.office365.com' },
  google: { host: 'imap.gmail.com', smtp_host: 'smtp.gmail.com' },
};

const securities = [
  { value: 'tls', label: 'TLS' },
  { value: 'starttls', label: 'STARTTLS' },
  { value: 'none', label: t('None (local network only)') },
];
export const outgoings = [
  { value: 'installation', label: t('From this mailbox, over the installation’s mail server') },
  { value: 'smtp', label: t('From this mailbox, over its own mail server or provider') },
  { value: 'reply_only', label: t('From the installation’s address, with replies to this mailbox') },
];
const signatureValues = ['agent_name', 'sender_name', 'sender_address', 'provider_name'];
const priorities = [t('Critical'), t('High'), t('Normal'), t('Low'), t('Planning')].map((label, at) => ({
  value: at + 1,
  label,
}));

export function MailboxFields({ mailbox }: { mailbox?: Mailbox }) {
  const categories = useItem('GET /job-types.php').data;
  const [signIn, setSignIn] = useState<keyof typeof servers>(mailbox?.sign_in ?? 'password');
  const [protocol, setProtocol] = useState<string>(mailbox?.protocol ?? 'api');
  const redirect = useItem('GET /mailboxes.php?action=sign-in').data?.redirect_uri;
  const isApi = signIn !== 'password' && protocol === 'api';
  const its = servers[signIn];
  const [outgoing, setOutgoing] = useState<string>(mailbox?.outgoing ?? 'installation');
  return (
    <>
      <div className="pair">
        <TextField
          name="address"
          label={t('Address')}
          type="email"
          value={mailbox?.address}
          hint={t('The address customers write and reply to.')}
          required
          autoFocus
        />
        <TextField name="name" label={t('Name')} value={mailbox?.name} hint={t('Such as Support.')} required />
      </div>
      <SelectField
        name="sign_in"
        label={t('Sign in with')}
        value={signIn}
        choices={signIns}
        onChoose={(value) => setSignIn(value as keyof typeof servers)}
        required
      />
      {signIn !== 'password' && (
        <>
          <SelectField
            name="protocol"
            label={t('Read and send with')}
            value={protocol}
            choices={protocols[signIn]}
            onChoose={setProtocol}
            required
          />
          {signIn === 'microsoft' && (
            <TextField
              name="tenant"
              label={t('Directory (tenant)')}
              value={mailbox?.tenant}
              hint={t('Its id, or a domain such as example.onmicrosoft.com.')}
              required
            />
          )}
          <div className="pair">
            <TextField name="client_id" label={t('Client ID')} value={mailbox?.client_id} required />
            <TextField
              name="client_secret"
              label={t('Client secret')}
              type="password"
              autoComplete="new-password"
              hint={mailbox?.has_client_secret ? t('Leave blank to keep the current secret.') : undefined}
              required={!mailbox?.has_client_secret}
            />
          </div>
          <p>
            {rich(
              'Register this redirect URL with the provider: {url}. Once the mailbox is saved, choose {act} on its page.',
              {
                url: <code>{redirect}</code>,
                act: <b>{t('Sign in with {provider}', { provider: signIn === 'google' ? 'Google' : 'Microsoft' })}</b>,
              },
            )}
          </p>
        </>
      )}
      {!isApi && (
        <div className="trio" key={signIn}>
          <TextField
            name="host"
            label={t('IMAP server')}
            value={(mailbox?.sign_in === signIn && mailbox.host) || its.host}
            hint={t('Such as imap.example.com.')}
            required
          />
          <TextField name="port" label={t('Port')} type="number" value={mailbox?.port ?? 993} required />
          <SelectField
            name="security"
            label={t('Encryption')}
            value={mailbox?.security ?? 'tls'}
            choices={securities}
            required
          />
        </div>
      )}
      <div className="pair">
        <TextField name="username" label={t('Username')} value={mailbox?.username} required />
        {signIn === 'password' && (
          <TextField
            name="password"
            label={t('Password')}
            type="password"
            autoComplete="new-password"
            hint={
              mailbox
                ? t('Leave blank to keep the current password.')
                : t('Use an app password if your provider requires one.')
            }
            required={!mailbox}
          />
        )}
      </div>
      <div className="pair">
        <SelectField
          name="job_type"
          label={t('Category of new tickets')}
          value={mailbox?.job_type}
          none={t('Default')}
          choices={categories?.map((each: { name: string }) => ({ value: each.name, label: each.name }))}
        />
        <SelectField
          name="priority"
          label={t('Priority of new tickets')}
          value={mailbox?.priority}
          none={t('Normal')}
          choices={priorities}
        />
      </div>
      <RecordField
        type="company"
        name="company_number"
        label={t('Company of unknown senders')}
        value={mailbox?.company_number}
        shown={mailbox?.company_name ?? undefined}
        hint={t(
          'For a mailbox that only one company uses: people who are not contacts yet are added to it when they write, if their address is verified.',
        )}
      />
      <TextField
        name="authserv_id"
        label={t('Mail server name')}
        value={mailbox?.authserv_id}
        hint={
          signIn === 'password'
            ? t(
                'The first value in the Authentication-Results header of mails you receive. Required for technicians to reply to customers by mail; otherwise their mails become internal notes.',
              )
            : t('Leave blank unless another mail server of yours verifies senders.')
        }
      />
      <TextField
        name="aliases"
        label={t('Other addresses')}
        lines={2}
        value={(mailbox?.aliases ?? []).join('\n')}
        hint={t(
          'Aliases that deliver to this mailbox, one per line. Replies are sent from the alias that the customer wrote to.',
        )}
      />
      <div className="pair">
        <TextField
          name="note_address"
          label={t('Address for internal notes')}
          type="email"
          value={mailbox?.note_address}
          hint={t('Another alias, such as support+note@example.com. Technicians’ mails to it become internal notes.')}
        />
        <TextField
          name="reopen_days"
          label={t('Days for reopening')}
          type="number"
          value={mailbox?.reopen_days ?? 14}
          hint={t('A reply within this time reopens a closed ticket. Later it becomes a new ticket.')}
          required
        />
      </div>
      <SelectField
        name="outgoing"
        label={t('Answers')}
        value={outgoing}
        choices={outgoings}
        onChoose={setOutgoing}
        required
      />
      <TextField
        name="sender_name"
        label={t('Sender’s name')}
        value={mailbox?.sender_name}
        hint={t('Leave blank to use your company name.')}
      />
      <TextField
        name="signature"
        label={t('Signature')}
        lines={4}
        value={mailbox?.signature}
        hint={t('Added below each email. It can contain {values}; the agent’s name is empty in automatic mails.', {
          values: signatureValues.map((each) => `{{ ${each} }}`).join(', '),
        })}
      />
      {outgoing === 'smtp' && !isApi && (
        <>
          <div className="trio" key={signIn}>
            <TextField
              name="smtp_host"
              label={t('SMTP server')}
              value={(mailbox?.sign_in === signIn && mailbox.smtp_host) || its.smtp_host}
              hint={t('Such as smtp.example.com.')}
              required
            />
            <TextField
              name="smtp_port"
              label={t('SMTP port')}
              type="number"
              value={mailbox?.smtp_port ?? 587}
              required
            />
            <SelectField
              name="smtp_security"
              label={t('SMTP encryption')}
              value={mailbox?.smtp_security ?? 'starttls'}
              choices={securities.slice(0, 2)}
              required
            />
          </div>
          <div className="pair">
            <TextField
              name="smtp_username"
              label={t('SMTP user name')}
              value={mailbox?.smtp_username}
              hint={t('Leave blank to use the user name and password above.')}
            />
            <TextField
              name="smtp_password"
              label={t('SMTP password')}
              type="password"
              autoComplete="new-password"
              hint={mailbox?.has_smtp_password ? t('Leave blank to keep the current secret.') : undefined}
            />
          </div>
        </>
      )}
      <CheckField
        name="canary"
        label={t('Send it a test mail every ten minutes')}
        hint={t('The mailbox removes it. If it does not arrive, administrators are notified within 15 minutes.')}
        checked={mailbox?.canary ?? false}
      />
      <CheckField name="active" label={t('Fetch mail from this mailbox')} checked={mailbox?.active ?? true} />
    </>
  );
}

/** Reads the form; includes the password only if one was entered. */
export function mailboxOf(given: FormData): Body {
  const of = (name: string) => rawText(given, name).trim();
  const password = rawText(given, 'password');
  const smtpPassword = rawText(given, 'smtp_password');
  const clientSecret = rawText(given, 'client_secret');
  const sign_in = of('sign_in') as NonNullable<Body['sign_in']>;
  const protocol = sign_in === 'password' ? 'imap' : (of('protocol') as NonNullable<Body['protocol']>);
  const outgoing = of('outgoing') as NonNullable<Body['outgoing']>;
  return {
    name: of('name'),
    address: of('address'),
    host: of('host'),
    ...(of('port') !== '' && { port: Number(of('port')), security: of('security') as NonNullable<Body['security']> }),
    username: of('username'),
    sign_in,
    protocol,
    tenant: of('tenant'),
    client_id: of('client_id'),
    ...(clientSecret !== '' && { client_secret: clientSecret }),
    authserv_id: of('authserv_id'),
    job_type: of('job_type') || null,
    priority: of('priority') ? Number(of('priority')) : null,
    company_number: of('company_number') ? Number(of('company_number')) : null,
    active: given.get('active') === 'true',
    canary: given.get('canary') === 'true',
    aliases: rawLines(given, 'aliases'),
    note_address: of('note_address') || null,
    reopen_days: Number(of('reopen_days')),
    outgoing,
    sender_name: of('sender_name'),
    signature: rawText(given, 'signature'),
    ...(of('smtp_host') !== '' && {
      smtp_host: of('smtp_host'),
      smtp_port: Number(of('smtp_port')),
      smtp_security: of('smtp_security') as NonNullable<Body['smtp_security']>,
      smtp_username: of('smtp_username'),
    }),
    ...(password !== '' && { password }),
    ...(smtpPassword !== '' && { smtp_password: smtpPassword }),
  };
}
