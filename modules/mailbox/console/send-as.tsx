// At a ticket: the mailbox that its mails come from, where there are several.
import { Section, toastError, useChange, useItem, useMay } from '@keelson/web';

export default function SendAs({ ticket: { ticket_id: id } }: { ticket: { readonly ticket_id: number } }) {
  const { data } = useItem('GET /mailboxes/outgoing.php?id={id}', { id });
  const choose = useChange('PUT /mailboxes/outgoing.php?id={id}', { touches: ['/mailboxes/outgoing.php'] });
  const may = useMay()('tickets:write');
  if (!data || data.mailboxes.length < 2) return null;
  const onChange = (value: string) =>
    choose.mutate({ id, body: { mailbox_id: Number(value) } }, { onError: toastError });
  return (
    <Section title="Send as">
      <select
        className="input"
        aria-label="Send as"
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
