import { Failed, Figure, number, useItem, t, percent } from '@keelson/web';

/** Key figures of the helpdesk, from counters. */
export default function Figures() {
  const { data, error, refetch } = useItem('GET /reports/metrics.php');
  if (error) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return <div className="figures" />;
  return (
    <div className="figures">
      <Figure name={t('Open tickets')} to="/tickets">
        {number(data.open_tickets)}
      </Figure>
      <Figure name={t('High priority')} to="/tickets?priority=2">
        {number(data.high_priority)}
      </Figure>
      <Figure name={t('Opened today')}>{number(data.tickets_today)}</Figure>
      <Figure name={t('Opened this week')}>{number(data.tickets_this_week)}</Figure>
      <Figure name={t('Hours to resolve')}>
        {data.avg_resolution_hours === null ? '–' : number(data.avg_resolution_hours)}
      </Figure>
      <Figure name={t('On time')}>{data.sla_compliance === null ? '–' : percent(data.sla_compliance)}</Figure>
    </div>
  );
}
