// Merges a ticket into another of its company.
import { addressWith, Form, RecordField, t, toast, useChange, useGo } from '@keelson/web';
import type { Ticket } from './change.tsx';

export function Merge({ ticket, done }: { ticket: Ticket; done: () => void }) {
  const go = useGo();
  const merge = useChange('POST /tickets.php?action=merge&id={id}', {
    quiet: true,
    touches: ['/tickets.php'],
    done: (_, { body: { into } }) => {
      done();
      toast(t('Merged'));
      go(addressWith('/tickets/:quoted', into));
    },
  });
  const submit = (given: FormData) => merge.mutate({ id: ticket.ticket_id, body: { into: Number(given.get('into')) } });
  return (
    <Form submit={t('Merge')} busy={merge.isPending} error={merge.error} onCancel={done} onSubmit={submit}>
      <p>{t('Comments, time entries and files move to the other ticket, and this one is closed.')}</p>
      <RecordField
        type="ticket"
        name="into"
        label={t('Into ticket')}
        required
        where={{ company_number: ticket.company_number }}
        except={ticket.ticket_id}
      />
    </Form>
  );
}
