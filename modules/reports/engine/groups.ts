// Grouped reports: counts the rows per value of a field and aggregates their numbers.
import { fromMinor, invalid, normalised, sql, type Context, type Sql } from '@keelson/core';
import { joined, name } from '@keelson/core/database';
import { decimalsOf } from '@keelson/core/kit';
import { readCounts } from '@keelson/core/list';
import { readCurrency } from '@keelson/core/plugin';
import type { ReportSource } from '@keelson/core/record';
import { lookupMembers, readLookups, walk, type ReportField } from '@keelson/core/system';
import { aggregatesOf, currencyOf, type AggregateColumn, type Grouping, type ReportQuery } from './definition.ts';
import { coarse, periodIn } from './period.ts';
import { timed, type Deadline, type Reading, type ReportRow, type StoredRow } from './rows.ts';

const MOST_GROUPS = 1000;

interface Group {
  /** The stored value. */
  readonly value: unknown;
  /** The currency of its amounts, if rows have their own. */
  readonly currency?: unknown;
  rows: number;
  /** For each aggregate, the sum and the number of values. */
  readonly sums: { sum: number; values: number }[];
}

/** The rows of a grouped report. */
export interface Groups {
  readonly rows: readonly ReportRow[];
  /** The field with the currency of each row, if amounts are in several. */
  readonly currency: ReportField | undefined;
}

/**
 * Returns the groups in the requested order, or periods in order of time and other groups largest first; a group with
 * amounts in several currencies is one row for each.
 * @throws invalid() for more than 1,000 groups
 */
export async function readGroups(
  ctx: Context,
  source: ReportSource,
  { db, plan, query, by }: Reading & { readonly query: ReportQuery; readonly by: Grouping },
  deadline: Deadline,
): Promise<Groups> {
  const { key, field, period } = by;
  const aggregates = aggregatesOf(source, query);
  const amounts = currencyOf(
    source,
    aggregates.map((each) => each.field),
  );
  const currency = amounts === field ? undefined : amounts;
  const home = await readCurrency(ctx);
  const counted = period === undefined ? await countedGroups({ db, plan }, field, aggregates) : undefined;
  const groups = counted ?? (await walkedGroups(ctx, { db, plan }, { source, by, aggregates, currency }, deadline));
  const ids = field.names ? groups.flatMap(({ value }) => (value === null ? [] : [Number(value)])) : [];
  const names = field.names ? await ctx.app.names.get(ctx.db, field.names, ids) : undefined;
  const rows = groups.map((group): ReportRow => ({
    [key]: names ? (names.get(Number(group.value)) ?? field.member.none ?? null) : shown(by, group.value),
    ...(currency && { currency: group.currency }),
    ...Object.fromEntries(
      aggregates.map((each, i) => [
        each.key,
        aggregateOf(each, group, { i, currency: amounts === field ? group.value : group.currency, home }),
      ]),
    ),
  }));
  const sort: ReportQuery['sort'] = period
    ? [{ field: key, order: 'asc' }]
    : [{ field: aggregates[0]?.key ?? '', order: 'desc' }];
  return {
    rows: inOrder(rows, query.sort.length > 0 ? query.sort : sort),
    currency: new Set(groups.map((each) => each.currency)).size > 1 ? currency : undefined,
  };
}

function shown({ field, period }: Grouping, value: unknown): unknown {
  return value === null || period !== undefined ? value : field.writeStored(value);
}

/** Reads the groups from a counter, at a cost independent of the number of rows. */
async function countedGroups(
  { db, plan: { query } }: Reading,
  { column = '' }: ReportField,
  aggregates: readonly AggregateColumn[],
): Promise<Group[] | undefined> {
  const { counted, known, pieces, list } = query;
  if (aggregates.some((each) => each.function !== 'count') || pieces.length > 0) return undefined;
  // Counters omit rows with null in a dimension.
  const isWhole = (each: string) => list.table.columns[each]?.options.nullable !== true;
  const counter = list.counters?.find(
    ({ dimensions, sum }) =>
      sum === undefined &&
      [...known.keys(), column].every((each) => dimensions.includes(each)) &&
      dimensions.every(isWhole),
  );
  if (!counter || (known.size > 0 && !counted)) return undefined;
  const counts = await readCounts(db, counter, column, counted ?? {});
  const isText = !['id', 'int', 'big', 'flag'].includes(list.table.columns[column]?.options.kind ?? '');
  return [...counts].map(([value, rows]) => ({
    value: isText ? value : Number(value),
    rows,
    sums: aggregates.map(() => ({ sum: 0, values: 0 })),
  }));
}

