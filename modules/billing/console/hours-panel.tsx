import { Card, Link, minutes, useItem, t } from '@keelson/web';

/** Remaining hours included in a company's contracts. */
export default function Hours({ company }: { company: { company_number: number } }) {
  const { data } = useItem('GET /billing/included-hours.php?company_number={id}', { id: company.company_number });
  if (!data || data.length === 0) return null;
  return (
    <Card title={t('Included hours')}>
      <ul className="included-hours">
        {data.map((each) => (
          <li key={each.contract_id}>
            <Link href={`/contracts/${each.contract_id}`}>{each.name}</Link>
            <meter
              min={0}
              max={each.included_minutes}
              value={each.included_minutes - each.left_minutes}
              aria-label={t('Used of {name}', { name: each.name })}
            />
            <b>{t('{left_minutes} left', { left_minutes: minutes(each.left_minutes) })}</b>
            <span className="tone-muted">
              {t('of {included_minutes}', { included_minutes: minutes(each.included_minutes) })}
              {each.open_minutes > 0 &&
                t(', {open_minutes} not billed yet', { open_minutes: minutes(each.open_minutes) })}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
