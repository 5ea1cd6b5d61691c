// Indexes whole tables: records older than the index, and bulk loads. The old index serves meanwhile, because only
// differences are written.
import { name, sql } from '@keelson/database/statement/sql.ts';
import type { App } from '../../plugin/app.ts';
import type { Context } from '../../plugin/context.ts';
import { END, SearchProgress } from '../entities.ts';
import { searchables } from '../search-sources.ts';
import type { Searchable } from '../searchable.ts';
import { indexRecords } from './write-words.ts';

/** Records per transaction. */
const BATCH = { sqlite: 200, mysql: 2000 };
/** Resets the progress, so that every table is indexed again. */
export async function restartIndex(app: App): Promise<void> {
  for (const { table } of searchables(app))
    await app.database.upsert(SearchProgress, { type: table.name, position: 0 }, ['type']);
}

/** Counts the records in all searchable tables. */
export async function countSearchable(app: App): Promise<number> {
  let all = 0;
  for (const { table } of searchables(app)) all += await app.database.count(table);
  return all;
}

/** Whether every table is fully indexed. */
export async function isComplete(app: App): Promise<boolean> {
  return (await nextTable(app)) === undefined;
}

/** Indexes the next records of an unfinished table; returns how many, at least 1. */
export async function indexNext(app: App): Promise<number> {
  const next = await nextTable(app);
  if (!next) return 1;
  return Math.max(1, await app.system().transaction((ctx) => indexAfter(ctx, next.of, next.position)));
}

async function nextTable(app: App): Promise<{ of: Searchable; position: number } | undefined> {
  const rows = await app.database.find(SearchProgress);
  const positions = new Map(rows.map(({ type, position }) => [type, position]));
  const of = searchables(app).find(({ table }) => (positions.get(table.name) ?? 0) < END);
  return of && { of, position: positions.get(of.table.name) ?? 0 };
}

async function indexAfter(ctx: Context, of: Searchable, after: number): Promise<number> {
  const { table } = of;
  const size = BATCH[ctx.db.dialect];
  const key = name(table.primary);
  const found = await ctx.db.query<{ id: unknown }>(
    sql`SELECT ${key} AS id FROM ${name(table.name)} WHERE ${key} > ${after} ORDER BY ${key} LIMIT ${size}`,
  );
  const living = found.map(({ id }) => Number(id));
  const position = living.length < size ? END : (living.at(-1) ?? END);
  // Records deleted outside the record layer have left words behind.
  const stored = await ctx.db.query<{ id: unknown }>(sql`SELECT record_id AS id FROM search_text
    WHERE type = ${table.name} AND record_id > ${after} AND record_id <= ${position} ORDER BY record_id LIMIT ${size * 2}`);
  await indexRecords(ctx, of, [...new Set([...living, ...stored.map(({ id }) => Number(id))])], true);
  await ctx.db.upsert(SearchProgress, { type: table.name, position }, ['type']);
  return living.length;
}
