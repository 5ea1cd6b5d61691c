// At a contact: their addresses that mails come back from.
import { Button, date, Note, useChange, useItem, useMay } from '@keelson/web';

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
    <Note tone="warn" icon="alert" title="Emails come back">
      {data.map((each) => (
        <p key={each.address}>
          {each.address}, since {date(each.created_at)}: {each.why}
        </p>
      ))}
      <p>Automatic emails to it are not sent.</p>
      {may && (
        <Button size="small" disabled={clear.isPending} onClick={() => clear.mutate({ id })}>
          Send again
        </Button>
      )}
    </Note>
  );
}