interface Walked {
  readonly source: ReportSource;
  readonly by: Grouping;
  readonly aggregates: readonly AggregateColumn[];
  readonly currency: ReportField | undefined;
}

async function walkedGroups(
  ctx: Context,
  { db, plan }: Reading,
  { source, by: { field, period }, aggregates, currency }: Walked,
  deadline: Deadline,
): Promise<Group[]> {
  const stored = name(`${field.table}.${field.column}`);
  const column = period === undefined ? stored : coarse(ctx, field, stored);
  // A currency that is looked up, such as that of a period's subscription, is the same for all rows with the id.
  const money = currency && name(`${currency.table}.${currency.column ?? currency.member.columns[0]}`);
  const select = joined(
    [
      sql`${column} AS grouped`,
      ...(money ? [sql`${money} AS currency`] : []),
      sql`COUNT(*) AS n`,
      ...aggregates.flatMap(selected),
    ],
    ', ',
  );
  const groupBy = money ? joined([column, money], ', ') : column;
  const timer = timed(ctx, deadline);
  const groups = new Map<unknown, Group>();
  for await (const piece of walk(db, plan, { select, groupBy })) {
    timer();
    const currencyOfRow = await currencyReader(ctx, source, currency, piece);
    for (const row of piece) {
      const part = row['grouped'];
      const value = period !== undefined && typeof part === 'string' ? periodIn(ctx, field, period, part) : part;
      // Group texts as both databases compare them: case-insensitively.
      const own = typeof value === 'string' ? normalised(value) : value;
      const its = currencyOfRow(row);
      const key = money ? JSON.stringify([own, its]) : own;
      const group = groups.get(key) ?? {
        value,
        currency: its,
        rows: 0,
        sums: aggregates.map(() => ({ sum: 0, values: 0 })),
      };
      groups.set(key, group);
      group.rows += Number(row['n']);
      group.sums.forEach((each, i) => {
        each.sum += Number(row[`sum${i}`] ?? 0);
        each.values += Number(row[`values${i}`] ?? 0);
      });
    }
    if (groups.size > MOST_GROUPS) throw invalid(`group_by produces more than ${MOST_GROUPS} groups: add a filter`);
  }
  return [...groups.values()];
}

/** Returns the reader of the currency of grouped rows; looks up the currencies that are not stored in the rows. */
async function currencyReader(
  ctx: Context,
  source: ReportSource,
  currency: ReportField | undefined,
  rows: readonly StoredRow[],
): Promise<(row: StoredRow) => unknown> {
  const stored = (row: StoredRow) => row['currency'];
  if (!currency || currency.column !== undefined) return stored;
  const lookups = lookupMembers({ currency: currency.member });
  const [{ column } = { column: '' }] = lookups;
  const ids = rows.map((row) => ({ [column]: Number(stored(row)) }));
  const [found] = await readLookups(ctx, { lookups, of: source.view.of }, ids);
  return (row) => found?.get(Number(stored(row))) ?? currency.member.none;
}

function selected({ field }: AggregateColumn, i: number): Sql[] {
  if (!field) return [];
  const column = name(`${field.table}.${field.column}`);
  return [sql`SUM(${column}) AS ${name(`sum${i}`)}`, sql`COUNT(${column}) AS ${name(`values${i}`)}`];
}

function aggregateOf(
  { function: how, field }: AggregateColumn,
  { rows, sums }: Group,
  { i, currency, home }: { readonly i: number; readonly currency: unknown; readonly home: string },
): number | null {
  if (how === 'count') return rows;
  const { sum = 0, values = 0 } = sums[i] ?? {};
  if (how === 'average' && values === 0) return null;
  const value = how === 'sum' ? sum : sum / values;
  if (field?.type !== 'money') return Math.round(value * 100) / 100;
  if (how === 'sum') return fromMinor(value);
  const units = 10 ** Math.max(2, decimalsOf(typeof currency === 'string' && currency !== '' ? currency : home));
  return Math.round(fromMinor(value) * units) / units;
}

function inOrder(rows: readonly ReportRow[], sort: ReportQuery['sort']): ReportRow[] {
  return rows.toSorted((a, b) => {
    for (const { field, order } of sort) {
      const way = compared(a[field], b[field]);
      if (way !== 0) return order === 'asc' ? way : -way;
    }
    return 0;
  });
}

/** Null sorts before everything, as in both databases. */
function compared(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === null || a === undefined) return -1;
  if (b === null || b === undefined) return 1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return textOf(a).localeCompare(textOf(b), 'en');
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
