// Credit note page, where remaining credit is applied to an invoice or refunded.
import {
  Badge,
  Bones,
  Button,
  Card,
  Dialog,
  Fact,
  Facts,
  Failed,
  Form,
  hrefOf,
  Icon,
  Link,
  money,
  RecordPage,
  RecordPending,
  SchemaFields,
  SelectField,
  SimpleTable,
  TextField,
  texts,
  Time,
  toast,
  useAllRows,
  useChange,
  useItem,
  useMay,
  useSession,
  valuesOf,
  words,
  type Column,
  type Data,
  localToday,
  t,
} from '@keelson/web';
import { useState } from 'react';
import refundSchema from 'schema:POST /billing/credit-notes.php?action=refund&id={id}';
import { amountColumn, priceColumn, quantityColumn, taxColumn } from './line-columns.tsx';
import { decimalsOf } from './line-sums.ts';
import { Totals } from './totals.tsx';

const READ = 'GET /billing/credit-notes.php?id={id}';
const INVOICES = 'GET /billing/invoices.php';
type CreditNote = Data<typeof READ>;
type Line = CreditNote['line_items'][number];
type Use = CreditNote['uses'][number];

const back = { to: '/credit-notes', title: t('Back to the credit notes') };
const touches = ['/billing'];

export default function CreditNotePage({ params }: { params: { id: string } }) {
  const { data, error, refetch } = useItem(READ, { id: Number(params.id) });
  if (error || !data)
    return <RecordPending title={t('Credit note')} back={back} error={error} retry={() => void refetch()} />;
  return <Shown note={data} />;
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
      badge={<Badge tone={left ? 'warn' : 'muted'}>{left ? t('Credit left') : t('Used')}</Badge>}
      acts={
        <>
          <a className="button plain" href={hrefOf('GET /billing/credit-notes.php?action=pdf&id={id}', { id })}>
            <Icon name="download" /> {t('PDF')}
          </a>
          {writes && (
            <Button icon="send" onClick={() => setDoing('send')}>
              {t('Send again')}
            </Button>
          )}
          {writes && left && <Button onClick={() => setDoing('refund')}>{t('Record a refund')}</Button>}
          {writes && left && (
            <Button look="primary" onClick={() => setDoing('apply')}>
              {t('Set against an invoice')}
            </Button>
          )}
        </>
      }
    >
      <div className="invoice-paper">
        <div className="invoice-head">
          <Facts>
            <Fact name={t('Company')}>
              <Link href={`/companies/${note.company_number}`}>{note.company_name}</Link>
            </Fact>
            <Fact name={t('For invoice')}>
              <Link href={`/invoices/${note.invoice_number}`}>{note.invoice_number}</Link>
            </Fact>
            <Fact name={t('Issued')}>
              <Time at={note.issue_date} form="date" />
            </Fact>
          </Facts>
          {left && (
            <p className="to-be-paid">
              <small>{t('Left to use')}</small>
              <b>{money(open_amount, currency)}</b>
            </p>
          )}
        </div>
        <Card title={t('Reason')}>
          <p className="text">{note.reason}</p>
        </Card>
        <Card title={t('Lines')} flush>
          <SimpleTable label={t('Lines')} rows={note.line_items} columns={columnsIn(currency)} />
        </Card>
        <Totals
          sums={{
            subtotal,
            taxes: taxes.filter((each) => each.tax_rate > 0).map((each) => ({ rate: each.tax_rate, tax: each.tax })),
            total,
          }}
          currency={currency}
        />
        <Card title={t('Used for')} flush>
          <SimpleTable label={t('Used for')} rows={note.uses} columns={usesIn(currency)} empty={t('Not used yet')} />
        </Card>
      </div>
      {doing === 'apply' && <Apply note={note} onClose={done} />}
      {doing === 'refund' && <Refund note={note} onClose={done} />}
      {doing === 'send' && <SendNote note={note} onClose={done} />}
    </RecordPage>
  );
}

const columnsIn = (currency: string): readonly Column<Line>[] => [
  { key: 'description', title: t('Description'), width: '', cell: (each) => each.description },
  quantityColumn,
  priceColumn(currency),
  taxColumn,
  amountColumn(currency),
];

