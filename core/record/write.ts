// Creates, changes and deletes rows of a record, including all side effects (side-effects.ts).
import type { Row } from '@keelson/database/schema/table.ts';
import { inUse } from '@keelson/kit/problem.ts';
import { updateCounters, updateCountersForNew } from '@keelson/list/counter/statistics.ts';
import { changesBetween, type Activity, type Changes } from '@keelson/log/activity.ts';
import { In } from 'typeorm';
import { changed as tellCaches } from '../plugin/cache-invalidation.ts';
import type { Context } from '../plugin/context.ts';
import { findHolders, findHoldersOfAll } from '../plugin/declaration/dependents.ts';
import type { Given, Recorded, Wanted } from './record.ts';
import { announce, invalidateNames, log, refuse, storeChanges, type AnyRow } from './side-effects.ts';

export interface CreateMore<R extends Recorded> {
  /** Stores dependent data (custom fields, search words) after the row has its id, but before events and the log. */
  readonly store?: (row: Row<R['table']>) => Promise<void>;
}

export interface ChangeMore<R extends Recorded> {
  /** Changes beyond the row's columns, as `[old, new]`. They count as a change even if no column changes. */
  readonly extra?: Changes;
  /** Stores the `extra` changes, after the row but before events and the log. */
  readonly store?: (row: Row<R['table']>) => Promise<void>;
}

/**
 * Creates a row and runs all side effects. Returns the complete row. Requires a transaction.
 * @throws whatever `prepare` throws; duplicate() if a unique key is taken; invalid() if a `ref()` refers to nothing
 */
export async function create<R extends Recorded>(
  ctx: Context,
  of: R,
  given: Given<R>,
  more: CreateMore<R> = {},
): Promise<Row<R['table']>> {
  const { table, options } = of;
  const row: AnyRow = newRow(ctx, of, given);
  await options.prepare?.(ctx, row, undefined);
  const id = await ctx.db.insertReturningId(table, row as never).catch((error) => refuse(ctx, of, row, error));
  row[table.primary] ??= id;
  await more.store?.(row as never);
  await announceNew(ctx, of, row as never);
  return row as never;
}

/** Builds the row that `create` would store, for bulk inserts for example. Call `announceNew` after storing it. */
export function newRow<R extends Recorded>({ now }: Context, of: R, given: Given<R>): Row<R['table']> {
  const row = of.newRow(given, now);
  return (of.options.derive ? Object.assign(row, of.options.derive(row, undefined)) : row) as never;
}

/** Runs all side effects of a new row: caches, counters, live listeners, events, activity log. */
export async function announceNew<R extends Recorded>(ctx: Context, of: R, row: Row<R['table']>): Promise<void> {
  tellCaches(ctx, of.table);
  if (ctx.tx) ctx.journal?.created(ctx.tx, of.table, [row as never]);
  updateCounters(ctx, of.table, undefined, row as never);
  announce(ctx, of, row as never, 'created');
  await of.options.created?.(ctx, row);
  await log(ctx, of, 'create', row, newValues(of, row));
}

/**
 * Runs the side effects of many new rows that were stored together: they are counted together and share one log entry.
 * The record's `created` hook is not called; callers do its work for all rows at once.
 */
export function announceAllNew<R extends Recorded>(
  ctx: Context,
  of: R,
  rows: readonly Row<R['table']>[],
  line: Pick<Activity, 'entity_id' | 'description'>,
): void {
  if (rows.length === 0) return;
  tellCaches(ctx, of.table);
  if (ctx.tx) ctx.journal?.created(ctx.tx, of.table, rows as never);
  updateCountersForNew(ctx, of.table, rows as never);
  for (const row of rows) announce(ctx, of, row as never, 'created');
  ctx.record({ action: 'create', entity_type: of.type, ...line });
}

/** Returns the columns of a new row to log. */
function newValues({ options, secret }: Recorded, row: AnyRow): Changes {
  const { created = [], redact } = options.log ?? {};
  if (created.length === 0) return {};
  const shown: AnyRow = redact ? { ...row, ...redact(row) } : row;
  return changesBetween({}, Object.fromEntries(created.map((field) => [field, shown[field]])), secret);
}

