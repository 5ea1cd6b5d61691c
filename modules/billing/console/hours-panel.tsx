import { Card, Link, minutes, useItem } from '@keelson/web';

/** Remaining hours included in a company's contracts. */
export default function Hours({ company }: { company: { company_number: number } }) {
  const { data } = useItem('GET /billing/included-hours.php?company_number={id}', { id: company.company_number });
  if (!data || data.length === 0) return null;
  return (
    <Card title="Included hours">
      <ul className="included-hours">
        {data.map((each) => (
          <li key={each.contract_id}>
            <Link href={`/contracts/${each.contract_id}`}>{each.name}</Link>
            <meter
              min={0}
              max={each.included_minutes}
              value={each.included_minutes - each.left_minutes}
              aria-label={`Used of ${each.name}`}
            />
            <b>{minutes(each.left_minutes)} left</b>
            <span className="tone-muted">
              of {minutes(each.included_minutes)}
              {each.open_minutes > 0 && `, ${minutes(each.open_minutes)} not billed yet`}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
