// Invoice page: editable while a draft, then sent, paid or voided.
import {
  Badge,
  Button,
  Card,
  changedIn,
  columnsOf,
  confirm,
  date,
  Fact,
  Facts,
  Files,
  hrefOf,
  Icon,
  Link,
  money,
  number,
  RecordPage,
  RecordPending,
  SimpleTable,
  Time,
  toast,
  toneOf,
  useChange,
  useItem,
  useMay,
  useSession,
  words,
  type Column,
  type Data,
  type FieldInfo,
  t,
} from '@keelson/web';
import { useState } from 'react';
import { CreditInvoice } from './credit-invoice.tsx';
import { bodyOf } from './invoice-body.tsx';
import { InvoiceForm } from './invoice-form.tsx';
import { amountColumn, priceColumn, quantityColumn, taxColumn } from './line-columns.tsx';
import type { DraftLine } from './line-sums.ts';
import { OpenTime } from './open-time.tsx';
import { RecordPayment } from './record-payment.tsx';
import { SendInvoice } from './send-invoice.tsx';
import { Totals } from './totals.tsx';

const READ = 'GET /billing/invoices.php?id={id}';
export type Invoice = Data<typeof READ>;
type Line = Invoice['line_items'][number];

const back = { to: '/invoices', title: t('Back to invoices') };
const touches = ['/billing'];
/** Marks a field whose values are displayed as words. */
const word: FieldInfo = { type: 'string', enum: [] };

export default function InvoicePage({ params }: { params: { id: string } }) {
  const { data, error, refetch } = useItem(READ, { id: Number(params.id) });
  if (error || !data)
    return <RecordPending title={t('Invoice')} back={back} error={error} retry={() => void refetch()} />;
  return <Shown invoice={data} />;
}

type Doing = 'edit' | 'time' | 'send' | 'pay' | 'credit';

function Shown({ invoice }: { invoice: Invoice }) {
  const { invoice_id: id, status, currency, company_number } = invoice;
  const { person } = useSession();
  const writes = useMay()('billing:write') && person.role === 'administrator';
  const [doing, setDoing] = useState<Doing>();
  const done = () => setDoing(undefined);
  const change = useChange('PUT /billing/invoices.php?id={id}', { touches });
  const addTime = useChange('POST /billing/invoices.php?action=add-time&id={id}', {
    touches,
    done: () => {
      toast(t('Worked time added'));
      done();
    },
  });
  const voidIt = async () => {
    const text = t('Its time entries become billable again. The invoice stays in the list.');
    if (
      await confirm({
        title: t('Void {invoice_number}?', { invoice_number: invoice.invoice_number }),
        text,
        act: t('Void', {}, 'verb'),
        danger: true,
      })
    )
      change.mutate({ id, body: { status: 'void' } });
  };
  const draft = status === 'draft';
  const owed = status === 'sent' || status === 'overdue';
  return (
    <RecordPage
      title={invoice.invoice_number}
      back={back}
      badge={<Badge tone={toneOf(status, 'invoice')}>{words(status)}</Badge>}
      acts={
        doing !== 'edit' && (
          <>
            <a className="button plain" href={hrefOf('GET /billing/invoices.php?action=pdf&id={id}', { id })}>
              <Icon name="download" /> {t('PDF')}
            </a>
            {writes && draft && (
              <Button icon="clock" onClick={() => setDoing('time')}>
                {t('Add worked time')}
              </Button>
            )}
            {writes && draft && (
              <Button icon="edit" onClick={() => setDoing('edit')}>
                {t('Edit')}
              </Button>
            )}
            {writes && (draft || (owed && invoice.payments.length === 0 && invoice.credits.length === 0)) && (
              <Button onClick={() => void voidIt()}>{t('Void', {}, 'verb')}</Button>
            )}
            {writes && (owed || status === 'paid') && (
              <Button icon="undo" onClick={() => setDoing('credit')}>
                {t('Credit')}
              </Button>
            )}
            {writes && status !== 'void' && (
              <Button look={draft ? 'primary' : 'plain'} icon="send" onClick={() => setDoing('send')}>
                {draft ? t('Send') : t('Send again')}
              </Button>
            )}
            {writes && owed && (
              <Button look="primary" onClick={() => setDoing('pay')}>
                {t('Record payment')}
              </Button>
            )}
          </>
        )
      }
    >
      <div className="invoice-paper">
        <Head invoice={invoice} />
        {doing === 'edit' ? <EditDraft invoice={invoice} onDone={done} /> : <Read invoice={invoice} />}
        <Files path="/billing/invoices.php" id={id} may={writes} />
      </div>
      <OpenTime
        company_number={company_number}
        currency={currency}
        open={doing === 'time'}
        onClose={done}
        onChoose={({ body }) => addTime.mutate({ id, body })}
      />
      <SendInvoice invoice={invoice} open={doing === 'send'} onClose={done} />
      {doing === 'credit' && <CreditInvoice invoice={invoice} onClose={done} />}
      {doing === 'pay' && <RecordPayment invoice={invoice} onClose={done} />}
    </RecordPage>
  );
}

