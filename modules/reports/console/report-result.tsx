// Result of a report, with a chart if it is grouped.
import {
  Card,
  Chart,
  date,
  monthName,
  number,
  plainText,
  ReportCell,
  SimpleTable,
  type Column,
  type Data,
  t,
  words,
} from '@keelson/web';

type Run = Pick<Data<'POST /reports.php?action=preview'>, 'columns' | 'rows' | 'total' | 'truncated'>;
type ReportRow = Readonly<Record<string, unknown>>;

const MOST_POINTS = 60;

/** Names a group in the chart as its row does. */
function pointName(column: Run['columns'][number], value: unknown): string {
  const { type, labels } = column;
  const text = plainText(value) || '–';
  const month = monthName(column, value);
  if (month) return month;
  if (type === 'date' && value) return date(text);
  return labels?.[Number(value)] ?? (type === 'choice' ? words(text) : text);
}

/** Returns the points of a chart; none for amounts in several currencies, which cannot be compared. */
function pointsOf([first, second]: Run['columns'], rows: readonly ReportRow[]) {
  if (!first || !second) return [];
  const { key } = first;
  const currencies = new Set(rows.map((row) => row.currency));
  if (currencies.size > 1 && second.type !== 'number') return [];
  const shown = key.includes(':')
    ? rows.toSorted((a, b) => (plainText(a[key]) < plainText(b[key]) ? -1 : 1)).slice(-MOST_POINTS)
    : rows.slice(0, MOST_POINTS);
  return shown.map((row) => ({ label: pointName(first, row[key]), value: Number(row[second.key]) }));
}

export function ReportResult({ run, grouped }: { run: Run; grouped: boolean }) {
  const columns = run.columns.map((column): Column<ReportRow> => ({
    key: column.key,
    title: t(column.label),
    width: '',
    cell: (row) => <ReportCell column={column} row={row} />,
  }));
  const rows = run.rows as readonly ReportRow[];
  const [first, second] = run.columns;
  const points = grouped ? pointsOf(run.columns, rows) : [];
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
