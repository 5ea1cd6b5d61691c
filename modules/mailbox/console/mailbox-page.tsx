// Mailbox page: sync status and connection settings.
import {
  Badge,
  Button,
  Card,
  confirm,
  Explained,
  Fact,
  Facts,
  Form,
  Note,
  RecordPage,
  RecordPending,
  rich,
  t,
  Time,
  toast,
  useChange,
  useItem,
  useGo,
} from '@keelson/web';
import { useState } from 'react';
import { MailboxFields, mailboxOf, outgoings } from './mailbox-fields.tsx';
import { MailboxTexts } from './mailbox-texts.tsx';

const back = { to: '/mailboxes', title: t('Back to mailboxes') };
const touches = ['/mailboxes'];
const states = {
  ok: { title: t('Read'), tone: 'ok' },
  failing: { title: t('Failing'), tone: 'danger' },
  off: { title: t('Disabled'), tone: 'muted' },
  new: { title: t('Not checked yet'), tone: 'muted' },
  signed_out: { title: t('Sign-in needed'), tone: 'warn' },
} as const;

const providers = { microsoft: 'Microsoft', google: 'Google' } as const;

export default function MailboxPage({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const { data: mailbox, error, refetch } = useItem('GET /mailboxes.php?id={id}', { id });
  const go = useGo();
  const [editing, setEditing] = useState(false);
  const change = useChange('PUT /mailboxes.php?id={id}', {
    quiet: editing,
    touches,
    done: () => {
      toast(t('Saved'));
      setEditing(false);
    },
  });
  const read = useChange('POST /mailboxes.php?action=receive&id={id}', {
    touches,
    done: ({ state }) =>
      toast(state === 'ok' ? t('Read') : t('Cannot be read'), state === 'ok' ? {} : { tone: 'danger' }),
  });
  const signIn = useChange('POST /mailboxes.php?action=sign-in&id={id}', {
    done: ({ url }) => location.assign(url),
  });
  const remove = useChange('DELETE /mailboxes.php?id={id}', { touches, done: () => go('/mailboxes') });
  if (error || !mailbox)
    return <RecordPending title={t('Mailbox')} back={back} error={error} retry={() => void refetch()} />;
  const { title, tone } = states[mailbox.state];
  const isAgain = mailbox.signed_in_at !== null || mailbox.last_success_at !== null;
  const takeAway = async () => {
    const words = {
      title: t('Remove {address}?', { address: mailbox.address }),
      text: t('New mail will no longer be received. Received mail is kept.'),
      act: t('Remove'),
      danger: true,
    };
    if (await confirm(words)) remove.mutate({ id });
  };
  return (
    <RecordPage
      title={mailbox.name}
      back={back}
      badge={<Badge tone={tone}>{title}</Badge>}
      acts={
        !editing && (
          <>
            {mailbox.sign_in !== 'password' && (
              <Button
                look={mailbox.state === 'signed_out' ? 'primary' : 'quiet'}
                disabled={signIn.isPending}
                onClick={() => signIn.mutate({ id })}
              >
                {isAgain ? t('Sign in again') : t('Sign in with {provider}', { provider: providers[mailbox.sign_in] })}
              </Button>
            )}
            <Button icon="refresh" disabled={read.isPending} onClick={() => read.mutate({ id })}>
              {t('Check now')}
            </Button>
            <Button icon="edit" onClick={() => setEditing(true)}>
              {t('Edit')}
            </Button>
            <Button look="quiet" icon="trash" onClick={() => void takeAway()}>
              {t('Remove')}
            </Button>
          </>
        )
      }
    >
      <div className="mailbox-form">
        {mailbox.late_since && (
          <Note tone="danger" icon="alert" title={t('Emails are not arriving')}>
            {rich('A test mail sent {when} has not come back.', { when: <Time at={mailbox.late_since} /> })}
          </Note>
        )}
        {mailbox.last_error && (
          <Note tone="danger" title={t('Cannot be read:')}>
            <Explained text={mailbox.last_error} />
          </Note>
        )}
        {mailbox.notification_error && (
          <Note title={t('Microsoft does not report new mail, so it is checked every 20 seconds:')}>
            <Explained text={mailbox.notification_error} />
          </Note>
        )}
        {editing ? (
          <Form
            submit={t('Test and save')}
            busy={change.isPending}
            error={change.error}
            onCancel={() => setEditing(false)}
            onSubmit={(given) => change.mutate({ id, body: mailboxOf(given) })}
          >
            <MailboxFields mailbox={mailbox} />
          </Form>
        ) : (
          <Card title={t('Mailbox')}>
            <Facts>
              <Fact name={t('Address')}>{mailbox.address}</Fact>
              {mailbox.protocol === 'imap' ? (
                <Fact name={t('Server')}>
                  {t('{host}, port {port}', { host: mailbox.host, port: String(mailbox.port) })}
                </Fact>
              ) : (
                <Fact name={t('Connection')}>{mailbox.sign_in === 'google' ? 'Gmail API' : 'Microsoft Graph'}</Fact>
              )}
              {mailbox.protocol === 'api' && (
                <Fact name={t('New mail')}>
                  {mailbox.notified_until ? t('Received when it arrives') : t('Checked every 20 seconds')}
                </Fact>
              )}
              <Fact name={t('Signed in')}>{mailbox.signed_in_at && <Time at={mailbox.signed_in_at} />}</Fact>
              <Fact name={t('Username')}>{mailbox.username}</Fact>
              <Fact name={t('Last checked')}>{mailbox.last_success_at && <Time at={mailbox.last_success_at} />}</Fact>
              <Fact name={t('Time to arrive')}>{mailbox.lag_seconds !== null && `${mailbox.lag_seconds} s`}</Fact>
              <Fact name={t('Category')}>{mailbox.job_type}</Fact>
              <Fact name={t('Company of unknown senders')}>{mailbox.company_name}</Fact>
              <Fact name={t('Mail server')}>{mailbox.authserv_id}</Fact>
              <Fact name={t('Other addresses')}>{(mailbox.aliases ?? []).join(', ')}</Fact>
              <Fact name={t('Address for internal notes')}>{mailbox.note_address}</Fact>
              <Fact name={t('Answers')}>{outgoings.find(({ value }) => value === mailbox.outgoing)?.label}</Fact>
              {mailbox.outgoing === 'smtp' && mailbox.protocol === 'imap' && (
                <Fact name={t('SMTP server')}>
                  {t('{host}, port {port}', { host: mailbox.smtp_host, port: String(mailbox.smtp_port) })}
                </Fact>
              )}
              <Fact name={t('Sender’s name')}>{mailbox.sender_name}</Fact>
              <Fact name={t('Signature')}>
                {mailbox.signature && <span className="mailbox-signature">{mailbox.signature}</span>}
              </Fact>
            </Facts>
          </Card>
        )}
        {!editing && <MailboxTexts id={id} />}
      </div>
    </RecordPage>
  );
}
