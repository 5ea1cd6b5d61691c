// Report page: definition, rows, a chart for time groups, and exports.
import {
  Bones,
  Button,
  Card,
  Chart,
  Fact,
  Facts,
  Failed,
  hrefOf,
  plainText,
  RecordPage,
  Section,
  SimpleTable,
  Time,
  useAnswer,
  useItem,
  words,
  Value,
  type Column,
  type Data,
} from '@keelson/web';

const READ = 'GET /reports.php?id={id}';
const RUN = 'POST /reports.php?action=run&id={id}';
type Run = Data<typeof RUN>;
type ReportRow = Readonly<Record<string, unknown>>;

const back = { to: '/reports', title: 'Back to reports' };
const formats = ['csv', 'xlsx', 'pdf'] as const;

export default function ReportPage({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const { data: report, error, refetch } = useItem(READ, { id });
  const limits = useItem('GET /reports/limits.php');
  const run = useAnswer(RUN, { id, body: {} }, { enabled: Boolean(report) });
  if (error || !report)
    return (
      <RecordPage title="Report" back={back}>
        {error ? <Failed error={error} retry={() => void refetch()} /> : <Bones />}
      </RecordPage>
    );
  return (
    <RecordPage
      title={report.name}
      back={back}
      acts={
        <>
          <Button icon="refresh" disabled={run.isFetching} onClick={() => void run.refetch()}>
            Run again
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
        <Section title="Report">
          <Facts>
            <Fact name="Source">{words(report.source)}</Fact>
            <Fact name="Grouped by">{report.group_by && words(String(report.group_by))}</Fact>
            <Fact name="Created by">{report.created_by}</Fact>
            <Fact name="Last run">{report.last_run_at && <Time at={report.last_run_at} />}</Fact>
            <Fact name="Next run">{report.next_run_at && <Time at={report.next_run_at} />}</Fact>
            <Fact name="Last error">{report.last_problem}</Fact>
            {report.schedule && (
              <Fact name="Report mails today">
                {limits.data && `${limits.data.mails_today} of ${limits.data.mails_per_day}`}
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
        <Result run={run.data as Run} grouped={Boolean(report.group_by)} />
      ) : (
        <Bones rows={10} />
      )}
    </RecordPage>
  );
}

function Result({ run, grouped }: { run: Run; grouped: boolean }) {
  const named = (
    run.columns as readonly (string | { key?: string; field?: string; name?: string; label?: string })[]
  ).map((each) =>
    typeof each === 'string'
      ? { key: each, title: words(each) }
      : { key: each.key ?? each.field ?? each.name ?? '', title: each.label ?? words(each.name ?? each.key ?? '') },
  );
  const columns = named.map(({ key, title }): Column<ReportRow> => ({
    key,
    title,
    width: '',
    cell: (row) => <Value name={key} value={row[key]} row={row} />,
  }));
  const rows = run.rows as readonly ReportRow[];
  const [first, second] = named;
  const points =
    grouped && first && second
      ? rows.slice(0, 60).map((row) => ({ label: plainText(row[first.key]) || '–', value: Number(row[second.key]) }))
      : [];
  return (
    <>
      {points.length > 1 && points.every(({ value }) => Number.isFinite(value)) && (
        <Card>
          <Chart title={second?.title ?? ''} points={points} />
        </Card>
      )}
      <Card title={`${run.total} rows${run.truncated ? ', only the first are shown' : ''}`} flush>
        <SimpleTable label="Rows" rows={rows} columns={columns} />
      </Card>
    </>
  );
}
