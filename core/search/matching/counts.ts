// Counts the records that have the words of a search, and lists them if there are few.
import { joined, listed, sql, type Sql } from '@keelson/database/statement/sql.ts';
import type { Context } from '../../plugin/context.ts';
import { idsIn } from '../id-list.ts';
import { NONE, type Asked, type Held, type NewestRows } from './match.ts';
import { beginsWith, limited, type Lookup, type Vocabulary } from './vocabulary.ts';

/** A word in more records than this is common: scan records until enough match, instead of collecting them. */
export const COMMON = 1000;

/** Maximum index words that may contain a searched word; beyond that, most records have it. */
export const MOST_WORDS = 1500;

/** Rows that suffice to recognise most common words. */
const FIRST_ROWS = 16;

/** Returns the words with the records of each place that have them, if few. Two statements at most. */
export async function readHolders(
  ctx: Context,
  words: readonly string[],
  { lookups, complete }: Vocabulary,
): Promise<Asked[]> {
  const held = await readHeld(ctx, lookups);
  return words.map((word) => {
    const its = lookups.filter((each) => each.word === word);
    const byType = new Map(its.map((each) => [each.place.type, held.get(each) ?? NONE]));
    // Until a table is fully indexed, its names are stored only among its texts.
    for (const { table, type } of its.map(({ place }) => place))
      if (!complete.has(table.name)) byType.set(type, byType.get(table.name) ?? NONE);
    return { word, held: byType };
  });
}

interface HeldRow {
  readonly which: unknown;
  readonly block: unknown;
  readonly held: unknown;
  readonly ids: string;
  readonly words: unknown;
}

async function readHeld(ctx: Context, lookups: readonly Lookup[]): Promise<ReadonlyMap<Lookup, Held>> {
  const there = lookups.filter(({ entries }) => entries?.length !== 0);
  const rows = await readRows(ctx, there, (each) =>
    each.entries ? rowsOf(ctx, each, FIRST_ROWS + 1) : countOfMany(ctx, each),
  );
  const held = new Map<Lookup, Held>();
  const open = new Map<Lookup, Held>();
  for (const each of there) {
    const its = rows.get(each) ?? [];
    const { entries } = each;
    const known: Held = {
      n: sumOf(its),
      ids: [],
      words: entries?.length ?? Number(its[0]?.words ?? 0),
      entries,
      ...(entries?.length === 1 && { newest: newestOf(its) }),
    };
    if (known.n > COMMON || known.n === 0) held.set(each, known);
    else if (entries && its.length <= FIRST_ROWS) held.set(each, { ...known, ids: idsOf(its) });
    else open.set(each, known);
  }
  const all = await readRows(ctx, [...open.keys()], (each) => rowsOf(ctx, each, COMMON + 1));
  for (const [each, known] of open) {
    const its = all.get(each) ?? [];
    const n = sumOf(its);
    held.set(each, { ...known, n, ids: n > COMMON ? [] : idsOf(its) });
  }
  return held;
}

async function readRows(
  ctx: Context,
  lookups: readonly Lookup[],
  select: (each: Lookup) => Sql,
): Promise<ReadonlyMap<Lookup, readonly HeldRow[]>> {
  if (lookups.length === 0) return new Map();
  const selects = lookups.map((each, i) => limited(ctx.db.dialect, sql`SELECT ${i} AS which, ${select(each)}`));
  const rows = await ctx.db.query<HeldRow>(joined(selects, ' UNION ALL '));
  const byLookup = Map.groupBy(rows, ({ which }) => Number(which));
  return new Map(lookups.map((each, i) => [each, byLookup.get(i) ?? []]));
}

function rowsOf(ctx: Context, { place: { type }, word, entries }: Lookup, most: number): Sql {
  const having = entries ? havingEntries(type, entries) : havingWord(ctx, type, word);
  // The rows of a single entry are ordered by block, so reading them backwards costs nothing.
  const order = entries?.length === 1 ? sql`ORDER BY block DESC` : sql``;
  return sql`block, held, ids, 0 AS words ${having} ${order} LIMIT ${most}`;
}

function newestOf(rows: readonly HeldRow[]): NewestRows {
  const known = rows.map(({ block, ids }) => ({ block: Number(block), ids }));
  return { rows: known, from: known.length > FIRST_ROWS ? (known.at(-1)?.block ?? 0) : 0 };
}

/** Counts a word contained in many entries. Above `COMMON` entries it skips the count: each entry has a record. */
function countOfMany(ctx: Context, { place: { type }, word }: Lookup): Sql {
  return sql`0 AS block, CASE WHEN words > ${COMMON} THEN ${COMMON + 1} ELSE (SELECT COALESCE(SUM(held), 0)
      FROM (SELECT held ${havingWord(ctx, type, word)} LIMIT ${COMMON + 1}) AS some) END AS held, '' AS ids, words
    FROM (SELECT COUNT(*) AS words FROM (SELECT 1 FROM search_ending WHERE type = ${type}
      AND ${beginsWith(sql`ending`, word)} LIMIT ${MOST_WORDS + 1}) AS some) AS vocabulary`;
}

function sumOf(rows: readonly HeldRow[]): number {
  return rows.reduce((sum, { held }) => sum + Number(held), 0);
}

function idsOf(rows: readonly HeldRow[]): number[] {
  return [...new Set(rows.flatMap(({ block, ids }) => idsIn(Number(block), ids)))];
}

/** Returns the FROM clause for the `search_word` rows of these entries. */
export function havingEntries(type: string, entries: readonly string[]): Sql {
  return sql`FROM search_word WHERE search_word.type = ${type} AND search_word.word IN ${listed(entries)}`;
}

/** Returns the FROM clause for the `search_word` rows of a table's words that contain this one. */
export function havingWord({ db }: Context, type: string, word: string): Sql {
  // Force the join order: otherwise both databases may read every word of the table.
  const join = db.dialect === 'mysql' ? sql`STRAIGHT_JOIN` : sql`CROSS JOIN`;
  return sql`FROM search_ending ${join} search_word
      ON search_word.type = ${type} AND search_word.word = search_ending.word
    WHERE search_ending.type = ${type} AND ${beginsWith(sql`search_ending.ending`, word)}`;
}
