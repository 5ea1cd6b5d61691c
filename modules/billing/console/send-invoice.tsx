// Dialog that mails an invoice to chosen recipients, with a personal message.
import {
  Bones,
  Dialog,
  Failed,
  Form,
  Note,
  rawText,
  TextField,
  toast,
  useChange,
  useItem,
  type Data,
} from '@keelson/web';
import type { Invoice } from './invoice-page.tsx';

const READ = 'GET /billing/invoices.php?action=recipients&id={id}';
type Recipient = Data<typeof READ>[number];

interface SendInvoiceProps {
  readonly invoice: Pick<Invoice, 'invoice_id' | 'invoice_number' | 'company_name' | 'status'>;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function SendInvoice({ invoice, open, onClose }: SendInvoiceProps) {
  const { data, error, refetch } = useItem(READ, { id: invoice.invoice_id }, { enabled: open });
  return (
    <Dialog title={`Send ${invoice.invoice_number}`} open={open} onClose={onClose}>
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : data ? (
        <Choose invoice={invoice} people={data} onClose={onClose} />
      ) : (
        <Bones />
      )}
    </Dialog>
  );
}

interface ChooseProps extends Omit<SendInvoiceProps, 'open'> {
  readonly people: readonly Recipient[];
}

function Choose({ invoice, people, onClose }: ChooseProps) {
  const send = useChange('POST /billing/invoices.php?action=send&id={id}', {
    quiet: true,
    touches: ['/billing'],
    done: () => {
      toast(`${invoice.invoice_number} sent`);
      onClose();
    },
  });
  const submit = (given: FormData) =>
    send.mutate({
      id: invoice.invoice_id,
      body: {
        employee_numbers: given.getAll('employee_numbers').map(Number),
        message: rawText(given, 'message'),
      },
    });
  const nobody = !people.some((each) => each.usual);
  return (
    <Form
      submit="Send"
      busy={send.isPending}
      error={send.error}
      names={['message']}
      onCancel={onClose}
      onSubmit={submit}
    >
      <fieldset className="recipients">
        <legend>Recipients at {invoice.company_name}</legend>
        {people.map(({ employee_number, name, address, usual }) => (
          <label key={employee_number}>
            <input type="checkbox" name="employee_numbers" value={employee_number} defaultChecked={usual} />
            <span>
              {name} <span className="tone-muted">{address}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {nobody && (
        <Note tone="muted">
          No one at this company can view invoices. Without a recipient, the invoice goes to the company’s own email
          address.
        </Note>
      )}
      <TextField name="message" label="Message" lines={4} hint="Shown in the mail above the amount." />
      <p className="tone-muted">The PDF is attached.</p>
    </Form>
  );
}
