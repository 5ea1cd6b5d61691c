import { Failed, Figure, number, useItem } from '@keelson/web';

/** Key figures of the helpdesk, from counters. */
export default function Figures() {
  const { data, error, refetch } = useItem('GET /reports/metrics.php');
  if (error) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return <div className="figures" />;
  return (
    <div className="figures">
      <Figure name="Open tickets" to="/tickets">
        {number(data.open_tickets)}
      </Figure>
      <Figure name="High priority" to="/tickets?priority=2">
        {number(data.high_priority)}
      </Figure>
      <Figure name="Opened today">{number(data.tickets_today)}</Figure>
      <Figure name="Opened this week">{number(data.tickets_this_week)}</Figure>
      <Figure name="Hours to resolve">{data.avg_resolution_hours ?? '–'}</Figure>
      <Figure name="On time">{data.sla_compliance === null ? '–' : `${data.sla_compliance} %`}</Figure>
    </div>
  );
}
