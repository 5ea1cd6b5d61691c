// Billing page: invoices, payments, statements, subscriptions and proposals.
import {
  addressWith,
  Bones,
  columnsOf,
  date,
  Failed,
  Figure,
  money,
  Sheet,
  SimpleTable,
  Tabs,
  useAllRows,
  type FieldInfo,
  t,
} from '@keelson/web';

type AnyRow = Readonly<Record<string, unknown>>;

/** Marks fields whose values are displayed as words. */
const word: FieldInfo = { type: 'string', enum: [] };
const fields = { method: word, billing_cycle: word };

export default function Billing() {
  return (
    <Sheet title={t('Billing')}>
      <Balance />
      <Tabs
        label={t('Billing')}
        tabs={[
          { id: 'invoices', title: t('Invoices'), body: () => <Invoices /> },
          { id: 'payments', title: t('Payments'), body: () => <Payments /> },
          { id: 'credit-notes', title: t('Credit notes'), body: () => <CreditNotes /> },
          { id: 'statements', title: t('Statements'), body: () => <Statements /> },
          { id: 'subscriptions', title: t('Subscriptions'), body: () => <Subscriptions /> },
          { id: 'proposals', title: t('Proposals'), body: () => <Proposals /> },
        ]}
      />
    </Sheet>
  );
}

/** The open balance by currency, and the next due date. */
function Balance() {
  const { rows, loading, error } = useAllRows('GET /billing/invoices');
  const open = rows.filter((each) => each.balance_due > 0);
  // A part of the invoices has another balance.
  if (loading || error || open.length === 0) return null;
  const currencies = [...new Set(open.map(({ currency }) => currency))];
  const due = open.map((each) => each.due_date).toSorted()[0];
  return (
    <div className="figures">
      {currencies.map((currency) => (
        <Figure key={currency} name={t('Balance due')}>
          {money(
            open.filter((each) => each.currency === currency).reduce((sum, each) => sum + each.balance_due, 0),
            currency,
          )}
        </Figure>
      ))}
      {due && <Figure name={t('Next due')}>{date(due)}</Figure>}
    </div>
  );
}

interface Listed {
  readonly rows: readonly AnyRow[];
  readonly loading: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
}

function Rows({
  list: { rows, loading, error, retry },
  label,
  columns,
  to,
  empty,
}: {
  list: Listed;
  label: string;
  columns: readonly string[];
  to?: (row: AnyRow) => string;
  empty: string;
}) {
  if (error) return <Failed error={error} retry={retry} />;
  if (loading) return <Bones rows={6} />;
  return (
    <div className="billing-rows">
      <SimpleTable label={label} rows={rows} columns={columnsOf(columns, fields)} to={to} empty={empty} />
    </div>
  );
}

function Invoices() {
  const list = useAllRows('GET /billing/invoices');
  return (
    <Rows
      list={list}
      label={t('Invoices')}
      columns={['invoice_number', 'status', 'issue_date', 'due_date', 'total', 'balance_due']}
      to={(row) => addressWith('/billing/invoices/:invoice_number', row.invoice_id, row)}
      empty={t('No invoices yet.')}
    />
  );
}

function Payments() {
  const list = useAllRows('GET /billing/payments');
  return (
    <Rows
      list={list}
      label={t('Payments')}
      columns={['invoice_number', 'paid_at', 'method', 'reference', 'amount']}
      to={(row) => addressWith('/billing/invoices/:invoice_number', row.invoice_id, row)}
      empty={t('No payments yet.')}
    />
  );
}

function CreditNotes() {
  const list = useAllRows('GET /billing/credit-notes');
  return (
    <Rows
      list={list}
      label={t('Credit notes')}
      columns={['credit_note_number', 'invoice_number', 'issue_date', 'reason', 'total', 'open_amount']}
      to={(row) => `/billing/credit-notes/${String(row.credit_note_id)}`}
      empty={t('There are no credit notes.')}
    />
  );
}

function Statements() {
  const list = useAllRows('GET /billing/statements');
  const rows = list.rows.map((each: AnyRow) => ({
    ...each,
    amount_charged: each.charges,
    amount_paid: each.payments,
    balance: each.closing_balance,
  }));
  return (
    <Rows
      list={{ ...list, rows }}
      label={t('Statements')}
      columns={['statement_number', 'period_start', 'period_end', 'amount_charged', 'amount_paid', 'balance']}
      empty={t('No statements yet.')}
    />
  );
}

function Subscriptions() {
  const list = useAllRows('GET /billing/subscriptions');
  return (
    <Rows
      list={list}
      label={t('Subscriptions')}
      columns={['name', 'quantity', 'amount', 'billing_cycle', 'next_billing_date', 'status']}
      empty={t('No subscriptions.')}
    />
  );
}

function Proposals() {
  const list = useAllRows('GET /billing/proposals');
  return (
    <Rows
      list={list}
      label={t('Proposals')}
      columns={['proposal_number', 'title', 'status', 'total', 'valid_until']}
      to={(row) => `/billing/proposals/${String(row.proposal_id)}`}
      empty={t('No proposals.')}
    />
  );
}
