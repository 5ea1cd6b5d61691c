// Stores changes together with their side effects: counters, activity log, names, caches, events.
import { DuplicateKey, MissingReference } from '@keelson/database/db.ts';
import { foreignKeys } from '@keelson/database/schema/schema.ts';
import { name, sql } from '@keelson/database/statement/sql.ts';
import { conflict, duplicate, invalid } from '@keelson/kit/problem.ts';
import { updateCounters } from '@keelson/list/counter/statistics.ts';
import type { NameSource } from '@keelson/list/name-cache.ts';
import { changesBetween, type Changes } from '@keelson/log/activity.ts';
import { In, IsNull } from 'typeorm';
import { changed as tellCaches } from '../plugin/cache-invalidation.ts';
import { announceChange, type ChangeKind } from '../plugin/change-feed.ts';
import type { Context } from '../plugin/context.ts';
import type { Recorded } from './record.ts';

/** A row whose columns are known only from the table declaration. */
export type AnyRow = Record<string, unknown>;

interface PlannedChange {
  readonly before: AnyRow;
  readonly after: AnyRow;
  /** Columns to store. */
  readonly set: AnyRow;
  /** Changes for the activity log. */
  readonly changes: Changes;
}

interface More {
  readonly extra?: Changes;
  readonly store?: (row: never) => Promise<void>;
}

/** Stores the differences and runs all side effects. Returns the changed rows in their new state. */
export async function storeChanges(
  ctx: Context,
  of: Recorded,
  rows: readonly AnyRow[],
  wantedOf: (row: never) => AnyRow,
  more: More,
): Promise<AnyRow[]> {
  const { table, options } = of;
  const plans = rows.flatMap((row) => planChange(ctx, of, row, wantedOf(row as never), more.extra) ?? []);
  if (plans.length === 0) return [];
  if (options.prepare) for (const { after, before } of plans) await options.prepare(ctx, after, before);
  for (const alike of groupAlike(plans)) await update(ctx, of, alike);
  tellCaches(ctx, table);
  if (more.store) for (const { after } of plans) await more.store(after as never);
  for (const { before, after, changes } of plans) {
    if (ctx.tx) ctx.journal?.changed(ctx.tx, table, before, after);
    updateCounters(ctx, table, before as never, after as never);
    announce(ctx, of, after, 'changed');
    await log(ctx, of, 'update', after, changes);
  }
  const renamed = plans.filter(({ changes }) => options.names?.columns.some((each) => Object.hasOwn(changes, each)));
  await invalidateNames(
    ctx,
    of,
    renamed.map((each) => each.after),
  );
  await options.changed?.(
    ctx,
    plans.map(({ before, after, changes }) => ({ before, after, changed: Object.keys(changes) })),
  );
  return plans.map((each) => each.after);
}

/** Returns what to store and log; undefined if nothing differs. */
function planChange(
  ctx: Context,
  of: Recorded,
  before: AnyRow,
  wanted: AnyRow,
  extra?: Changes,
): PlannedChange | undefined {
  const { table, options } = of;
  const set = differing(of, before, wanted);
  if (isEmpty(set) && (extra === undefined || isEmpty(extra))) return undefined;
  if (options.follow) Object.assign(set, options.follow(ctx, before, set));
  const changes = { ...loggedChanges(of, before, set), ...extra };
  if ('updated_at' in table.columns) set['updated_at'] = ctx.now;
  const after: AnyRow = { ...before, ...set };
  if (options.derive) {
    const derived: AnyRow = options.derive(after, before);
    // Store only derived columns that differ, so that rows with different keys can still share one statement.
    Object.assign(set, differing(of, before, derived));
    Object.assign(after, derived);
  }
  return { before, after, set, changes };
}

/** Returns the changes as they appear in the activity log. */
function loggedChanges({ options, secret }: Recorded, before: AnyRow, set: AnyRow): Changes {
  const { omit, redact } = options.log ?? {};
  const told = omit ? Object.fromEntries(Object.entries(set).filter(([field]) => !omit.includes(field))) : set;
  const changes = changesBetween(before, told, secret);
  if (!redact) return changes;
  const old: AnyRow = redact(before);
  const now: AnyRow = redact({ ...before, ...set });
  const redacted = Object.keys(changes).filter((field) => Object.hasOwn(now, field) && !secret.includes(field));
  const shown = redacted.map((field) => [
    field,
    isSame(old[field], now[field]) ? changedOnly : [old[field], now[field]],
  ]);
  return { ...changes, ...Object.fromEntries(shown) };
}

const changedOnly = Object.freeze(['changed', 'changed'] as const);

/**
 * Returns the wanted columns that differ. Ignores the key and unknown members, because callers pass raw request bodies.
 */
