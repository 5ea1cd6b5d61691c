// The best matches in some tables and how many there are, with one statement.
import type { Context } from '../plugin/context.ts';
import { EXACT } from '../list/common.ts';
import { newestFirst } from '../list/newest.ts';
import { joined, name, sql, type Sql } from '../database/sql.ts';
import { fromRare, matches, points, whole } from './match.ts';
import type { Planned } from './plan.ts';
import type { Found } from './searchable.ts';

export interface Hit {
  readonly id: number;
  /** The sum over the words. */
  readonly points: number;
}

export interface Hits {
  /** The best first. */
  readonly best: readonly Hit[];
  /** At most one more than can be told exactly. */
  readonly total: number;
}

/** A planned search, and who asks for what. */
export interface SearchOf extends Planned {
  readonly found: Found;
}

/** The matches of each search, in the same order. */
export async function readHits(ctx: Context, searches: readonly SearchOf[], limit: number): Promise<readonly Hits[]> {
  if (searches.length === 0) return [];
  const pieces = searches.flatMap((each, i) => bestOf(ctx, each, limit).map((piece) => tagged(piece, i, limit)));
  const rows = await ctx.db.query<{ which: unknown; id: unknown; points: unknown; total: unknown }>(
    joined(pieces, ' UNION ALL '),
  );
  return searches.map((_, i) => {
    const own = rows.filter(({ which }) => Number(which) === i);
    const best = new Map(own.map(({ id, points: worth }) => [Number(id), Number(worth)]));
    const sorted = [...best].toSorted(([a, its], [b, other]) => other - its || b - a);
    return {
      best: sorted.slice(0, limit).map(([id, worth]) => ({ id, points: worth })),
      total: Math.max(0, ...own.map(({ total }) => Number(total))),
    };
  });
}

/** `id`, `points` and `total`, the best first. */
function tagged(matching: Sql, which: number, limit: number): Sql {
  return sql`SELECT ${which} AS which, id, points, total
    FROM (SELECT id, points, COUNT(*) OVER () AS total FROM (${matching}) AS matching
      ORDER BY points DESC, id DESC LIMIT ${limit}) AS best`;
}

/**
 * Selects of the matches. Where a word is rare they are all records with it; otherwise the newest, and those in which it is
 * a whole word, for they are better than newer ones in which it is a part of another.
 */
function bestOf(ctx: Context, search: SearchOf, limit: number): Sql[] {
  const { of, found, words, rarest } = search;
  const { table } = of;
  const worth = joined(
    words.map((word) => points(search, word)),
    ' + ',
  );
  const hit = sql`SELECT ${name(`${table.name}.${table.primary}`)} AS id, ${worth} AS points`;
  const asked = { sorts: found.view.of.sorts, where: found.view.visible(ctx), matching: matches(search) };
  const { from, where, order } = newestFirst(ctx.db.dialect, table, asked);
  if (rarest !== undefined) return [sql`${hit} ${fromRare(search, rarest)} AND ${where}`];
  const newest = sql`${hit} FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ${EXACT + 1}`;
  return [newest, sql`${hit} ${whole(search, longest(words), limit)} AND ${where}`];
}

function longest(words: readonly string[]): string {
  return words.reduce((best, each) => (each.length > best.length ? each : best), '');
}
