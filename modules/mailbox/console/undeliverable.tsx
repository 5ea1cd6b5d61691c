// In a contact: their addresses whose mails bounced.
import { Button, date, Note, t, useChange, useItem, useMay } from '@keelson/web';

export default function UndeliverableNote({
  record: { employee_number: id },
}: {
  record: { employee_number: number };
}) {
  const { data = [] } = useItem('GET /mailboxes/undeliverable.php?id={id}', { id });
  const clear = useChange('DELETE /mailboxes/undeliverable.php?id={id}', { touches: ['/mailboxes'] });
  const may = useMay()('contacts:write');
  if (data.length === 0) return null;
  return (
    <Note tone="warn" icon="alert" title={t('Emails come back')}>
      {data.map((each) => (
        <p key={each.address}>
          {t('{address}, since {day}: {reason}', {
            address: each.address,
            day: date(each.created_at),
            reason: each.why,
          })}
        </p>
      ))}
      <p>{t('Automatic emails are not sent to it.')}</p>
      {may && (
        <Button size="small" disabled={clear.isPending} onClick={() => clear.mutate({ id })}>
          {t('Send again')}
        </Button>
      )}
    </Note>
  );
}
