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

const back = { to: '/received-mail', title: 'Back to the mails' };
const touches = ['/mailboxes/messages.php', '/tickets.php'];
const states: Readonly<Record<Mail['state'], { readonly title: string; readonly tone: Tone }>> = {
  stored: { title: 'To be judged', tone: 'muted' },
  ticket: { title: 'New ticket', tone: 'ok' },
  comment: { title: 'Answer', tone: 'ok' },
  note: { title: 'Internal note', tone: 'info' },
  review: { title: 'Waits for you', tone: 'warn' },
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
        {original ? <Original id={id} /> : <p className="text">{mail.text || 'The mail has no text.'}</p>}
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
        <Fact name="Sender proved">{mail.verified ? 'Yes' : 'No'}</Fact>
        <Fact name="Company">
          {mail.company_number && <Link href={`/companies/${mail.company_number}`}>{mail.company_name}</Link>}
        </Fact>
        <Fact name="Ticket">
          {mail.ticket_id && <Link href={addressWith('/tickets/:quoted', mail.ticket_id)}>Go to the ticket</Link>}
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
        Belongs to…
      </Button>
      <Button onClick={() => setOpen('file')}>Put on a ticket…</Button>
      <Button onClick={() => ignore.mutate({ id }, { onError: toastError })}>Set aside</Button>
      <Dialog title="Whose mail is it?" open={open === 'belongs'} onClose={close}>
        <Form
          submit="It is theirs"
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
            hint="It becomes their ticket, or their answer to one."
            required
          />
        </Form>
      </Dialog>
      <Dialog title="Put it on a ticket" open={open === 'file'} onClose={close}>
        <Form
          submit="Put it there"
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
            hint="The mail becomes an internal note there."
            required
          />
        </Form>
      </Dialog>
    </>
  );
}