/**
 * Changes a row that was locked in the same transaction. Returns the changed row. If nothing differs, nothing happens
 * and `updated_at` stays (V-16).
 * @throws whatever `prepare` throws; duplicate() if a unique key is taken; invalid() if a `ref()` refers to nothing;
 * conflict() if an `unchanged` column has changed
 */
export async function change<R extends Recorded>(
  ctx: Context,
  of: R,
  before: Row<R['table']>,
  wanted: Wanted<R>,
  more: ChangeMore<R> = {},
): Promise<Row<R['table']>> {
  const [after] = await storeChanges(ctx, of, [before], () => wanted, more);
  return (after as never) ?? before;
}

/**
 * Changes many rows. Returns those that changed. The number of statements grows with the number of distinct changes,
 * not with the number of rows.
 * @param wanted the change for all rows, or a function that returns the change for each row
 */
export async function changeAll<R extends Recorded>(
  ctx: Context,
  of: R,
  rows: readonly Row<R['table']>[],
  wanted: Wanted<R> | ((row: Row<R['table']>) => Wanted<R>),
): Promise<Row<R['table']>[]> {
  const wantedOf = typeof wanted === 'function' ? wanted : () => wanted;
  return (await storeChanges(ctx, of, rows, wantedOf, {})) as never;
}

/**
 * Deletes one or more rows that were locked in the same transaction. Sets `deleted_at` and clears unique and `erased`
 * columns (V-25), or deletes permanently from tables without `deleted_at`.
 * @param line one log entry in place of one for each row
 * @throws inUse() if other rows reference one and the record declares `held`
 */
export async function remove<R extends Recorded>(
  ctx: Context,
  of: R,
  which: Row<R['table']> | readonly Row<R['table']>[],
  line?: Pick<Activity, 'entity_id' | 'description'>,
): Promise<void> {
  const rows: readonly AnyRow[] = (Array.isArray(which) ? which : [which]) as never;
  if (rows.length === 0) return;
  await refuseHeld(ctx, of, rows);
  await removeRows(ctx, of, rows);
  tellCaches(ctx, of.table);
  await of.options.removed?.(ctx, rows);
  for (const row of rows) {
    updateCounters(ctx, of.table, row as never, undefined);
    announce(ctx, of, row, 'removed');
    if (!line) await log(ctx, of, 'delete', row);
  }
  if (losesName(of)) await invalidateNames(ctx, of, rows);
  if (line) ctx.record({ action: 'delete', entity_type: of.type, ...line });
}

const isKept = ({ table }: Recorded): boolean => 'deleted_at' in table.columns;

/** Returns true if deletion changes a row's name: it is gone, or the name uses a column that deletion modifies. */
function losesName(of: Recorded): boolean {
  const emptied = [...of.freed, ...Object.keys(of.options.erased ?? {}), 'deleted_at'];
  return !isKept(of) || emptied.some((each) => of.options.names?.columns.includes(each));
}

async function refuseHeld(ctx: Context, { table, options }: Recorded, rows: readonly AnyRow[]): Promise<void> {
  if (!options.held) return;
  const idOf = (row: AnyRow) => Number(row[table.primary]);
  const [only, ...others] = rows;
  const holders =
    only && others.length === 0
      ? new Map([[idOf(only), await findHolders(ctx, table, idOf(only))]])
      : await findHoldersOfAll(ctx, table, rows.map(idOf));
  for (const row of rows) {
    const by = holders.get(idOf(row)) ?? [];
    if (by.length > 0) throw inUse(options.held(row, by));
  }
}

async function removeRows(ctx: Context, of: Recorded, rows: readonly AnyRow[]): Promise<void> {
  const { table, freed, options } = of;
  const ids = rows.map((each) => each[table.primary]);
  const where = { [table.primary]: ids.length === 1 ? ids[0] : In(ids) } as never;
  if (!isKept(of)) return void (await ctx.db.delete(table, where));
  const emptied = Object.fromEntries(freed.map((each) => [each, null]));
  await ctx.db.update(table, where, { ...emptied, ...options.erased, deleted_at: ctx.now } as never);
}
