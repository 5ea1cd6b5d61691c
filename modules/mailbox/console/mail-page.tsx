// Page of a received mail: content, outcome with its reason, and manual decisions.
import {
  addressWith,
  ask,
  Badge,
  Button,
  Card,
  Dialog,
  Explained,
  Fact,
  Facts,
  Form,
  Link,
  Menu,
  Note,
  RecordField,
  RecordPage,
  RecordPending,
  Section,
  t,
  TextField,
  texts,
  Time,
  toast,
  useChange,
  useItem,
  useMay,
  type Data,
  type Tone,
} from '@keelson/web';
import { useEffect, useState } from 'react';
import { Original, Unreadable } from './original.tsx';

const READ = 'GET /mailboxes/messages.php?id={id}';
type Mail = Data<typeof READ>;

const back = { to: '/received-mail', title: t('Back to received mail') };
const touches = ['/mailboxes/messages.php', '/tickets.php'];
const states: Readonly<Record<Mail['state'], { readonly title: string; readonly tone: Tone }>> = {
  stored: { title: t('Pending'), tone: 'muted' },
  ticket: { title: t('New ticket'), tone: 'ok' },
  comment: { title: t('Answer'), tone: 'ok' },
  note: { title: t('Internal note'), tone: 'info' },
  review: { title: t('Needs review'), tone: 'warn' },
  ignored: { title: t('Ignored'), tone: 'muted' },
  failed: { title: t('Failed'), tone: 'danger' },
};

