// Credit note page, where credit that is left is set against an invoice or refunded.
import {
  Badge,
  Bones,
  Button,
  Card,
  Dialog,
  Fact,
  Facts,
  Form,
  hrefOf,
  Icon,
  Link,
  money,
  number,
  RecordPage,
  RecordPending,
  SchemaFields,
  SelectField,
  SimpleTable,
  TextField,
  texts,
  Time,
  toast,
  unitPrice,
  useChange,
  useItem,
  useMay,
  useSession,
  valuesOf,
  words,
  type Column,
  type Data,
} from '@keelson/web';
import { useState } from 'react';
import refundSchema from 'schema:POST /billing/credit-notes.php?action=refund&id={id}';
import { Totals } from './totals.tsx';

const READ = 'GET /billing/credit-notes.php?id={id}';
type CreditNote = Data<typeof READ>;
type Line = CreditNote['line_items'][number];
type Use = CreditNote['uses'][number];

const back = { to: '/credit-notes', title: 'Back to the credit notes' };
const touches = ['/billing'];

export default function CreditNotePage({ params }: { params: { id: string } }) {
  const { data, error, refetch } = useItem(READ, { id: Number(params.id) });
  if (error || !data)
    return <RecordPending title="Credit note" back={back} error={error} retry={() => void refetch()} />;
  return <Shown note={data} key={data.credit_note_id} />;
}

function Shown({ note }: { note: CreditNote }) {
  const { credit_note_id: id, currency, open_amount, taxes, subtotal, total } = note;
  const { person } = useSession();
  const writes = useMay()('billing:write') && person.role === 'administrator';
  const [doing, setDoing] = useState<'apply' | 'refund' | 'send'>();
  const done = () => setDoing(undefined);
  const left = open_amount > 0;
  return (
    <RecordPage
      title={note.credit_note_number}
      back={back}
      badge={<Badge tone={left ? 'warn' : 'muted'}>{left ? 'Credit left' : 'Used'}</Badge>}
      acts={
        <>
          <a className="button plain" href={hrefOf('GET /billing/credit-notes.php?action=pdf&id={id}', { id })}>
            <Icon name="download" /> PDF
          </a>
          {writes && (
            <Button icon="send" onClick={() => setDoing('send')}>
              Send again
            </Button>
          )}
          {writes && left && <Button onClick={() => setDoing('refund')}>Record a refund</Button>}
          {writes && left && (
            <Button look="primary" onClick={() => setDoing('apply')}>
              Set against an invoice
            </Button>
          )}
        </>
      }
    >
      <div className="invoice-paper">
        <div className="invoice-head">
          <Facts>
            <Fact name="Company">
              <Link href={`/companies/${note.company_number}`}>{note.company_name}</Link>
            </Fact>
            <Fact name="For invoice">
              <Link href={`/invoices/${note.invoice_number}`}>{note.invoice_number}</Link>
            </Fact>
            <Fact name="Issued">
              <Time at={note.issue_date} form="date" />
            </Fact>
          </Facts>
          {left && (
            <p className="to-be-paid">
              <small>Left to use</small>
              <b>{money(open_amount, currency)}</b>
            </p>
          )}
        </div>
        <Card title="Reason">
          <p className="text">{note.reason}</p>
        </Card>
        <Card title="Lines" flush>
          <SimpleTable label="Lines" rows={note.line_items} columns={columnsIn(currency)} />
        </Card>
        <Totals
          sums={{
            subtotal,
            taxes: taxes.filter((each) => each.tax_rate > 0).map((each) => ({ rate: each.tax_rate, tax: each.tax })),
            total,
          }}
          currency={currency}
        />
        <Card title="Used for" flush>
          <SimpleTable label="Used for" rows={note.uses} columns={usesIn(currency)} empty="Not used yet" />
        </Card>
      </div>
      {doing === 'apply' && <Apply note={note} onClose={done} />}
      {doing === 'refund' && <Refund note={note} onClose={done} />}
      {doing === 'send' && <SendNote note={note} onClose={done} />}
    </RecordPage>
  );
}

const columnsIn = (currency: string): readonly Column<Line>[] => [
  { key: 'description', title: 'Description', width: '', cell: (each) => each.description },
  { key: 'quantity', title: 'Quantity', width: '', look: 'right', cell: (each) => number(each.quantity) },
  { key: 'price', title: 'Unit price', width: '', look: 'right', cell: (each) => unitPrice(each.unit_price, currency) },
  { key: 'tax', title: 'Tax', width: '', look: 'right', cell: (each) => `${number(each.tax_rate)} %` },
  { key: 'amount', title: 'Amount', width: '', look: 'right', cell: (each) => money(each.amount, currency) },
];

