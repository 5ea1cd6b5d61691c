// Result of a report, with a chart if it is grouped.
import { Card, Chart, number, plainText, SimpleTable, Value, type Column, type Data, t, words } from '@keelson/web';

type Run = Pick<Data<'POST /reports.php?action=preview'>, 'columns' | 'rows' | 'total' | 'truncated'>;
type ReportRow = Readonly<Record<string, unknown>>;

const MOST_POINTS = 60;

/** Names a group in the chart as its row does. */
function pointName({ type, labels }: Run['columns'][number], value: unknown): string {
  const text = plainText(value) || '–';
  return labels?.[Number(value)] ?? (type === 'choice' ? words(text) : text);
}

export function ReportResult({ run, grouped }: { run: Run; grouped: boolean }) {
  const columns = run.columns.map(({ key, label, labels }): Column<ReportRow> => ({
    key,
    title: t(label),
    width: '',
    cell: (row) => labels?.[Number(row[key])] ?? <Value name={key} value={row[key]} row={row} />,
  }));
  const rows = run.rows as readonly ReportRow[];
  const [first, second] = run.columns;
  const points =
    grouped && first && second
      ? rows
          .slice(0, MOST_POINTS)
          .map((row) => ({ label: pointName(first, row[first.key]), value: Number(row[second.key]) }))
      : [];
  const total = t('{count, plural, one {# row} other {# rows}}', { count: run.total });
  return (
    <>
      {points.length > 1 && points.every(({ value }) => Number.isFinite(value)) && (
        <Card>
          <Chart title={t(second?.label ?? '')} points={points} kind={first?.key.includes(':') ? 'line' : 'bar'} />
        </Card>
      )}
      <Card
        title={
          rows.length < run.total ? t('{total}, the first {count} shown', { total, count: number(rows.length) }) : total
        }
        flush
      >
        <SimpleTable label={t('Rows')} rows={rows} columns={columns} empty={t('Nothing matches')} />
      </Card>
    </>
  );
}
