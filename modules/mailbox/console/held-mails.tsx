// In a ticket: mails that name it, but are held for review, failed or were ignored.
import { Link, Note, Time, t, useItem } from '@keelson/web';

export default function HeldMails({ ticket: { ticket_id: id } }: { ticket: { readonly ticket_id: number } }) {
  const { data } = useItem('GET /mailboxes/outgoing.php?id={id}', { id });
  if (!data || data.held.length === 0) return null;
  return (
    <Note tone="warn" icon="mail" title={t('Mail about this ticket was held')}>
      {data.held.map((each) => (
        <p key={each.received_id}>
          <Link href={`/received-mail/${each.received_id}`}>{each.subject || t('No subject')}</Link>{' '}
          {each.from_name || each.from_address}, <Time at={each.received_at} />
        </p>
      ))}
    </Note>
  );
}
