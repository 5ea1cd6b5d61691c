// Ticket figures and saved reports of the portal.
import { Bones, Empty, Failed, Figure, Line, Lines, number, Sheet, Time, useItem, words, type Row } from '@keelson/web';

export default function Reports() {
  const { data, error, refetch } = useItem('GET /reports');
  const reports: readonly Row<'GET /reports'>[] = data?.reports ?? [];
  return (
    <Sheet title="Reports">
      <Metrics />
      <Limits />
      {error && <Failed error={error} retry={() => void refetch()} />}
      {!data && !error && <Bones rows={6} />}
      {reports.length > 0 && (
        <Lines title="Saved reports">
          {reports.map((each) => (
            <Line
              key={each.report_id}
              title={each.name}
              to={`/reports/${each.report_id}`}
              about={[
                words(each.source),
                each.shared ? `shared by ${each.created_by}` : each.created_by,
                each.last_run_at && (
                  <span key="at">
                    run <Time at={each.last_run_at} />
                  </span>
                ),
              ]}
            >
              {each.description && <p className="line-text">{each.description}</p>}
            </Line>
          ))}
        </Lines>
      )}
      {data && reports.length === 0 && (
        <Empty icon="chart" title="No reports yet. Reports you save or that are shared with you appear here." />
      )}
    </Sheet>
  );
}

/** Shown only once a report is scheduled. */
function Limits() {
  const { data } = useItem('GET /reports/limits');
  if (!data || data.scheduled === 0) return null;
  return (
    <p className="quiet">
      Your company’s scheduled reports have sent {number(data.mails_today)} of {number(data.mails_per_day)} mails today;{' '}
      {number(data.scheduled)} of the {number(data.most_scheduled)} you may schedule are yours.
    </p>
  );
}

function Metrics() {
  const { data } = useItem('GET /reports/metrics');
  if (!data) return null;
  return (
    <div className="figures">
      <Figure name="Open tickets">{number(data.open_tickets)}</Figure>
      <Figure name="Pressing">{number(data.high_priority)}</Figure>
      <Figure name="This week">{number(data.tickets_this_week)}</Figure>
      <Figure name="Done this month">{number(data.closed_this_month)}</Figure>
      <Figure name="Hours to resolve">{number(data.avg_resolution_hours)}</Figure>
      <Figure name="On time">{number(data.sla_compliance)} %</Figure>
    </div>
  );
}
