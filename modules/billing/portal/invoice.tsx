import {
  Badge,
  Card,
  columnsOf,
  Fact,
  Facts,
  hrefOf,
  Icon,
  money,
  RecordPage,
  RecordPending,
  SimpleTable,
  Time,
  toneOf,
  useItem,
  words,
  type FieldInfo,
  t,
  percent,
} from '@keelson/web';
import { LineItems } from './lines.tsx';

/** Marks fields whose values are displayed as words. */
const word: FieldInfo = { type: 'string', enum: [] };
const fields = { method: word };

const back = { to: '/billing', title: t('Back to billing') };

export default function InvoicePage({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const { data, error, refetch } = useItem('GET /billing/invoices/{id}', { id });
  if (!data) return <RecordPending title={t('Invoice')} back={back} error={error} retry={() => void refetch()} />;
  const { currency } = data;
  return (
    <RecordPage
      title={data.invoice_number}
      back={back}
      badge={<Badge tone={toneOf(data.status)}>{words(data.status)}</Badge>}
      acts={
        <a className="button" href={hrefOf('GET /billing/invoices/{id}/pdf', { id })} download>
          <Icon name="download" /> {t('PDF')}
        </a>
      }
    >
      <div className="bill">
        <Card>
          <Facts>
            <Fact name={t('Issued')}>
              <Time at={data.issue_date} />
            </Fact>
            <Fact name={t('Due')}>
              <Time at={data.due_date} />
            </Fact>
            <Fact name={t('Subtotal')}>{money(data.subtotal, currency)}</Fact>
            {data.taxes
              .filter((each) => each.tax_rate > 0)
              .map((each) => (
                <Fact key={each.tax_rate} name={t('Tax ({rate})', { rate: percent(each.tax_rate) })}>
                  {money(each.tax, currency)}
                </Fact>
              ))}
            <Fact name={t('Total')}>
              <b>{money(data.total, currency)}</b>
            </Fact>
            <Fact name={t('Paid')}>{money(data.amount_paid, currency)}</Fact>
            {data.amount_credited > 0 && <Fact name={t('Credited')}>{money(data.amount_credited, currency)}</Fact>}
            <Fact name={t('Balance due')}>
              <b>{money(data.balance_due, currency)}</b>
            </Fact>
          </Facts>
        </Card>
        <Card title={t('Lines')} flush>
          <LineItems lines={data.line_items} currency={currency} />
        </Card>
        {data.payments.length > 0 && (
          <Card title={t('Payments')} flush>
            <SimpleTable
              label={t('Payments')}
              rows={data.payments as readonly Readonly<Record<string, unknown>>[]}
              columns={columnsOf(['paid_at', 'method', 'reference', 'amount'], fields)}
            />
          </Card>
        )}
        {data.credits.length > 0 && (
          <Card title={t('Credits')} flush>
            <SimpleTable
              label={t('Credits')}
              rows={data.credits.map((each) => ({ ...each, currency })) as readonly Readonly<Record<string, unknown>>[]}
              columns={columnsOf(['credit_note_number', 'day', 'amount'], fields)}
              to={(row) => `/billing/credit-notes/${String(row.credit_note_id)}`}
            />
          </Card>
        )}
        {data.notes && <p className="text">{data.notes}</p>}
      </div>
    </RecordPage>
  );
}
