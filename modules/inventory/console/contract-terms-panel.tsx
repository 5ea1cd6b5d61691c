// Timeline of a contract's term: its start, the last day for notice, its renewal and its end.
import { Card, Time, type Data, t } from '@keelson/web';

type Contract = Data<'GET /contracts.php?id={id}'>;

interface Step {
  readonly day: string;
  readonly name: string;
}

export default function ContractTerms({ record }: { record: Contract }) {
  const { start_date, end_date, renewal } = record;
  const { term_start, notice_by, notice_days, renewal_date, auto_renew } = renewal;
  const steps: Step[] = [{ day: start_date, name: t('Start', {}, 'noun') }];
  if (term_start) steps.push({ day: term_start, name: t('Renewed') });
  if (notice_by && notice_days > 0) steps.push({ day: notice_by, name: t('Last day for notice') });
  if (renewal_date) steps.push({ day: renewal_date, name: t('Renewal') });
  if (end_date) steps.push({ day: end_date, name: auto_renew ? t('End of the term, then it renews') : t('End') });
  const today = new Date().toLocaleDateString('sv');
  return (
    <Card title={t('Term')}>
      <ol className="contract-terms">
        {steps
          .toSorted((a, b) => (a.day < b.day ? -1 : 1))
          .map(({ day, name }) => (
            <li key={name} className={day <= today ? 'past' : undefined}>
              <b>{name}</b>
              <span className="tone-muted">
                <Time at={day} form="date" />
              </span>
            </li>
          ))}
      </ol>
      {!end_date && <p className="tone-muted">{t('Open-ended')}</p>}
    </Card>
  );
}
