// Dialog that creates a ticket from a chat, including its transcript.
import {
  addressWith,
  Dialog,
  Form,
  RecordField,
  TextField,
  texts,
  toast,
  useChange,
  useGo,
  type Data,
  t,
} from '@keelson/web';

interface CreateTicketProps {
  readonly chat: Data<'GET /chat/sessions.php?id={id}'>;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function CreateTicket({ chat, open, onClose }: CreateTicketProps) {
  const go = useGo();
  const make = useChange('POST /chat/sessions.php?action=ticket&id={id}', {
    quiet: open,
    touches: ['/chat/sessions.php', '/tickets.php'],
    done: (ticket) => {
      toast(t('Ticket {ticket_number} created from this chat', { ticket_number: ticket.ticket_number }));
      go(addressWith('/tickets/:quoted', ticket.ticket_id));
    },
  });
  const send = (given: FormData) => {
    const company = Number(given.get('company_number') ?? 0);
    const body = { ...texts(given, 'subject'), ...(company > 0 && { company_number: company }) };
    make.mutate({ id: chat.chat_id, body });
  };
  return (
    <Dialog title={t('Create ticket from chat')} open={open} onClose={onClose}>
      <Form submit={t('Create ticket')} busy={make.isPending} error={make.error} onCancel={onClose} onSubmit={send}>
        {chat.company_number === null && (
          <RecordField type="company" name="company_number" label={t('Company')} required />
        )}
        <TextField name="subject" label={t('Subject')} value={chat.topic} max={255} />
      </Form>
    </Dialog>
  );
}
