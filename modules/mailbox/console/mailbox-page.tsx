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
import { MailboxFields, mailboxOf, names } from './mailbox-fields.tsx';

const back = { to: '/mailboxes', title: 'Back to the mailboxes' };
const touches = ['/mailboxes'];
const states = {
  ok: { title: 'Read', tone: 'ok' },
  failing: { title: 'Failing', tone: 'danger' },
  off: { title: 'Switched off', tone: 'muted' },
  new: { title: 'Not read yet', tone: 'muted' },
} as const;

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
    done: ({ state }) => toast(state === 'ok' ? 'Read' : 'It cannot be read', state === 'ok' ? {} : { tone: 'danger' }),
  });
  const remove = useChange('DELETE /mailboxes.php?id={id}', { touches, done: () => go('/mailboxes') });
  if (error || !mailbox)
    return <RecordPending title="Mailbox" back={back} error={error} retry={() => void refetch()} />;
  const { title, tone } = states[mailbox.state];
  const takeAway = async () => {
    const words = {
      title: `Remove ${mailbox.address}?`,
      text: 'Its mails are not received any more. What was received stays.',
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
            <Button icon="refresh" disabled={read.isPending} onClick={() => read.mutate({ id })}>
              Read now
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
        {mailbox.last_error && (
          <Note tone="danger" title="It cannot be read:">
            {mailbox.last_error}
          </Note>
        )}
        {editing ? (
          <Form
            submit="Try it and save"
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
              <Fact name="Server">
                {mailbox.host}, port {mailbox.port}
              </Fact>
              <Fact name="User name">{mailbox.username}</Fact>
              <Fact name="Last read">{mailbox.last_success_at && <Time at={mailbox.last_success_at} />}</Fact>
              <Fact name="Category">{mailbox.job_type}</Fact>
              <Fact name="Mail server">{mailbox.authserv_id}</Fact>
            </Facts>
          </Card>
        )}
      </div>
    </RecordPage>
  );
}
