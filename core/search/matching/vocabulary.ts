// The first statement of a search: the index entries that contain its words, and the changes not indexed yet.
import type { Dialect } from '@keelson/database/schema/column.ts';
import type { Table } from '@keelson/database/schema/table.ts';
import { joined, listed, sql, type Sql } from '@keelson/database/statement/sql.ts';
import type { Context } from '../../plugin/context.ts';
import { END } from '../entities.ts';
import type { Searchable } from '../searchable.ts';
import { isPart, partsWithin } from '../word-parts.ts';
import { newestUnindexed } from './pending.ts';

/** Maximum index entries to list for a word. */
const MOST_ENTRIES = 64;

/** Where to look up words: the texts of a table, or its names (`referred-names.ts`). */
export interface Place {
  readonly table: Table;
  /** The type in the index. */
  readonly type: string;
}

/** A word of a search in one of the places. */
export interface Lookup {
  readonly place: Place;
  readonly word: string;
  /** The entries that contain the word; undefined if there are too many. */
  readonly entries: readonly string[] | undefined;
}

export interface Vocabulary {
  readonly lookups: readonly Lookup[];
  readonly changed: readonly { readonly type: string; readonly id: number }[];
  /** The highest id in the index, by table. */
  readonly newest: ReadonlyMap<string, number>;
  /** The fully indexed tables. */
  readonly complete: ReadonlySet<string>;
}

interface Read {
  readonly kind: 'entry' | 'newest' | 'changed' | 'complete';
  readonly which: unknown;
  readonly what: string;
  readonly n: unknown;
}

/** Looks up all words in several tables, and the newest changes not indexed yet. One statement. */
export async function readVocabulary(
  ctx: Context,
  { tables, places }: { readonly tables: readonly Searchable[]; readonly places: readonly Place[] },
  words: readonly string[],
): Promise<Vocabulary> {
  const asked = places.flatMap((place) => words.map((word) => ({ place, word })));
  const { dialect } = ctx.db;
  const entries = asked.map((each, i) => limited(dialect, entriesSql(each, i)));
  const topmost = tables.map(
    ({ table: { name: type } }) =>
      sql`SELECT 'newest', 0, ${type}, MAX(record_id) FROM search_text WHERE type = ${type}`,
  );
  const done = completeAmong(tables.map(({ table }) => table.name));
  const changed = limited(dialect, sql`SELECT 'changed', 0, type, record_id ${newestUnindexed(tables)}`);
  const rows = await ctx.db.query<Read>(joined([...entries, ...topmost, done, changed], ' UNION ALL '));
  const byKind = Map.groupBy(rows, ({ kind }) => kind);
  const of = (kind: Read['kind']) => byKind.get(kind) ?? [];
  const byLookup = Map.groupBy(of('entry'), ({ which }) => Number(which));
  const complete = new Set(of('complete').map(({ what }) => what));
  return {
    lookups: asked.map((each, i) => ({
      ...each,
      entries: entriesOf(each.word, byLookup.get(i) ?? [], complete.has(each.place.table.name)),
    })),
    changed: of('changed').map(({ what, n }) => ({ type: what, id: Number(n) })),
    newest: new Map(of('newest').map(({ what, n }) => [what, Number(n)])),
    complete,
  };
}

/** Skips parts, which occur in many words, unless the table is not fully indexed and its parts are incomplete. */
function entriesSql({ place: { table, type }, word }: Omit<Lookup, 'entries'>, which: number): Sql {
  const needed = isPart(word) ? sql`NOT EXISTS (${completeAmong([table.name])})` : sql`1 = 1`;
  return sql`SELECT 'entry' AS kind, ${which} AS which, word AS what, 0 AS n FROM search_ending
    WHERE type = ${type} AND ${beginsWith(sql`ending`, word)} AND ${needed} LIMIT ${MOST_ENTRIES + 1}`;
}

function completeAmong(types: readonly string[]): Sql {
  return sql`SELECT 'complete', 0, search_progress.type, 1 FROM search_progress
    WHERE search_progress.position >= ${END} AND search_progress.type IN ${listed(types)}`;
}

function entriesOf(word: string, rows: readonly Read[], complete: boolean): readonly string[] | undefined {
  if (complete && isPart(word)) return partsWithin(word);
  return rows.length > MOST_ENTRIES ? undefined : [...new Set(rows.map(({ what }) => what))];
}

/** Wraps a select with a limit for use in a union. */
export function limited(dialect: Dialect, select: Sql): Sql {
  // MariaDB takes 50% longer for a nested select.
  return dialect === 'mysql' ? sql`(${select})` : sql`SELECT * FROM (${select})`;
}

/** Prefix match as a range instead of LIKE, so that the index is used. U+10FFFF is the last code point. */
export function beginsWith(column: Sql, word: string): Sql {
  return sql`${column} >= ${word} AND ${column} < ${`${word}\u{10FFFF}`}`;
}