function Head({ invoice }: { invoice: Invoice }) {
  const { company_number, company_name, currency, issue_date, due_date, sent_at, paid_at } = invoice;
  return (
    <div className="invoice-head">
      <Facts>
        <Fact name={t('Company')}>
          <Link href={`/companies/${company_number}`}>{company_name}</Link>
        </Fact>
        <Fact name={t('Issued')}>
          <Time at={issue_date} form="date" />
        </Fact>
        <Fact name={t('Due')}>
          <Time at={due_date} form="date" />
        </Fact>
        <Fact name={t('Sent')}>{sent_at && <Time at={sent_at} />}</Fact>
        <Fact name={t('Paid')}>{paid_at && <Time at={paid_at} />}</Fact>
      </Facts>
      {invoice.status !== 'draft' && invoice.status !== 'void' && (
        <p className="to-be-paid">
          <small>{t('Balance due')}</small>
          <b>{money(invoice.balance_due, currency)}</b>
        </p>
      )}
    </div>
  );
}

/** Describes the source of a line: `1.5 h worked, 0.5 h in the contract`. */
function madeOf({ source, hours_worked, hours_covered, period_start, period_end }: Line): string | undefined {
  if (source === 'entry' && hours_worked !== null) {
    const worked = number(hours_worked);
    return hours_covered
      ? t('{worked} h worked, {covered} h included in a contract', { worked, covered: number(hours_covered) })
      : t('{worked} h worked', { worked });
  }
  if (period_start && period_end)
    return t('From the subscription, {from} to {to}', { from: date(period_start), to: date(period_end) });
  return source === 'product' ? t('From the marketplace') : undefined;
}

const columnsIn = (currency: string): readonly Column<Line>[] => [
  {
    key: 'description',
    title: t('Description'),
    width: '',
    cell: (each) => (
      <>
        {each.description}
        {madeOf(each) && <small className="tone-muted made-of">{madeOf(each)}</small>}
      </>
    ),
  },
  quantityColumn,
  priceColumn(currency),
  taxColumn,
  amountColumn(currency),
];

type Credit = Invoice['credits'][number];

const creditPage = (each: Credit): string => `/credit-notes/${each.credit_note_id}`;
const creditColumnsIn = (currency: string): readonly Column<Credit>[] => [
  { key: 'number', title: t('Credit note'), width: '', cell: (each) => each.credit_note_number },
  { key: 'day', title: t('Date'), width: '', cell: (each) => <Time at={each.day} form="date" /> },
  { key: 'amount', title: t('Amount'), width: '', look: 'right', cell: (each) => money(-each.amount, currency) },
];

function Read({ invoice }: { invoice: Invoice }) {
  const { currency, line_items, taxes, payments, credits, notes, subtotal, total } = invoice;
  const due = taxes
    .filter((each: { tax_rate: number }) => each.tax_rate > 0)
    .map((each: { tax_rate: number; tax: number }) => ({ rate: each.tax_rate, tax: each.tax }));
  return (
    <>
      <Card title={t('Lines')} flush>
        <SimpleTable label={t('Lines')} rows={line_items} columns={columnsIn(currency)} />
      </Card>
      <Totals sums={{ subtotal, taxes: due, total }} currency={currency} />
      {payments.length > 0 && (
        <Card title={t('Payments')} flush>
          <SimpleTable
            label={t('Payments')}
            rows={payments as readonly Readonly<Record<string, unknown>>[]}
            columns={columnsOf(['paid_at', 'method', 'reference', 'amount'], { method: word })}
          />
        </Card>
      )}
      {credits.length > 0 && (
        <Card title={t('Credits')} flush>
          <SimpleTable label={t('Credits')} rows={credits} columns={creditColumnsIn(currency)} to={creditPage} />
        </Card>
      )}
      {notes && (
        <Card title={t('Notes to customer')}>
          <p className="text">{notes}</p>
        </Card>
      )}
    </>
  );
}

function EditDraft({ invoice, onDone }: { invoice: Invoice; onDone: () => void }) {
  const { invoice_id: id, currency, issue_date, due_date, tax_rate, notes } = invoice;
  const change = useChange('PUT /billing/invoices.php?id={id}', {
    quiet: true,
    touches,
    done: () => {
      toast(t('Saved'));
      onDone();
    },
  });
  const lines = invoice.line_items.map((line: Line): DraftLine => {
    const own = line.taxable && line.tax_rate !== tax_rate;
    return {
      key: `line ${line.line_item_id}`,
      line_item_id: line.line_item_id,
      description: line.description,
      quantity: String(line.quantity),
      unit_price: String(line.unit_price),
      tax_rate: own ? String(line.tax_rate) : '',
      own,
      taxable: line.taxable,
      ...(madeOf(line) && { note: madeOf(line) }),
    };
  });
  return (
    <InvoiceForm
      values={{ issue_date, due_date, tax_rate: tax_rate ? String(tax_rate) : '', notes, lines }}
      currency={currency}
      submit={t('Save')}
      busy={change.isPending}
      error={change.error}
      onCancel={onDone}
      onSubmit={(now, opened) => {
        const body = changedIn(bodyOf(now), bodyOf(opened));
        if (Object.keys(body).length === 0) onDone();
        else change.mutate({ id, body });
      }}
    />
  );
}
