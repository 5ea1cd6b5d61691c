// In a ticket: the mailbox that its mails are sent from, if there are several, and recipients that cannot be reached.
import { date, Note, Section, t, useChange, useItem, useMay } from '@keelson/web';

export default function SendAs({ ticket: { ticket_id: id } }: { ticket: { readonly ticket_id: number } }) {
  const { data } = useItem('GET /mailboxes/outgoing.php?id={id}', { id });
  const choose = useChange('PUT /mailboxes/outgoing.php?id={id}', { touches: ['/mailboxes/outgoing.php'] });
  const may = useMay()('tickets:write');
  if (!data) return null;
  const warning = (
    <>
      {!data.requester_mailed && <Note tone="warn">{t('The requester is inactive and gets no emails.')}</Note>}
      <ComesBack addresses={data.undeliverable} />
    </>
  );
  if (data.mailboxes.length < 2) return warning;
  const onChange = (value: string) => choose.mutate({ id, body: { mailbox_id: Number(value) } });
  return (
    <Section title={t('Send as')}>
      {warning}
      <select
        className="input"
        aria-label={t('Send as')}
        value={data.mailbox_id ?? ''}
        disabled={!may || choose.isPending}
        onChange={(event) => onChange(event.target.value)}
      >
        {data.mailboxes.map(({ mailbox_id, name, address }) => (
          <option key={mailbox_id} value={mailbox_id}>
            {name} ({address})
          </option>
        ))}
      </select>
    </Section>
  );
}

type Marked = { readonly address: string; readonly why: string; readonly created_at: string };

function ComesBack({ addresses }: { readonly addresses: readonly Marked[] }) {
  if (addresses.length === 0) return null;
  return (
    <Note tone="warn" icon="alert" title={t('Emails come back')}>
      {addresses.map((each) => (
        <p key={each.address}>
          {t('{address}, since {day}: {reason}', {
            address: each.address,
            day: date(each.created_at),
            reason: each.why,
          })}
        </p>
      ))}
      <p>{t('Automatic emails are not sent to it. Your reply will be sent but may not arrive.')}</p>
    </Note>
  );
}
