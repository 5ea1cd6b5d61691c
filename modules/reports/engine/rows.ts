// Reads the rows of a report: those that the source's view shows to the caller, with the requested members.
import { invalid, sql, type Context, type Problem, type Table } from '@keelson/core';
import { joined, name, type Db } from '@keelson/core/database';
import { unavailable } from '@keelson/core/kit';
import { defineList } from '@keelson/core/list';
import type { ReportSource } from '@keelson/core/record';
import {
  lookupMembers,
  planWalk,
  readLookups,
  readTotal,
  rowReader,
  walk,
  type ReportField,
  type WalkPlan,
} from '@keelson/core/system';
import { conditionOf } from './condition.ts';
import { currencyOf, type ReportQuery } from './definition.ts';
import { fieldsFor } from './source.ts';

/** A row of a result, by column. */
export type ReportRow = Readonly<Record<string, unknown>>;
/** A row as the database returns it. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** Maximum time to read a report, in seconds. */
export interface Deadline {
  readonly seconds: number;
}

/** Maximum rows per piece of a report, which are in memory together. */
const ROWS = 500;

/** Plans the walk over the rows of a report. @throws invalid() for a filter that no longer fits */
export function planReport(ctx: Context, source: ReportSource, query: ReportQuery): WalkPlan {
  const filters = query.filters.map((each, i) => {
    const field = source.fields.get(each.field);
    if (!field) throw invalid(`filters[${i}].field must be a field of ${source.name}`);
    return conditionOf(ctx, field, each, `filters[${i}]`);
  });
  const { list, visible, of } = source.view;
  const [sort] = query.group_by === null ? query.sort : [];
  return planWalk(list, {
    where: [...visible(ctx), ...filters],
    sort: sort && source.fields.get(sort.field)?.sort,
    direction: sort?.order ?? of.order,
  });
}

/** Returns the fields to show: the requested ones, or all, without those that the caller may not see. */
export function shownFields(ctx: Context, source: ReportSource, { fields }: ReportQuery): readonly ReportField[] {
  const open = fieldsFor(ctx, source);
  if (fields.length === 0) return open;
  const asked = [...new Set(fields)];
  return asked.flatMap((each) => open.find((field) => field.name === each) ?? []);
}

/** What to read of a report, and where: `readerOf(ctx)`. */
export interface Reading {
  readonly db: Db;
  readonly plan: WalkPlan;
}

/**
 * Yields all rows of a report in batches, in response form; rows with amounts have their currency.
 * @throws unavailable() when it takes too long
 */
export async function* readRows(
  ctx: Context,
  source: ReportSource,
  { db, plan, fields: shown }: Reading & { readonly fields: readonly ReportField[] },
  deadline: Deadline,
): AsyncGenerator<ReportRow[]> {
  const currency = currencyOf(source, shown);
  const fields = currency ? [...new Set([...shown, currency])] : shown;
  const { table } = source.view.of;
  const members = Object.fromEntries(fields.map((each) => [each.name, each.member]));
  const columns = [...new Set([table.primary, ...Object.values(members).flatMap((each) => each.columns)])];
  const list = defineList<Table, string>({ table, columns, sorts: {} });
  const reader = rowReader(list);
  const lookups = lookupMembers(members);
  const readers = fields.map((each) => fieldReader(each, lookups));
  const select = joined(
    columns.map((each) => name(`${table.name}.${each}`)),
    ', ',
  );
  const timer = timed(ctx, deadline);
  for await (const piece of walk(db, plan, { select, inOrder: true, most: ROWS })) {
    timer();
    if (piece.length === 0) continue;
    const rows = piece.map(reader);
    const found = await readLookups(ctx, { lookups, of: source.view.of }, rows);
    yield rows.map((row) => Object.fromEntries(readers.map(({ key, read }) => [key, read(row, found)])));
  }
}

type Found = Awaited<ReturnType<typeof readLookups>>;

/** Creates the reader of a field's value, from a row and the records looked up for it. */
function fieldReader({ name: key, member, write }: ReportField, lookups: ReturnType<typeof lookupMembers>) {
  const at = lookups.findIndex((each) => each.key === key);
  const {
    work,
    columns: [column = ''],
    none,
  } = member;
  const value = (row: StoredRow, found: Found): unknown => {
    if (at < 0) return work ? work(row) : row[column];
    const id = row[column];
    return typeof id === 'number' ? (found[at]?.get(id) ?? none) : none;
  };
  return {
    key,
    read: (row: StoredRow, found: Found) => write(value(row, found)),
  };
}

/**
 * Returns the exact number of rows up to `most`, from counters where possible.
 * @throws unavailable() when it takes too long
 */
export async function countRows(
  ctx: Context,
  { db, plan }: Reading,
  deadline: Deadline,
  most: number = Infinity,
): Promise<number> {
  if (plan.query.counted) return readTotal(db, plan.query);
  const timer = timed(ctx, deadline);
  let total = 0;
  for await (const [row] of walk(db, plan, { select: sql`COUNT(*) AS n` })) {
    timer();
    total += Number(row?.['n'] ?? 0);
    if (total >= most) return total;
  }
  return total;
}

/** Returns a check that throws tooSlow() once the time is up. */
export function timed({ app: { clock } }: Context, { seconds }: Deadline): () => void {
  const until = clock.monotonic() + seconds * 1000;
  return () => {
    if (clock.monotonic() > until) throw tooSlow();
  };
}

const tooSlow = () => unavailable('The report takes too long: narrow it down with filters');

/** Returns true for the error of a report that took too long. The next attempt would take as long. */
export function isTooSlow({ message }: Problem): boolean {
  return message === tooSlow().message;
}
