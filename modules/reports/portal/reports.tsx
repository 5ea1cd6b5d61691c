// Ticket figures and saved reports of the portal.
import {
  Bones,
  Empty,
  Failed,
  Figure,
  Line,
  Lines,
  number,
  Sheet,
  Time,
  useItem,
  words,
  type Row,
  rich,
  t,
  percent,
} from '@keelson/web';

export default function Reports() {
  const { data, error, refetch } = useItem('GET /reports');
  const reports: readonly Row<'GET /reports'>[] = data?.reports ?? [];
  return (
    <Sheet title={t('Reports')}>
      <Metrics />
      <Limits />
      {error && <Failed error={error} retry={() => void refetch()} />}
      {!data && !error && <Bones rows={6} />}
      {reports.length > 0 && (
        <Lines title={t('Saved reports')}>
          {reports.map((each) => (
            <Line
              key={each.report_id}
              title={each.name}
              to={`/reports/${each.report_id}`}
              about={[
                words(each.source),
                each.shared ? t('shared by {created_by}', { created_by: each.created_by }) : each.created_by,
                each.last_run_at && (
                  <span key="at">{rich('run {last_run_at}', { last_run_at: <Time at={each.last_run_at} /> })}</span>
                ),
              ]}
            >
              {each.description && <p className="line-text">{each.description}</p>}
            </Line>
          ))}
        </Lines>
      )}
      {data && reports.length === 0 && (
        <Empty icon="chart" title={t('No reports yet. Reports you save or that are shared with you appear here.')} />
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
      {t(
        'Your company’s scheduled reports have sent {mails_today} of {mails_per_day} mails today; you have scheduled {scheduled} of at most {most_scheduled}.',
        {
          mails_today: number(data.mails_today),
          mails_per_day: number(data.mails_per_day),
          scheduled: number(data.scheduled),
          most_scheduled: number(data.most_scheduled),
        },
      )}
    </p>
  );
}

function Metrics() {
  const { data } = useItem('GET /reports/metrics');
  if (!data) return null;
  return (
    <div className="figures">
      <Figure name={t('Open tickets')}>{number(data.open_tickets)}</Figure>
      <Figure name={t('Pressing')}>{number(data.high_priority)}</Figure>
      <Figure name={t('This week')}>{number(data.tickets_this_week)}</Figure>
      <Figure name={t('Done this month')}>{number(data.closed_this_month)}</Figure>
      <Figure name={t('Hours to resolve')}>{number(data.avg_resolution_hours)}</Figure>
      <Figure name={t('On time')}>{percent(data.sla_compliance)}</Figure>
    </div>
  );
}
