// Subscription page: terms, the next invoice, and what was billed so far.
import {
  Badge,
  Bones,
  Button,
  Card,
  confirm,
  Dialog,
  Fact,
  Facts,
  Form,
  Link,
  money,
  number,
  RecordPage,
  RecordPending,
  SimpleTable,
  TextField,
  texts,
  Time,
  toast,
  toneOf,
  unitPrice,
  useChange,
  useItem,
  useMay,
  useSession,
  words,
  type Column,
  type Data,
  rich,
  t,
  percent,
} from '@keelson/web';
import { useState } from 'react';
import { decimalText } from './decimals.tsx';
import { amountColumn, priceColumn, quantityColumn, taxColumn } from './line-columns.tsx';
import { Totals } from './totals.tsx';

const READ = 'GET /billing/subscriptions.php?id={id}';
const NEXT = 'GET /billing/subscriptions.php?action=next&id={id}';
const PERIODS = 'GET /billing/subscriptions.php?action=periods&id={id}';
type Subscription = Data<typeof READ>;
type NextLine = Data<typeof NEXT>['line_items'][number];
type Period = Data<typeof PERIODS>[number];

const back = { to: '/subscriptions', title: t('Back to the subscriptions') };
const touches = ['/billing'];

export default function SubscriptionPage({ params }: { params: { id: string } }) {
  const { data, error, refetch } = useItem(READ, { id: Number(params.id) });
  if (error || !data)
    return <RecordPending title={t('Subscription')} back={back} error={error} retry={() => void refetch()} />;
  return <Shown subscription={data} />;
}

function Shown({ subscription }: { subscription: Subscription }) {
  const { subscription_id: id, name, status } = subscription;
  const { person } = useSession();
  const writes = useMay()('billing:write') && person.role === 'administrator';
  const [changing, setChanging] = useState(false);
  const change = useChange('PUT /billing/subscriptions.php?id={id}', { touches });
  const live = status === 'active' || status === 'paused';
  const moveTo = async (to: 'active' | 'paused' | 'cancelled') => {
    if (await confirm({ ...questionsOn(name)[to], danger: to === 'cancelled' }))
      change.mutate({ id, body: { status: to } });
  };
  return (
    <RecordPage
      title={name}
      back={back}
      badge={<Badge tone={toneOf(status, 'subscription')}>{words(status)}</Badge>}
      acts={
        writes &&
        live && (
          <>
            <Button onClick={() => void moveTo('cancelled')}>{t('Cancel subscription')}</Button>
            {status === 'active' ? (
              <Button icon="pause" onClick={() => void moveTo('paused')}>
                {t('Pause')}
              </Button>
            ) : (
              <Button icon="play" look="primary" onClick={() => void moveTo('active')}>
                {t('Resume')}
              </Button>
            )}
            <Button icon="edit" onClick={() => setChanging(true)}>
              {t('Change')}
            </Button>
          </>
        )
      }
    >
      <div className="invoice-paper">
        <Terms subscription={subscription} />
        <Next subscription={subscription} />
        <History subscription={subscription} />
      </div>
      {changing && <ChangeTerms subscription={subscription} onClose={() => setChanging(false)} />}
    </RecordPage>
  );
}

const questionsOn = (name: string) => ({
  active: {
    title: t('Resume {name}?', { name }),
    act: t('Resume'),
    text: t('Billing continues with the next period. Periods that began while it was paused are not billed.'),
  },
  paused: {
    title: t('Pause {name}?', { name }),
    act: t('Pause'),
    text: t('Periods that begin while it is paused are not billed. Existing invoices stay as they are.'),
  },
  cancelled: {
    title: t('Cancel {name}?', { name }),
    act: t('Cancel subscription'),
    text: t('It ends after the last billed period. No credit is issued.'),
  },
});

function Terms({ subscription }: { subscription: Subscription }) {
  const { company_number, company_name, quantity, currency, unit_price, amount, tax_rate, end_date } = subscription;
  const { next_price, next_price_from, next_billing_date } = subscription;
  return (
    <div className="invoice-head">
      <Facts>
        <Fact name={t('Company')}>
          <Link href={`/companies/${company_number}`}>{company_name}</Link>
        </Fact>
        <Fact name={t('Price')}>
          {number(quantity)} × {unitPrice(unit_price, currency)} = {money(amount, currency)}
        </Fact>
        <Fact name={t('Next price')}>
          {next_price !== null && next_price_from && (
            <>
              {rich('{next_price} from {time}', {
                next_price: unitPrice(next_price, currency),
                time: <Time at={next_price_from} form="date" />,
              })}
            </>
          )}
        </Fact>
        <Fact name={t('Tax')}>{tax_rate === null ? t('Default rate') : percent(tax_rate)}</Fact>
        <Fact name={t('Billed')}>
          {t('{billing_cycle}, in advance', { billing_cycle: words(subscription.billing_cycle) })}
        </Fact>
        <Fact name={t('Starts')}>
          <Time at={subscription.start_date} form="date" />
        </Fact>
        <Fact name={t('Ends')}>{end_date ? <Time at={end_date} form="date" /> : t('Open-ended')}</Fact>
      </Facts>
      {next_billing_date && (
        <p className="to-be-paid">
          <small>{t('Next billing')}</small>
          <b>
            <Time at={next_billing_date} form="date" />
          </b>
        </p>
      )}
    </div>
  );
}

