// Scans the records that a caller may see, newest first, until enough of them match. Used when the index cannot tell
// which records have the words.
import { joined, name, sql } from '@keelson/database/statement/sql.ts';
import { yieldToOthers } from '@keelson/kit/yield.ts';
import { EXACT } from '@keelson/list/common.ts';
import { newestFirst } from '@keelson/list/newest-first.ts';
import type { Context } from '../../plugin/context.ts';
import type { Found } from '../searchable.ts';
import { fromThese, matches, points } from './match.ts';
import type { Hit } from './score.ts';
import type { Planned } from './search-plan.ts';

export interface Hits {
  /** Best first. */
  readonly best: readonly Hit[];
  /** Exact up to the limit, then the limit plus one. */
  readonly total: number;
}

/** A planned search, with the type that it searches and its view. */
export interface SearchOf extends Planned {
  readonly found: Found;
  /** Records that contain the searched code as a word; they rank first. */
  readonly first?: readonly number[];
}

interface HitRow {
  readonly id: unknown;
  readonly points: unknown;
  readonly total: unknown;
}

/**
 * Returns the best of the newest matches and the number of matches.
 * @param whole records to compare besides the newest matches
 * @param ranked number of the newest matches to compare
 */
export async function walk(
  ctx: Context,
  search: SearchOf,
  { whole, ranked }: { readonly whole: readonly number[]; readonly ranked: number },
): Promise<Hits> {
  const { of, found, words } = search;
  const id = name(`${of.table.name}.${of.table.primary}`);
  const asked = { sorts: found.view.of.sorts, where: found.view.visible(ctx), matching: matches(search) };
  const { from, where, order } = newestFirst(ctx.db.dialect, of.table, asked);
  const worth = words.map((each) => points(search, each));
  const hit = sql`SELECT ${id} AS id, ${joined(worth, ' + ')} AS points, 0 AS total`;
  const pieces = [
    sql`SELECT 0 AS id, 0 AS points, COUNT(*) AS total FROM (SELECT 1 FROM ${from} WHERE ${where} LIMIT ${EXACT + 1}) AS some`,
    sql`SELECT * FROM (${hit} FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ${ranked}) AS newest`,
    ...(whole.length === 0 ? [] : [sql`${hit} ${fromThese(search, whole)} AND ${where}`]),
  ];
  // SQLite runs in this process: yield between the pieces.
  const apart = ctx.db.dialect === 'sqlite';
  const rows: HitRow[] = [];
  for (const each of apart ? pieces : [joined(pieces, ' UNION ALL ')]) {
    rows.push(...(await ctx.db.query<HitRow>(each)));
    if (apart) await yieldToOthers();
  }
  const best = new Map(
    rows.filter((each) => Number(each.id) > 0).map((each) => [Number(each.id), Number(each.points)] as const),
  );
  return {
    best: [...best]
      .map(([key, its]) => ({ id: key, points: its }))
      .toSorted((a, b) => b.points - a.points || b.id - a.id),
    total: Math.max(0, ...rows.map(({ total }) => Number(total))),
  };
}
