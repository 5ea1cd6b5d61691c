// The best matches in some tables and how many there are, with one statement.
import type { Context } from '../plugin/context.ts';
import { yieldToOthers } from '../kit/yield.ts';
import { EXACT } from '../list/common.ts';
import { newestFirst } from '../list/newest.ts';
import { joined, name, sql, type Sql } from '../database/sql.ts';
import { fromRare, fromThese, matches, points } from './match.ts';
import type { Planned } from './plan.ts';
import { readWhole } from './whole.ts';
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

interface HitRow {
  readonly which: unknown;
  readonly id: unknown;
  readonly points: unknown;
  readonly total: unknown;
}

/** The matches of each search, in the same order. */
export async function readHits(ctx: Context, searches: readonly SearchOf[], limit: number): Promise<readonly Hits[]> {
  const asked = searches.map((search, i) => ({ search, i })).filter(({ search }) => !search.none);
  if (asked.length === 0) return searches.map(() => ({ best: [], total: 0 }));
  const whole = await readWhole(ctx, searches, limit * MOST_TRIED);
  const pieces = asked.flatMap(({ search, i }) =>
    bestOf(ctx, search, whole.get(search) ?? []).map((piece) => tagged(piece, i, limit)),
  );
  // SQLite works in this process: where words are common, others get their turn between the pieces.
  const apart = ctx.db.dialect === 'sqlite' && asked.some(({ search }) => !search.rarest);
  const rows: HitRow[] = [];
  for (const each of apart ? pieces : [joined(pieces, ' UNION ALL ')]) {
    rows.push(...(await ctx.db.query<HitRow>(each)));
    if (apart) await yieldToOthers();
  }
  return searches.map((_, i) => {
    const own = rows.filter(({ which }) => Number(which) === i);
    const best = new Map(
      own.filter(({ id }) => Number(id) > 0).map(({ id, points: worth }) => [Number(id), Number(worth)]),
    );
    const sorted = [...best].toSorted(([a, its], [b, other]) => other - its || b - a);
    return {
      best: sorted.slice(0, limit).map(([id, worth]) => ({ id, points: worth })),
      total: Math.max(0, ...own.map(({ total }) => Number(total))),
    };
  });
}

/** `id`, `points` and `total`, the best first. */
function tagged({ from, counted }: Piece, which: number, limit: number): Sql {
  return sql`SELECT ${which} AS which, id, points, total FROM (SELECT id, points,
      ${counted ?? sql`COUNT(*) OVER ()`} AS total FROM (${from}) AS matching
      ORDER BY points DESC, id DESC LIMIT ${limit}) AS best`;
}

interface Piece {
  readonly from: Sql;
  /** The total, where it is not that of these matches. */
  readonly counted?: Sql;
}

/** The newest matches among which the best are looked for where a word is common. */
const MOST_RANKED = 100;
/** Records with a whole word that are tried for each result. */
const MOST_TRIED = 20;

/**
 * Selects of the matches. Where a word is rare they are all records with it; otherwise the newest, and those in which it is
 * a whole word, for they are better than newer ones in which it is a part of another.
 */
function bestOf(ctx: Context, search: SearchOf, whole: readonly number[]): Piece[] {
  const { of, found, words, rarest, newest } = search;
  const { table } = of;
  const id = name(`${table.name}.${table.primary}`);
  const asked = { sorts: found.view.of.sorts, where: found.view.visible(ctx), matching: matches(search) };
  const { from, where, order } = newestFirst(ctx.db.dialect, table, asked);
  const hit = sql`SELECT ${id} AS id, ${joined(
    words.map((each) => points(search, each)),
    ' + ',
  )} AS points`;
  if (rarest) return [{ from: sql`${hit} ${fromRare(search, rarest)} AND ${where}` }];
  if (newest?.complete) return [{ from: sql`${hit} ${fromThese(search, newest.ids)} AND ${where}` }];
  // Whoever may see everything need not count: there are more than can be told.
  if (newest?.sure && asked.where.length === 0) {
    const some = [...newest.ids.slice(0, MOST_RANKED), ...whole];
    return [{ from: sql`${hit} ${fromThese(search, some)} AND ${where}`, counted: sql`${EXACT + 1}` }];
  }
  const counted = sql`SELECT 0 AS id, 0 AS points FROM ${from} WHERE ${where} LIMIT ${EXACT + 1}`;
  return [
    { from: counted },
    { from: sql`${hit} FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ${MOST_RANKED}`, counted: sql`0` },
    ...(whole.length === 0 ? [] : [{ from: sql`${hit} ${fromThese(search, whole)} AND ${where}`, counted: sql`0` }]),
  ];
}
