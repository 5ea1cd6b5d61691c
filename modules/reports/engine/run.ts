// Runs reports: returns rows or groups as a table that clients can draw without knowing the source (F-42).
import { invalid, perApp, type App, type Context } from '@keelson/core';
import { tooMany } from '@keelson/core/kit';
import { callerWording, labelsIn, type Wording } from '@keelson/core/plugin';
import { readerOf, type ReportSource } from '@keelson/core/record';
import { fairQueue, type FieldType, type ReportField } from '@keelson/core/system';
import { aggregatesOf, groupingOf, requireFields, type ReportQuery } from './definition.ts';
import { readGroups } from './groups.ts';
import { countRows, planReport, readRows, shownFields, type Deadline, type ReportRow } from './rows.ts';
import { requireSource } from './source.ts';

/** A column of a report’s table. */
export interface ReportColumn {
  readonly key: string;
  readonly label: string;
  readonly type: FieldType;
  /** What the numbers in it mean, in the caller's language. */
  readonly labels?: Readonly<Record<number, string>>;
}

/** The result of a run: the first rows, or all groups. */
export interface ReportResult {
  readonly columns: readonly ReportColumn[];
  readonly rows: readonly ReportRow[];
  /** The number of all rows, or of all groups. */
  readonly total: number;
  readonly truncated: boolean;
}

/** A requested report: what to read, and for whom. */
export interface ReportRequest {
  /** Maximum rows, if fewer than 1,000 of a run or 50,000 of a file. */
  readonly most?: number | undefined;
  readonly source: ReportSource;
  readonly query: ReportQuery;
  /** The caller's company, on a surface that has one. */
  readonly company: number | undefined;
}

/** Maximum rows of an interactive run. */
const MOST_ROWS = 1000;
/** Maximum rows of a file. */
const MOST_EXPORTED = 50_000;
const RUN: Deadline = { seconds: 15 };
const EXPORT: Deadline = { seconds: 60 };

const AT_ONCE = 2;
const WAITING = 4;
const WAITING_IN_ALL = 20;
const RETRY_SECONDS = 5;

const turns = perApp((_app: App) =>
  fairQueue({
    atOnce: AT_ONCE,
    waiting: WAITING,
    waitingInAll: WAITING_IN_ALL,
    full: () => tooMany(RETRY_SECONDS, 'Too many reports are running: try again in a moment'),
  }),
);

/** Runs `work` in a fair queue per company, or per caller without one. @throws tooMany() */
export function inReportTurn<R>(ctx: Context, company: number | undefined, work: () => Promise<R>): Promise<R> {
  const { author } = ctx;
  const owner = company === undefined ? `${author.type}:${author.id}` : `company:${company}`;
  return turns(ctx.app)(owner, work);
}

/**
 * Returns the first 1,000 rows of a report, or all its groups, and the total; fewer of them with `most`.
 * @throws forbidden() when the caller may not see the source or a field; invalid(); unavailable() when it takes too
 * long
 */
export function runReport(
  ctx: Context,
  { source, query, company, most = MOST_ROWS }: ReportRequest,
): Promise<ReportResult> {
  return inReportTurn(ctx, company, async () => {
    await requireReport(ctx, { source, query, company });
    const reading = { db: readerOf(ctx), plan: planReport(ctx, source, query) };
    const by = groupingOf(source, query.group_by);
    if (by) {
      const { rows, currency } = await readGroups(ctx, source, { ...reading, query, by }, RUN);
      const columns = await columnsOf(ctx, source, query, currency);
      return { columns, rows: rows.slice(0, most), total: rows.length, truncated: rows.length > most };
    }
    const columns = await columnsOf(ctx, source, query);
    const fields = shownFields(ctx, source, query);
    const rows: ReportRow[] = [];
    for await (const batch of readRows(ctx, source, { ...reading, fields }, RUN)) {
      rows.push(...batch.slice(0, most + 1 - rows.length));
      if (rows.length > most) break;
    }
    const truncated = rows.length > most;
    const total = truncated ? await countRows(ctx, reading, RUN) : rows.length;
    return { columns, rows: rows.slice(0, most), total, truncated };
  });
}

/** A whole report for a file; its rows are read as they are consumed. */
export interface WholeReport {
  readonly columns: readonly ReportColumn[];
  readonly rows: AsyncIterable<readonly ReportRow[]>;
}

/**
 * Returns all rows of a report, at most 50,000; files are never truncated.
 * @throws as runReport; invalid() for more rows
 */
export async function wholeReport(ctx: Context, request: ReportRequest): Promise<WholeReport> {
  const { source, query, most = MOST_EXPORTED } = request;
  await requireReport(ctx, request);
  const reading = { db: readerOf(ctx), plan: planReport(ctx, source, query) };
  const by = groupingOf(source, query.group_by);
  if (by) {
    const { rows, currency } = await readGroups(ctx, source, { ...reading, query, by }, EXPORT);
    return { columns: await columnsOf(ctx, source, query, currency), rows: inOneBatch(rows) };
  }
  const columns = await columnsOf(ctx, source, query);
  const total = await countRows(ctx, reading, EXPORT, most + 1);
  if (total > most) throw invalid(`The report has more than ${most} rows: narrow it down with filters`);
  return { columns, rows: readRows(ctx, source, { ...reading, fields: shownFields(ctx, source, query) }, EXPORT) };
}

async function requireReport(ctx: Context, { source, query, company }: ReportRequest): Promise<void> {
  await requireSource(ctx, source, company);
  requireFields(ctx, source, query);
}

async function* inOneBatch(rows: readonly ReportRow[]): AsyncGenerator<readonly ReportRow[]> {
  yield rows;
}

function columnOf({ name: key, label, type, labels }: ReportField, t: Wording['t']): ReportColumn {
  return { key, label: t(label), type, ...(labels && { labels: labelsIn(labels, t) }) };
}

/** Returns the columns with their headings in the caller's language. @param currency shown besides the figures of groups */
async function columnsOf(
  ctx: Context,
  source: ReportSource,
  query: ReportQuery,
  currency?: ReportField,
): Promise<ReportColumn[]> {
  const { t, language } = await callerWording(ctx);
  const by = groupingOf(source, query.group_by);
  if (!by) return shownFields(ctx, source, query).map((field) => columnOf(field, t));
  const figures = aggregatesOf(source, query).map(({ key, function: how, field: of }): ReportColumn => {
    if (how === 'count') return { key, label: t('Count'), type: 'number' };
    const name = t(of?.label ?? '');
    const field = language === 'en' ? name.toLowerCase() : name;
    const label = how === 'sum' ? t('Sum of {field}', { field }) : t('Average of {field}', { field });
    return { key, label, type: of?.type ?? 'number' };
  });
  const aggregates = currency ? [columnOf(currency, t), ...figures] : figures;
  const { key, field, period } = by;
  if (period === undefined || period === field.period) return [{ ...columnOf(field, t), key }, ...aggregates];
  const type = period === 'day' || period === 'week' ? 'date' : 'text';
  const name = t(field.label);
  const label = {
    day: () => t('{name} (day)', { name }),
    week: () => t('{name} (week)', { name }),
    month: () => t('{name} (month)', { name }),
    quarter: () => t('{name} (quarter)', { name }),
  }[period];
  return [{ key, label: label(), type }, ...aggregates];
}
