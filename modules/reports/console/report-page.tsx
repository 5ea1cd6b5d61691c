// Report page: definition, rows, a chart for time groups, and exports.
import {
  Bones,
  Button,
  Fact,
  Facts,
  Failed,
  hrefOf,
  LinkButton,
  RecordPage,
  Section,
  Time,
  useAnswer,
  useItem,
  useMay,
  Value,
  words,
  type Data,
  t,
} from '@keelson/web';
import { ReportResult } from './report-result.tsx';

const READ = 'GET /reports.php?id={id}';
const RUN = 'POST /reports.php?action=run&id={id}';
type Run = Data<typeof RUN>;

const back = { to: '/reports', title: t('Back to reports') };
const formats = ['csv', 'xlsx', 'pdf'] as const;

export default function ReportPage({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const { data: report, error, refetch } = useItem(READ, { id });
  const limits = useItem('GET /reports/limits.php');
  const may = useMay();
  const run = useAnswer(RUN, { id, body: {} }, { enabled: Boolean(report) });
  if (error || !report)
    return (
      <RecordPage title={t('Report')} back={back}>
        {error ? <Failed error={error} retry={() => void refetch()} /> : <Bones />}
      </RecordPage>
    );
  return (
    <RecordPage
      title={report.name}
      back={back}
      acts={
        <>
          {may('reports:write') && (
            <LinkButton icon="edit" to={`/reports/${id}/edit`}>
              {t('Edit')}
            </LinkButton>
          )}
          <Button icon="refresh" disabled={run.isFetching} onClick={() => void run.refetch()}>
            {t('Run again')}
          </Button>
          {formats.map((format) => (
            <a
              key={format}
              className="button plain"
              href={hrefOf('GET /reports.php?action=export&id={id}', { id, format })}
            >
              {format.toUpperCase()}
            </a>
          ))}
        </>
      }
      side={
        <Section title={t('Report')}>
          <Facts>
            <Fact name={t('Source')}>{words(report.source)}</Fact>
            <Fact name={t('Grouped by')}>{report.group_by && (run.data as Run | undefined)?.columns[0]?.label}</Fact>
            <Fact name={t('Created by')}>{report.created_by}</Fact>
            <Fact name={t('Last run')}>{report.last_run_at && <Time at={report.last_run_at} />}</Fact>
            <Fact name={t('Next run')}>{report.next_run_at && <Time at={report.next_run_at} />}</Fact>
            <Fact name={t('Last error')}>{report.last_problem}</Fact>
            {report.schedule && (
              <Fact name={t('Emailed')}>
                <Value name="cron" value={report.schedule.cron} row={report.schedule} />
              </Fact>
            )}
            {report.schedule && (
              <Fact name={t('Report mails today')}>
                {limits.data &&
                  t('{mails_today} of {mails_per_day}', {
                    mails_today: limits.data.mails_today,
                    mails_per_day: limits.data.mails_per_day,
                  })}
              </Fact>
            )}
          </Facts>
        </Section>
      }
    >
      {report.description && <p className="text">{report.description}</p>}
      {run.error ? (
        <Failed error={run.error} retry={() => void run.refetch()} />
      ) : run.data ? (
        <ReportResult run={run.data as Run} grouped={Boolean(report.group_by)} />
      ) : (
        <Bones rows={10} />
      )}
    </RecordPage>
  );
}
