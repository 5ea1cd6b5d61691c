// Presence: which technicians have a record open, and who is writing. Published on the change stream (docs/live.md).
import {
  conflict,
  In,
  invalid,
  IsNull,
  LessThanOrEqual,
  MoreThan,
  Not,
  notFound,
  plus,
  sql,
  toDatabase,
  type Context,
  type Table,
} from '@keelson/core';
import { batchesApart } from '@keelson/core/kit';
import { announcePresence, type Doing } from '@keelson/core/plugin';
import { TechnicianNames } from '@keelson/modules/directory';
import type { Desk } from '../access.ts';
import { Presence } from '../entities.ts';
import { readAbout } from '../notifications/notifications.ts';

/** How long someone counts as present without renewal. */
const FORGOTTEN = { seconds: -40 } as const;
/** Maximum per person; opening another record drops the oldest. */
const MOST_RECORDS = 20;
/** Maximum people per record. */
const MOST_PEOPLE = 50;
const MOST_ANSWERED = 500;
const SWEPT_AT_ONCE = 100;

interface Place {
  readonly type: string;
  readonly key: number;
}

/**
 * Records what the caller does with a record, and marks their notifications about it as read when they open it. Returns
 * who else has it open. Repeating the same state costs one statement, plus one at the commit.
 * @throws invalid() for a type that the caller may not read; notFound() for a missing record; conflict() when there are
 * too many people
 */
export async function bePresent(ctx: Desk, { type, key, doing }: Place & { readonly doing: Doing }) {
  const of = readableTable(ctx, type);
  const here = await ctx.db.findBy(Presence, { type, record_id: key, seen_at: MoreThan(plus(ctx.now, FORGOTTEN)) });
  const own = here.find((each) => each.user_id === ctx.actor.user_id);
  if (doing === 'left') await leave(ctx, { type, key });
  else if (own) stay(ctx, own, doing);
  else if (here.length >= MOST_PEOPLE) throw conflict(`Limit of ${MOST_PEOPLE} viewers reached`);
  else await arrive(ctx, of, { type, key, doing });
  return people(
    ctx,
    here.filter((each) => each !== own),
  );
}

interface Asked {
  readonly type?: string | undefined;
  readonly key?: number | undefined;
}

/** Lists who is present where, for the types the caller may read. Most recent arrivals and writers first. */
export async function readPresence(ctx: Desk, { type, key }: Asked) {
  const types = type === undefined ? [...readableTables(ctx).keys()] : [readableTable(ctx, type).name];
  if (types.length === 0) return [];
  const where = {
    type: In(types),
    seen_at: MoreThan(plus(ctx.now, FORGOTTEN)),
    ...(key !== undefined && { record_id: key }),
  };
  return people(ctx, await ctx.db.find(Presence, { where, order: newestFirst, take: MOST_ANSWERED }));
}

const newestFirst = { seen_at: 'DESC', presence_id: 'DESC' } as const;

/**
 * Removes expired presence, and announces it.
 * @throws AggregateError naming the rows that failed, once the others are done
 */
export async function forgetPresence(outside: Context<undefined>): Promise<void> {
  const seen_at = LessThanOrEqual(plus(outside.now, FORGOTTEN));
  await batchesApart<number>({
    size: SWEPT_AT_ONCE,
    async read(failed) {
      const where = { seen_at, presence_id: Not(In(failed)) };
      return (await outside.db.find(Presence, { where, take: SWEPT_AT_ONCE })).map((each) => each.presence_id);
    },
    nameOf: (id) => `presence ${id}`,
    work: (ids) => outside.transaction((ctx) => forget(ctx, ids)),
  });
}

async function forget(ctx: Context, ids: readonly number[]): Promise<void> {
  // They may have been renewed before they were locked.
  const where = { presence_id: In(ids), seen_at: LessThanOrEqual(plus(ctx.now, FORGOTTEN)) };
  const order = { presence_id: 'ASC' } as const;
  await remove(ctx, await ctx.db.find(Presence, { where, order, lock: { mode: 'pessimistic_write' } }));
}

async function arrive(ctx: Desk, of: Table, { type, key, doing }: Place & { doing: Presence['doing'] }): Promise<void> {
  await requireRecord(ctx, of, key);
  const { user_id } = ctx.actor;
  const own = await ctx.db.find(Presence, { where: { user_id }, order: { seen_at: 'DESC' } });
  await remove(ctx, own.filter((each) => each.type !== type || each.record_id !== key).slice(MOST_RECORDS - 1));
  const row = { user_id, type, record_id: key, doing, seen_at: ctx.now };
  await ctx.db.upsert(Presence, row, ['user_id', 'type', 'record_id']);
  announcePresence(ctx, { type, key, doing, user_id });
  await readAbout(ctx, { type, key });
}

function stay(
  ctx: Desk,
  { presence_id, type, record_id: key, doing: before, user_id }: Presence,
  doing: Presence['doing'],
) {
  ctx.tx?.last(sql`UPDATE presence SET doing = ${doing}, seen_at = ${toDatabase(ctx.now)}
    WHERE presence_id = ${presence_id}`);
  if (doing !== before) announcePresence(ctx, { type, key, doing, user_id });
}

async function leave(ctx: Desk, { type, key }: Place): Promise<void> {
  const { user_id } = ctx.actor;
  const { affected: left } = await ctx.db.delete(Presence, { user_id, type, record_id: key });
  if (left > 0) announcePresence(ctx, { type, key, doing: 'left', user_id });
}

async function remove(ctx: Context, rows: readonly Presence[]): Promise<void> {
  if (rows.length === 0) return;
  await ctx.db.delete(Presence, { presence_id: In(rows.map((each) => each.presence_id)) });
  for (const { type, record_id: key, user_id } of rows) announcePresence(ctx, { type, key, doing: 'left', user_id });
}

async function requireRecord({ db }: Context, of: Table, key: number): Promise<void> {
  const living = 'deleted_at' in of.columns ? { deleted_at: IsNull() } : {};
  if ((await db.countBy(of, { [of.primary]: key, ...living })) === 0) throw notFound('Record');
}

/** Returns the tables whose changes the caller receives: anyone who may read a record may see who has it open. */
function readableTables({ app, actor }: Desk): ReadonlyMap<string, Table> {
  const records = app.plugins.flatMap(({ live = [] }) => live);
  const readable = records.filter(({ admin, personal }) => !personal && admin?.allows(actor));
  return new Map(readable.map(({ of }) => [of.name, of]));
}

function readableTable(ctx: Desk, type: string): Table {
  const tables = readableTables(ctx);
  const of = tables.get(type);
  if (!of) throw invalid(`type must be one of: ${[...tables.keys()].toSorted().join(', ')}`);
  return of;
}

async function people({ app, db }: Context, rows: readonly Presence[]) {
  const ids = rows.map((each) => each.user_id);
  const names = ids.length > 0 ? await app.names.get(db, TechnicianNames, ids) : new Map<number, string>();
  return rows.map(({ type, record_id, user_id, doing }) => {
    return { type, key: record_id, user_id, name: names.get(user_id) ?? '', doing };
  });
}
