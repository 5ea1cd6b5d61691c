import { Card, date, minutes, useItem } from '@keelson/web';

/** Hours that a contract includes, used and left, for each of its latest periods. */
export default function ContractHours({ record }: { record: { contract_id: number } }) {
  const { data } = useItem('GET /billing/contract-hours.php?contract_id={id}', { id: record.contract_id });
  if (!data || data.length === 0) return null;
  return (
    <Card title="Included hours">
      <ul className="included-hours">
        {data.map(({ period_start, included_minutes, billed_minutes, open_minutes }) => {
          const used = billed_minutes + open_minutes;
          return (
            <li key={period_start}>
              <span>Since {date(period_start)}</span>
              <meter
                min={0}
                max={included_minutes}
                value={Math.min(used, included_minutes)}
                aria-label={`Used since ${date(period_start)}`}
              />
              <b>{minutes(Math.max(0, included_minutes - used))} left</b>
              <span className="tone-muted">
                {minutes(used)} of {minutes(included_minutes)} used
                {open_minutes > 0 && `, ${minutes(open_minutes)} of them not billed yet`}
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
