import { Card, Fact, Facts, hrefOf, Icon, Link, money, RecordPage, RecordPending, Time, useItem } from '@keelson/web';
import { LineItems } from './lines.tsx';

const back = { to: '/billing', title: 'Back to billing' };

export default function CreditNotePage({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const { data, error, refetch } = useItem('GET /billing/credit-notes/{id}', { id });
  if (!data) return <RecordPending title="Credit note" back={back} error={error} retry={() => void refetch()} />;
  const { currency } = data;
  return (
    <RecordPage
      title={data.credit_note_number}
      back={back}
      acts={
        <a className="button" href={hrefOf('GET /billing/credit-notes/{id}/pdf', { id })} download>
          <Icon name="download" /> PDF
        </a>
      }
    >
      <div className="bill">
        <Card>
          <Facts>
            <Fact name="Issued">
              <Time at={data.issue_date} />
            </Fact>
            <Fact name="For invoice">
              <Link href={`/billing/invoices/${data.invoice_number}`}>{data.invoice_number}</Link>
            </Fact>
            <Fact name="Subtotal">{money(data.subtotal, currency)}</Fact>
            {data.taxes
              .filter((each) => each.tax_rate > 0)
              .map((each) => (
                <Fact key={each.tax_rate} name={`Tax (${each.tax_rate} %)`}>
                  {money(each.tax, currency)}
                </Fact>
              ))}
            <Fact name="Total">
              <b>{money(data.total, currency)}</b>
            </Fact>
            {data.open_amount > 0 && <Fact name="Left">{money(data.open_amount, currency)}</Fact>}
          </Facts>
        </Card>
        <Card title="Lines" flush>
          <LineItems lines={data.line_items} currency={currency} />
        </Card>
        <Card title="Used for">
          <ul className="credit-uses">
            {data.uses.map((each, at) => (
              <li key={at}>
                <Time at={each.day} form="date" /> {money(each.amount, currency)}{' '}
                {each.kind === 'refund' ? 'refunded' : `set against ${each.invoice_number}`}
              </li>
            ))}
          </ul>
          {data.uses.length === 0 && <p className="none">Not used yet.</p>}
        </Card>
        <p className="text">{data.reason}</p>
      </div>
    </RecordPage>
  );
}