const usesIn = (currency: string): readonly Column<Use>[] => [
  { key: 'day', title: t('Date'), width: '', cell: (each) => <Time at={each.day} form="date" /> },
  {
    key: 'what',
    title: t('What for'),
    width: '',
    cell: (each) =>
      each.kind === 'invoice' ? (
        <Link href={`/invoices/${each.invoice_number}`}>{each.invoice_number}</Link>
      ) : (
        [t('Refund'), each.method && words(each.method), each.reference].filter(Boolean).join(', ')
      ),
  },
  { key: 'amount', title: t('Amount'), width: '', look: 'right', cell: (each) => money(each.amount, currency) },
];

interface DoingProps {
  readonly note: CreditNote;
  readonly onClose: () => void;
}

function Apply({ note, onClose }: DoingProps) {
  const { credit_note_id: id, company_number, currency, open_amount } = note;
  const overdue = useAllRows(INVOICES, { company_number, status: 'overdue' });
  const sent = useAllRows(INVOICES, { company_number, status: 'sent' });
  const failed = [overdue, sent].find((each) => each.error);
  const apply = useChange('POST /billing/credit-notes.php?action=apply&id={id}', {
    quiet: true,
    touches,
    done: () => {
      toast(t('Set against the invoice'));
      onClose();
    },
  });
  const owed = [...overdue.rows, ...sent.rows].filter((each) => each.currency === currency && each.balance_due > 0);
  return (
    <Dialog
      title={t('Use {credit_note_number}', { credit_note_number: note.credit_note_number })}
      open
      onClose={onClose}
    >
      {failed?.error ? (
        <Failed error={failed.error} retry={failed.retry} />
      ) : overdue.loading || sent.loading ? (
        <Bones />
      ) : owed.length === 0 ? (
        <p>
          {t('{company_name} has no other invoice to be paid. Record a refund instead, or wait for the next one.', {
            company_name: note.company_name,
          })}
        </p>
      ) : (
        <Form
          submit={t('Set against it')}
          busy={apply.isPending}
          error={apply.error}
          onCancel={onClose}
          onSubmit={(given) => {
            const { amount } = texts(given, 'amount');
            const invoice_id = Number(given.get('invoice_id'));
            apply.mutate({ id, body: { invoice_id, ...(amount && { amount: Number(amount.replace(',', '.')) }) } });
          }}
        >
          <SelectField
            name="invoice_id"
            label={t('Invoice')}
            required
            choices={owed.map((each) => ({
              value: String(each.invoice_id),
              label: t('{invoice_number}: {balance_due} to be paid', {
                invoice_number: each.invoice_number,
                balance_due: money(each.balance_due, currency),
              }),
            }))}
          />
          <TextField
            name="amount"
            label={t('Amount')}
            hint={t('Leave empty to use as much as possible of {open_amount}.', {
              open_amount: money(open_amount, currency),
            })}
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
      toast(t('Refund recorded'));
      onClose();
    },
  });
  return (
    <Dialog
      title={t('Refund of {credit_note_number}', { credit_note_number: note.credit_note_number })}
      open
      onClose={onClose}
    >
      <Form
        submit={t('Record', {}, 'verb')}
        busy={refund.isPending}
        error={refund.error}
        onCancel={onClose}
        onSubmit={(given) => refund.mutate({ id, body: valuesOf(given, refundSchema, refundNames) })}
      >
        <SchemaFields
          schema={refundSchema}
          names={refundNames}
          values={{ amount: open_amount.toFixed(decimalsOf(note.currency)), paid_at: localToday() }}
        />
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
      toast(t('{credit_note_number} is on its way', { credit_note_number }));
      onClose();
    },
  });
  return (
    <Dialog title={t('Send {credit_note_number}', { credit_note_number })} open onClose={onClose}>
      <Form
        submit={t('Send')}
        busy={send.isPending}
        error={send.error}
        onCancel={onClose}
        onSubmit={(given) => send.mutate({ id, body: { message: texts(given, 'message').message } })}
      >
        <TextField name="message" label={t('Message')} lines={4} hint={t('Leave empty to use the reason.')} />
        <p className="tone-muted">
          {t(
            'Goes to those at {company_name} who can view invoices, otherwise to the company’s own address. The PDF is attached.',
            { company_name: note.company_name },
          )}
        </p>
      </Form>
    </Dialog>
  );
}
