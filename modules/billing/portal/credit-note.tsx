import {
  Card,
  Fact,
  Facts,
  hrefOf,
  Icon,
  Link,
  money,
  RecordPage,
  RecordPending,
  Time,
  useItem,
  t,
  percent,
} from '@keelson/web';
import { LineItems } from './lines.tsx';

const back = { to: '/billing', title: t('Back to billing') };

export default function CreditNotePage({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const { data, error, refetch } = useItem('GET /billing/credit-notes/{id}', { id });
  if (!data) return <RecordPending title={t('Credit note')} back={back} error={error} retry={() => void refetch()} />;
  const { currency } = data;
  return (
    <RecordPage
      title={data.credit_note_number}
      back={back}
      acts={
        <a className="button" href={hrefOf('GET /billing/credit-notes/{id}/pdf', { id })} download>
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
            <Fact name={t('For invoice')}>
              <Link href={`/billing/invoices/${data.invoice_number}`}>{data.invoice_number}</Link>
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
            {data.open_amount > 0 && <Fact name={t('Left')}>{money(data.open_amount, currency)}</Fact>}
          </Facts>
        </Card>
        <Card title={t('Lines')} flush>
          <LineItems lines={data.line_items} currency={currency} />
        </Card>
        <Card title={t('Used for')}>
          <ul>
            {data.uses.map((each, at) => (
              <li key={at}>
                <Time at={each.day} form="date" /> {money(each.amount, currency)}{' '}
                {each.kind === 'refund'
                  ? t('refunded')
                  : t('set against {invoice_number}', { invoice_number: each.invoice_number })}
              </li>
            ))}
          </ul>
          {data.uses.length === 0 && <p className="none">{t('Not used yet.')}</p>}
        </Card>
        <p className="text">{data.reason}</p>
      </div>
    </RecordPage>
  );
}