export default function MailPage({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const { data: mail, error, refetch } = useItem(READ, { id });
  const [original, setOriginal] = useState(false);
  // Keys have no notifications, and a refusal must not hide the mail.
  useEffect(
    () => void ask('PUT /notifications.php', { body: { type: 'mailbox_message', key: id } }).catch(() => undefined),
    [id],
  );
  if (error || !mail)
    return <RecordPending title={t('Received mail')} back={back} error={error} retry={() => void refetch()} />;
  const { title, tone } = states[mail.state];
  return (
    <RecordPage
      title={mail.subject || t('No subject')}
      back={back}
      badge={<Badge tone={tone}>{title}</Badge>}
      acts={<Acts mail={mail} />}
      side={<Side mail={mail} />}
    >
      {mail.reason && (
        <Note tone="muted">
          <Explained text={mail.reason} />
        </Note>
      )}
      {mail.files_problem && (
        <Note tone="danger" title={t('Its files are not attached yet')}>
          {mail.files_problem}
        </Note>
      )}
      <Card
        title={original ? t('Original') : t('Text')}
        act={
          <Button size="small" onClick={() => setOriginal(!original)}>
            {original ? t('Show text') : t('Show original')}
          </Button>
        }
      >
        {original ? <Original id={id} /> : <Content mail={mail} />}
      </Card>
      {mail.files.length > 0 && (
        <Card title={t('Files')}>
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

function Content({ mail: { received_id: id, text, unreadable, kept } }: { mail: Mail }) {
  if (unreadable === null) return <p className="text">{text || t('This mail has no text.')}</p>;
  return <Unreadable id={id} why={unreadable} kept={kept} />;
}

type People = NonNullable<Mail['addressees']>['to'];
const people = (all: People = []) =>
  all.map(({ name, address }) => (name ? `${name} <${address}>` : address)).join(', ');

function Side({ mail }: { mail: Mail }) {
  return (
    <Section title={t('Mail')}>
      <Facts>
        <Fact name={t('From')}>{mail.from_name}</Fact>
        <Fact name={t('Address')}>{mail.from_address}</Fact>
        <Fact name={t('Recipients')}>{people(mail.addressees?.to)}</Fact>
        <Fact name={t('Cc')}>{people(mail.addressees?.cc)}</Fact>
        <Fact name={t('Sender verified')}>{mail.verified ? t('Yes') : t('No')}</Fact>
        <Fact name={t('Company')}>
          {mail.company_number && <Link href={`/companies/${mail.company_number}`}>{mail.company_name}</Link>}
        </Fact>
        <Fact name={t('Ticket')}>
          {mail.ticket_id && <Link href={addressWith('/tickets/:quoted', mail.ticket_id)}>{t('Go to ticket')}</Link>}
        </Fact>
        <Fact name={t('Received')}>
          <Time at={mail.received_at} />
        </Fact>
      </Facts>
    </Section>
  );
}

function Acts({ mail }: { mail: Mail }) {
  const { received_id: id, state, retryable, from_address } = mail;
  const allowed = useMay();
  const may = allowed('tickets:write');
  const [open, setOpen] = useState<'belongs' | 'file' | 'contact'>();
  const done = () => {
    toast(t('Done'));
    setOpen(undefined);
  };
  const belongs = useChange('POST /mailboxes/messages.php?action=belongs&id={id}', {
    quiet: open === 'belongs',
    touches,
    done,
  });
  const file = useChange('POST /mailboxes/messages.php?action=file&id={id}', { quiet: open === 'file', touches, done });
  const retry = useChange('POST /mailboxes/messages.php?action=retry&id={id}', { touches, done });
  const contact = useChange('POST /mailboxes/messages.php?action=contact&id={id}', {
    quiet: open === 'contact',
    touches: [...touches, '/contacts.php'],
    done,
  });
  const block = useChange('POST /mailboxes/messages.php?action=block&id={id}', { touches, done });
  const ignore = useChange('POST /mailboxes/messages.php?action=ignore&id={id}', { touches, done });
  const close = () => setOpen(undefined);
  const isWaiting = state === 'review' || state === 'failed';
  if (!may) return null;
  return (
    <>
      {retryable && (
        <Button disabled={retry.isPending} onClick={() => retry.mutate({ id })}>
          {t('Try again')}
        </Button>
      )}
      {(isWaiting || state === 'ignored') && (
        <>
          <Button look="primary" onClick={() => setOpen('belongs')}>
            {t('Assign to contact…')}
          </Button>
          {allowed('contacts:write') && from_address && (
            <Button onClick={() => setOpen('contact')}>{t('Add as contact…')}</Button>
          )}
          <Button onClick={() => setOpen('file')}>{t('Add to ticket…')}</Button>
          {isWaiting && <Button onClick={() => ignore.mutate({ id })}>{t('Dismiss')}</Button>}
          {isWaiting && from_address && (
            <Menu
              label={t('Block')}
              choices={[
                { value: 'address', label: t('Block {address}', { address: from_address }) },
                { value: 'domain', label: t('Block all of {domain}', { domain: from_address.replace(/^.*@/, '') }) },
              ]}
              onChoose={(what) => block.mutate({ id, body: { domain: what === 'domain' } })}
              disabled={block.isPending}
            >
              {t('Block…')}
            </Menu>
          )}
        </>
      )}
      <Dialog title={t('Assign to contact')} open={open === 'belongs'} onClose={close}>
        <Form
          submit={t('Assign')}
          busy={belongs.isPending}
          error={belongs.error}
          onCancel={close}
          onSubmit={(given) => belongs.mutate({ id, body: { employee_number: Number(given.get('employee_number')) } })}
        >
          <RecordField
            type="contact"
            name="employee_number"
            label={t('Contact')}
            hint={t('It becomes a ticket from them, or a reply to one.')}
            required
          />
        </Form>
      </Dialog>
      <Dialog title={t('Add as contact')} open={open === 'contact'} onClose={close}>
        <Form
          submit={t('Add contact')}
          busy={contact.isPending}
          error={contact.error}
          onCancel={close}
          onSubmit={(given) => {
            const { first_name, last_name } = texts(given, 'first_name', 'last_name');
            contact.mutate({
              id,
              body: { company_number: Number(given.get('company_number')), first_name, last_name },
            });
          }}
        >
          <RecordField
            type="company"
            name="company_number"
            label={t('Company')}
            hint={t('The mail becomes a ticket from them.')}
            value={mail.proposed_company_number}
            required
          />
          <div className="pair">
            <TextField name="first_name" label={t('First name')} value={mail.sender_first_name} required />
            <TextField name="last_name" label={t('Last name')} value={mail.sender_last_name} required />
          </div>
        </Form>
      </Dialog>
      <Dialog title={t('Add to ticket')} open={open === 'file'} onClose={close}>
        <Form
          submit={t('Add')}
          busy={file.isPending}
          error={file.error}
          onCancel={close}
          onSubmit={(given) => file.mutate({ id, body: { ticket_id: Number(given.get('ticket_id')) } })}
        >
          <RecordField
            type="ticket"
            name="ticket_id"
            label={t('Ticket')}
            hint={t('The mail is added as an internal note.')}
            required
          />
        </Form>
      </Dialog>
    </>
  );
}
