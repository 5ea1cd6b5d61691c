// Mailbox page: sync status and connection settings.
import {
  Badge,
  Button,
  Card,
  confirm,
  Fact,
  Facts,
  Form,
  Note,
  RecordPage,
  RecordPending,
  Time,
  toast,
  toastError,
  useChange,
  useItem,
  useLocation,
} from '@keelson/web';
import { useState } from 'react';
import { MailboxFields, mailboxOf, names, outgoings } from './mailbox-fields.tsx';
import { MailboxTexts } from './mailbox-texts.tsx';

const back = { to: '/mailboxes', title: 'Back to mailboxes' };
const touches = ['/mailboxes'];
const states = {
  ok: { title: 'Read', tone: 'ok' },
  failing: { title: 'Failing', tone: 'danger' },
  off: { title: 'Disabled', tone: 'muted' },
  new: { title: 'Not checked yet', tone: 'muted' },
  signed_out: { title: 'Sign-in needed', tone: 'warn' },
} as const;

const providers = { microsoft: 'Microsoft', google: 'Google' } as const;

export default function MailboxPage({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const { data: mailbox, error, refetch } = useItem('GET /mailboxes.php?id={id}', { id });
  const [, go] = useLocation();
  const [editing, setEditing] = useState(false);
  const change = useChange('PUT /mailboxes.php?id={id}', {
    quiet: true,
    touches,
    done: () => {
      toast('Saved');
      setEditing(false);
    },
  });
  const read = useChange('POST /mailboxes.php?action=receive&id={id}', {
    touches,
    done: ({ state }) => toast(state === 'ok' ? 'Read' : 'Cannot be read', state === 'ok' ? {} : { tone: 'danger' }),
  });
  const signIn = useChange('POST /mailboxes.php?action=sign-in&id={id}', {
    done: ({ url }) => location.assign(url),
  });
  const remove = useChange('DELETE /mailboxes.php?id={id}', { touches, done: () => go('/mailboxes') });
  if (error || !mailbox)
    return <RecordPending title="Mailbox" back={back} error={error} retry={() => void refetch()} />;
  const { title, tone } = states[mailbox.state];
  const isAgain = mailbox.signed_in_at !== null || mailbox.last_success_at !== null;
  const takeAway = async () => {
    const words = {
      title: `Remove ${mailbox.address}?`,
      text: 'New mail will no longer be received. Received mail is kept.',
      act: 'Remove',
      danger: true,
    };
    if (await confirm(words)) remove.mutate({ id }, { onError: toastError });
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
                onClick={() => signIn.mutate({ id }, { onError: toastError })}
              >
                {isAgain ? 'Sign in again' : `Sign in with ${providers[mailbox.sign_in]}`}
              </Button>
            )}
            <Button icon="refresh" disabled={read.isPending} onClick={() => read.mutate({ id })}>
              Check now
            </Button>
            <Button icon="edit" onClick={() => setEditing(true)}>
              Edit
            </Button>
            <Button look="quiet" icon="trash" onClick={() => void takeAway()}>
              Remove
            </Button>
          </>
        )
      }
    >
      <div className="mailbox-form">
        {mailbox.late_since && (
          <Note tone="danger" icon="alert" title="Emails do not arrive">
            A test mail sent <Time at={mailbox.late_since} /> has not come back.
          </Note>
        )}
        {mailbox.last_error && (
          <Note tone="danger" title="Cannot be read:">
            {mailbox.last_error}
          </Note>
        )}
        {editing ? (
          <Form
            submit="Test and save"
            busy={change.isPending}
            error={change.error}
            names={names}
            onCancel={() => setEditing(false)}
            onSubmit={(given) => change.mutate({ id, body: mailboxOf(given) })}
          >
            <MailboxFields mailbox={mailbox} />
          </Form>
        ) : (
          <Card title="Mailbox">
            <Facts>
              <Fact name="Address">{mailbox.address}</Fact>
              {mailbox.protocol === 'imap' ? (
                <Fact name="Server">
                  {mailbox.host}, port {mailbox.port}
                </Fact>
              ) : (
                <Fact name="Connection">{mailbox.sign_in === 'google' ? 'Gmail API' : 'Microsoft Graph'}</Fact>
              )}
              <Fact name="Signed in">{mailbox.signed_in_at && <Time at={mailbox.signed_in_at} />}</Fact>
              <Fact name="Username">{mailbox.username}</Fact>
              <Fact name="Last checked">{mailbox.last_success_at && <Time at={mailbox.last_success_at} />}</Fact>
              <Fact name="Time to arrive">{mailbox.lag_seconds !== null && `${mailbox.lag_seconds} s`}</Fact>
              <Fact name="Category">{mailbox.job_type}</Fact>
              <Fact name="Mail server">{mailbox.authserv_id}</Fact>
              <Fact name="Other addresses">{(mailbox.aliases ?? []).join(', ')}</Fact>
              <Fact name="Answers">{outgoings.find(({ value }) => value === mailbox.outgoing)?.label}</Fact>
              {mailbox.outgoing === 'smtp' && mailbox.protocol === 'imap' && (
                <Fact name="SMTP server">
                  {mailbox.smtp_host}, port {mailbox.smtp_port}
                </Fact>
              )}
              <Fact name="Sender’s name">{mailbox.sender_name}</Fact>
              <Fact name="Signature">
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