const usesIn = (currency: string): readonly Column<Use>[] => [
  { key: 'day', title: 'Date', width: '', cell: (each) => <Time at={each.day} form="date" /> },
  {
    key: 'what',
    title: 'What for',
    width: '',
    cell: (each) =>
      each.kind === 'invoice' ? (
        <Link href={`/invoices/${each.invoice_number}`}>{each.invoice_number}</Link>
      ) : (
        ['Refund', each.method && words(each.method), each.reference].filter(Boolean).join(', ')
      ),
  },
  { key: 'amount', title: 'Amount', width: '', look: 'right', cell: (each) => money(each.amount, currency) },
];

interface DoingProps {
  readonly note: CreditNote;
  readonly onClose: () => void;
}

function Apply({ note, onClose }: DoingProps) {
  const { credit_note_id: id, company_number, currency, open_amount } = note;
  const { data } = useItem('GET /billing/invoices.php', { company_number, per_page: 100 });
  const apply = useChange('POST /billing/credit-notes.php?action=apply&id={id}', {
    quiet: true,
    touches,
    done: () => {
      toast('Set against the invoice');
      onClose();
    },
  });
  const owed = data?.filter(
    (each) => ['sent', 'overdue'].includes(each.status) && each.currency === currency && each.balance_due > 0,
  );
  return (
    <Dialog title={`Use ${note.credit_note_number}`} open onClose={onClose}>
      {!owed ? (
        <Bones />
      ) : owed.length === 0 ? (
        <p>{note.company_name} has no other invoice to be paid. Record a refund instead, or wait for the next one.</p>
      ) : (
        <Form
          submit="Set against it"
          busy={apply.isPending}
          error={apply.error}
          names={['invoice_id', 'amount']}
          onCancel={onClose}
          onSubmit={(given) => {
            const { amount } = texts(given, 'amount');
            const invoice_id = Number(given.get('invoice_id'));
            apply.mutate({ id, body: { invoice_id, ...(amount && { amount: Number(amount.replace(',', '.')) }) } });
          }}
        >
          <SelectField
            name="invoice_id"
            label="Invoice"
            required
            choices={owed.map((each) => ({
              value: String(each.invoice_id),
              label: `${each.invoice_number}: ${money(each.balance_due, currency)} to be paid`,
            }))}
          />
          <TextField
            name="amount"
            label="Amount"
            hint={`Leave empty to use as much as possible of ${money(open_amount, currency)}.`}
          />
        </Form>
      )}
    </Dialog>
  );
}

const refundNames = ['amount', 'method', 'reference', 'paid_at'];

function Refund({ note, onClose }: DoingProps) {
  const { credit_note_id: id, open_amount } = note;
  const refund = useChange('POST /billing/credit-notes.php?action=refund&id={id}', {
    quiet: true,
    touches,
    done: () => {
      toast('Refund recorded');
      onClose();
    },
  });
  return (
    <Dialog title={`Refund of ${note.credit_note_number}`} open onClose={onClose}>
      <Form
        submit="Record"
        busy={refund.isPending}
        error={refund.error}
        names={refundNames}
        onCancel={onClose}
        onSubmit={(given) => refund.mutate({ id, body: valuesOf(given, refundSchema, refundNames) })}
      >
        <SchemaFields schema={refundSchema} names={refundNames} values={{ amount: open_amount }} />
      </Form>
    </Dialog>
  );
}

function SendNote({ note, onClose }: DoingProps) {
  const { credit_note_id: id, credit_note_number } = note;
  const send = useChange('POST /billing/credit-notes.php?action=send&id={id}', {
    quiet: true,
    touches,
    done: () => {
      toast(`${credit_note_number} is on its way`);
      onClose();
    },
  });
  return (
    <Dialog title={`Send ${credit_note_number}`} open onClose={onClose}>
      <Form
        submit="Send"
        busy={send.isPending}
        error={send.error}
        names={['message']}
        onCancel={onClose}
        onSubmit={(given) => send.mutate({ id, body: { message: texts(given, 'message').message } })}
      >
        <TextField name="message" label="Message" lines={4} hint="Leave empty to use the reason." />
        <p className="tone-muted">
          Goes to those at {note.company_name} who can view invoices, otherwise to the company’s own address. The PDF is
          attached.
        </p>
      </Form>
    </Dialog>
  );
}