function differing({ table }: Recorded, before: AnyRow, wanted: AnyRow): AnyRow {
  const set: AnyRow = {};
  for (const field in wanted) {
    const value = wanted[field];
    if (value === undefined || field === table.primary || !Object.hasOwn(table.columns, field)) continue;
    if (!isSame(value, before[field])) set[field] = value;
  }
  return set;
}

function isSame(value: unknown, before: unknown): boolean {
  if (value === before) return true;
  return typeof value === 'object' && value !== null && JSON.stringify(value) === JSON.stringify(before);
}

function isEmpty(record: object): boolean {
  for (const _ in record) return false;
  return true;
}

/** Groups rows that receive the same values, so that one statement can update them. */
function groupAlike(plans: readonly PlannedChange[]): Iterable<readonly PlannedChange[]> {
  return plans.length === 1 ? [plans] : Map.groupBy(plans, ({ set }) => JSON.stringify(set)).values();
}

async function update(ctx: Context, of: Recorded, alike: readonly PlannedChange[]): Promise<void> {
  const { table, title } = of;
  const [first] = alike;
  if (!first || isEmpty(first.set)) return;
  const { affected } = await ctx.db
    .update(table, asTheyWere(of, alike) as never, first.set as never)
    .catch((error) => refuse(ctx, of, first.after, error));
  if (affected < alike.length)
    throw conflict(`The ${title.toLowerCase()} was changed by someone else: reload and try again`);
}

/** Matches rows whose `unchanged` columns still have their old values, with one condition per distinct state. */
function asTheyWere({ table, options }: Recorded, rows: readonly PlannedChange[]): readonly AnyRow[] {
  const { unchanged = [] } = options;
  const stateOf = ({ before }: PlannedChange): AnyRow =>
    Object.fromEntries(unchanged.map((each) => [each, before[each] ?? IsNull()]));
  const idOf = ({ before }: PlannedChange) => before[table.primary];
  const [first, second] = rows;
  if (first && !second) return [{ [table.primary]: idOf(first), ...stateOf(first) }];
  return [...Map.groupBy(rows, (each) => JSON.stringify(stateOf(each))).values()].map((same) => ({
    [table.primary]: In(same.map(idOf)),
    ...(same[0] && stateOf(same[0])),
  }));
}

/** Notifies live listeners and the search index about the row and its owner. */
export function announce(ctx: Context, { table, options }: Recorded, row: AnyRow, kind: ChangeKind): void {
  if (options.announced !== false) announceChange(ctx, { of: table, row, kind });
  const owner = options.partOf?.(row);
  if (owner) announceChange(ctx, { ...owner, kind: 'changed' });
}

/** Records a change in the activity log. */
export async function log(
  ctx: Context,
  { table, title, type, options }: Recorded,
  action: 'create' | 'update' | 'delete',
  row: AnyRow,
  changes: Changes = {},
): Promise<void> {
  const id = options.log?.id?.(row) ?? row[table.primary];
  const names = options.log?.names ? await readNames(ctx, options.log.names, row) : undefined;
  const described = options.log?.describe?.(action, row, (column) => names?.get(column) ?? '');
  const description = described ?? `${options.logTitle ?? title} ${options.call(row)} ${action}d`;
  const entity_id = typeof id === 'number' ? id : String(id);
  ctx.record({ action, entity_type: type, entity_id, description, changes, shownOn: { of: table, row, type } });
}

async function readNames(
  { app, db }: Context,
  sources: Readonly<Partial<Record<string, NameSource>>>,
  row: AnyRow,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const [column, source] of Object.entries(sources)) {
    const id = row[column];
    if (!source || typeof id !== 'number') continue;
    found.set(column, (await app.names.get(db, source, [id])).get(id) ?? '');
  }
  return found;
}

export async function invalidateNames(
  ctx: Context,
  { table, options }: Recorded,
  rows: readonly AnyRow[],
): Promise<void> {
  if (!ctx.tx || !options.names) return;
  await ctx.app.names.changed(ctx.tx, options.names, ...rows.map((row) => Number(row[table.primary])));
}

/**
 * Rethrows why the database refused a row.
 * @throws duplicate() if a unique key is taken; invalid() naming the column whose `ref()` refers to nothing
 */
export async function refuse(ctx: Context, { table, options }: Recorded, row: AnyRow, error: unknown): Promise<never> {
  if (error instanceof DuplicateKey && options.taken) throw duplicate(options.taken(row));
  if (error instanceof MissingReference)
    for (const { column, table: to, target } of foreignKeys(table)) {
      const value = row[column] ?? null;
      if (value === null) continue;
      const found = await ctx.db.query(sql`SELECT 1 FROM ${name(to)} WHERE ${name(target)} = ${value}`);
      if (found.length === 0) throw invalid(`${column} must be an existing record`);
    }
  throw error;
}