const nextColumns = (currency: string): readonly Column<NextLine>[] => [
  { key: 'description', title: t('Description'), width: '', cell: (each) => each.description },
  quantityColumn,
  priceColumn(currency),
  taxColumn,
  amountColumn(currency),
];

function Next({ subscription: { subscription_id: id } }: { subscription: Subscription }) {
  const { data } = useItem(NEXT, { id });
  if (!data) return <Bones />;
  const { date, currency, line_items, subtotal, taxes, total } = data;
  if (!date) return null;
  const due = taxes.filter((each) => each.tax_rate > 0).map((each) => ({ rate: each.tax_rate, tax: each.tax }));
  return (
    <>
      <Card title={t('Next invoice')} flush>
        <SimpleTable label={t('Next invoice')} rows={line_items} columns={nextColumns(currency)} />
      </Card>
      <Totals sums={{ subtotal, taxes: due, total }} currency={currency} />
      <p className="tone-muted">
        {rich('Invoiced on {time}, together with the company’s other charges due that day.', {
          time: <Time at={date} form="date" />,
        })}
      </p>
    </>
  );
}

const periodColumns = (currency: string): readonly Column<Period>[] => [
  { key: 'invoice', title: t('Invoice'), width: '', cell: (each) => each.invoice_number },
  {
    key: 'period',
    title: t('Period'),
    width: '',
    cell: (each) => (
      <>
        {rich('{time} to {time2}', {
          time: <Time at={each.period_start} form="date" />,
          time2: <Time at={each.period_end} form="date" />,
        })}
      </>
    ),
  },
  quantityColumn,
  priceColumn(currency),
  amountColumn(currency),
  {
    key: 'status',
    title: t('Status'),
    width: '',
    cell: (each) => <Badge tone={toneOf(each.invoice_status, 'invoice')}>{words(each.invoice_status)}</Badge>,
  },
];

function History({ subscription: { subscription_id: id, currency } }: { subscription: Subscription }) {
  const { data } = useItem(PERIODS, { id });
  if (!data) return <Bones />;
  return (
    <Card title={t('Billing history')} flush>
      <SimpleTable
        label={t('Billing history')}
        rows={data}
        columns={periodColumns(currency)}
        to={(each) => `/invoices/${each.invoice_number}`}
        empty={t('Not billed yet')}
      />
    </Card>
  );
}

const numberIn = (text: string): number => Number(text.replace(',', '.'));

function ChangeTerms({ subscription, onClose }: { subscription: Subscription; onClose: () => void }) {
  // What a colleague saves meanwhile does not change the form.
  const [shown] = useState(subscription);
  const { subscription_id: id, quantity, unit_price, next_price, next_price_from, tax_rate, end_date } = shown;
  const change = useChange('PUT /billing/subscriptions.php?id={id}', {
    quiet: true,
    touches,
    done: () => {
      toast(t('Saved'));
      onClose();
    },
  });
  const price = next_price ?? unit_price;
  const submit = (given: FormData, opened: FormData) => {
    const names = ['quantity', 'unit_price', 'price_from', 'tax_rate', 'end_date'] as const;
    const [wanted, before] = [texts(given, ...names), texts(opened, ...names)];
    // What was not edited is left out, because somebody else may have changed it meanwhile.
    const edited = names.filter((name) => wanted[name] !== before[name]);
    if (edited.length === 0) return onClose();
    const priced = edited.includes('unit_price') || edited.includes('price_from');
    change.mutate({
      id,
      body: {
        ...(edited.includes('quantity') && { quantity: numberIn(wanted.quantity) }),
        ...(priced && { unit_price: numberIn(wanted.unit_price) }),
        ...(priced && wanted.price_from && { price_from: wanted.price_from }),
        ...(edited.includes('tax_rate') && { tax_rate: wanted.tax_rate === '' ? null : numberIn(wanted.tax_rate) }),
        ...(edited.includes('end_date') && { end_date: wanted.end_date || null }),
      },
    });
  };
  return (
    <Dialog title={t('Change {name}', { name: subscription.name })} open onClose={onClose}>
      <Form submit={t('Save')} busy={change.isPending} error={change.error} onCancel={onClose} onSubmit={submit}>
        <TextField
          name="quantity"
          label={t('Quantity')}
          required
          value={decimalText(String(quantity))}
          hint={t('Applies from the next period. The current period stays as it is.')}
        />
        <div className="trio">
          <TextField name="unit_price" label={t('Unit price')} required value={decimalText(String(price))} />
          <TextField
            name="price_from"
            label={t('Price from')}
            type="date"
            value={next_price_from ?? ''}
            hint={t('Leave empty to apply from the next period.')}
          />
        </div>
        <TextField
          name="tax_rate"
          label={t('Tax %')}
          value={tax_rate === null ? '' : decimalText(String(tax_rate))}
          hint={t('Leave empty for the default rate.')}
        />
        <TextField
          name="end_date"
          label={t('Ends')}
          type="date"
          value={end_date ?? ''}
          hint={t('The last day on which a period can begin. Leave empty for no end date.')}
        />
      </Form>
    </Dialog>
  );
}
