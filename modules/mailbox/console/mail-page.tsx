// Received mail: content, outcome with reason, and manual decisions.
import {
  addressWith,
  Badge,
  Button,
  Card,
  Dialog,
  Fact,
  Facts,
  Form,
  Link,
  Note,
  RecordField,
  RecordPage,
  RecordPending,
  Section,
  Time,
  toast,
  toastError,
  useChange,
  useItem,
  useMay,
  type Data,
  type Tone,
} from '@keelson/web';
import { useState } from 'react';
import { Original } from './original.tsx';

const READ = 'GET /mailboxes/messages.php?id={id}';
type Mail = Data<typeof READ>;

const back = { to: '/received-mail', title: 'Back to received mail' };
const touches = ['/mailboxes/messages.php', '/tickets.php'];
const states: Readonly<Record<Mail['state'], { readonly title: string; readonly tone: Tone }>> = {
  stored: { title: 'Pending', tone: 'muted' },
  ticket: { title: 'New ticket', tone: 'ok' },
  comment: { title: 'Answer', tone: 'ok' },
  note: { title: 'Internal note', tone: 'info' },
  review: { title: 'Needs review', tone: 'warn' },
  ignored: { title: 'Ignored', tone: 'muted' },
  failed: { title: 'Failed', tone: 'danger' },
};

export default function MailPage({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const { data: mail, error, refetch } = useItem(READ, { id });
  const [original, setOriginal] = useState(false);
  if (error || !mail)
    return <RecordPending title="Received mail" back={back} error={error} retry={() => void refetch()} />;
  const { title, tone } = states[mail.state];
  return (
    <RecordPage
      title={mail.subject || 'No subject'}
      back={back}
      badge={<Badge tone={tone}>{title}</Badge>}
      acts={mail.state === 'review' && <Acts mail={mail} />}
      side={<Side mail={mail} />}
    >
      {mail.reason && <Note tone="muted">{mail.reason}</Note>}
      <Card
        title={original ? 'Original' : 'Text'}
        act={
          <Button size="small" onClick={() => setOriginal(!original)}>
            {original ? 'Show text' : 'Show original'}
          </Button>
        }
      >
        {original ? <Original id={id} /> : <p className="text">{mail.text || 'This mail has no text.'}</p>}
      </Card>
      {mail.files.length > 0 && (
        <Card title="Files">
          <ul>
            {mail.files.map((each: { name: string }, at: number) => (
              <li key={at}>{each.name}</li>
            ))}
          </ul>
        </Card>
      )}
    </RecordPage>
  );
}

type People = NonNullable<Mail['addressees']>['to'];
const people = (all: People = []) =>
  all.map(({ name, address }) => (name ? `${name} <${address}>` : address)).join(', ');

function Side({ mail }: { mail: Mail }) {
  return (
    <Section title="Mail">
      <Facts>
        <Fact name="From">{mail.from_name}</Fact>
        <Fact name="Address">{mail.from_address}</Fact>
        <Fact name="To">{people(mail.addressees?.to)}</Fact>
        <Fact name="Cc">{people(mail.addressees?.cc)}</Fact>
        <Fact name="Sender verified">{mail.verified ? 'Yes' : 'No'}</Fact>
        <Fact name="Company">
          {mail.company_number && <Link href={`/companies/${mail.company_number}`}>{mail.company_name}</Link>}
        </Fact>
        <Fact name="Ticket">
          {mail.ticket_id && <Link href={addressWith('/tickets/:quoted', mail.ticket_id)}>Go to ticket</Link>}
        </Fact>
        <Fact name="Received">
          <Time at={mail.received_at} />
        </Fact>
      </Facts>
    </Section>
  );
}

function Acts({ mail: { received_id: id } }: { mail: Mail }) {
  const may = useMay()('tickets:write');
  const [open, setOpen] = useState<'belongs' | 'file'>();
  const done = () => {
    toast('Done');
    setOpen(undefined);
  };
  const belongs = useChange('POST /mailboxes/messages.php?action=belongs&id={id}', { quiet: true, touches, done });
  const file = useChange('POST /mailboxes/messages.php?action=file&id={id}', { quiet: true, touches, done });
  const ignore = useChange('POST /mailboxes/messages.php?action=ignore&id={id}', { touches, done });
  const close = () => setOpen(undefined);
  if (!may) return null;
  return (
    <>
      <Button look="primary" onClick={() => setOpen('belongs')}>
        Assign to contact…
      </Button>
      <Button onClick={() => setOpen('file')}>Add to ticket…</Button>
      <Button onClick={() => ignore.mutate({ id }, { onError: toastError })}>Dismiss</Button>
      <Dialog title="Assign to contact" open={open === 'belongs'} onClose={close}>
        <Form
          submit="Assign"
          busy={belongs.isPending}
          error={belongs.error}
          names={['employee_number']}
          onCancel={close}
          onSubmit={(given) => belongs.mutate({ id, body: { employee_number: Number(given.get('employee_number')) } })}
        >
          <RecordField
            type="contact"
            name="employee_number"
            label="Contact"
            hint="It becomes a ticket from them, or a reply to one."
            required
          />
        </Form>
      </Dialog>
      <Dialog title="Add to ticket" open={open === 'file'} onClose={close}>
        <Form
          submit="Add"
          busy={file.isPending}
          error={file.error}
          names={['ticket_id']}
          onCancel={close}
          onSubmit={(given) => file.mutate({ id, body: { ticket_id: Number(given.get('ticket_id')) } })}
        >
          <RecordField
            type="ticket"
            name="ticket_id"
            label="Ticket"
            hint="The mail is added as an internal note."
            required
          />
        </Form>
      </Dialog>
    </>
  );
}
