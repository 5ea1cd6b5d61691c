import { Card, date, minutes, useItem, t } from '@keelson/web';

/** Hours that a contract includes, used and remaining, for each of its latest periods. */
export default function ContractHours({ record }: { record: { contract_id: number } }) {
  const { data } = useItem('GET /billing/contract-hours.php?contract_id={id}', { id: record.contract_id });
  if (!data || data.length === 0) return null;
  return (
    <Card title={t('Included hours')}>
      <ul className="included-hours">
        {data.map(({ period_start, included_minutes, billed_minutes, open_minutes }) => {
          const used = billed_minutes + open_minutes;
          return (
            <li key={period_start}>
              <span>{t('Since {period_start}', { period_start: date(period_start) })}</span>
              <meter
                min={0}
                max={included_minutes}
                value={Math.min(used, included_minutes)}
                aria-label={t('Used since {period_start}', { period_start: date(period_start) })}
              />
              <b>{t('{left} left', { left: minutes(Math.max(0, included_minutes - used)) })}</b>
              <span className="tone-muted">
                {t('{used} of {included_minutes} used', {
                  used: minutes(used),
                  included_minutes: minutes(included_minutes),
                })}
                {open_minutes > 0 &&
                  t(', {open_minutes} of them not billed yet', { open_minutes: minutes(open_minutes) })}
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
