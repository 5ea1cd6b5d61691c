// Scores records for a search. It reads their indexed words and compares them in JavaScript, which takes a fraction of
// the database's time, and reads each record once for any number of words.
import type { Table } from '@keelson/database/schema/table.ts';
import { joined, name, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { yieldToOthers } from '@keelson/kit/yield.ts';
import type { Context } from '../../plugin/context.ts';
import { pointsIn, pointsInText } from '../points.ts';
import { weights, type Depth } from '../searchable.ts';
import { heldInName, type Search } from './match.ts';
import { isUnindexed } from './pending.ts';

/** A record with every word of a search. */
export interface Hit {
  readonly id: number;
  /** The sum over all words. */
  readonly points: number;
}

/** Records to compare, as a select of `id`. */
export interface Compared {
  readonly search: Search;
  readonly keys: Sql;
}

export interface Scored {
  readonly hits: readonly Hit[];
  /** Number of records compared. */
  readonly compared: number;
}

/** Yield after this many records. */
const AT_ONCE = 250;

/** Returns for each search the records that have all its words. One statement. */
export async function readScores(ctx: Context, asked: readonly Compared[]): Promise<Scored[]> {
  if (asked.length === 0) return [];
  const placed = asked.map((each) => ({ ...each, places: placesOf(each.search) }));
  const most = Math.max(...placed.map(({ places }) => places.length));
  const selects = placed.map(({ search, keys, places }, i) => textsSql(search, keys, { which: i, places, most }));
  const rows = await ctx.db.query<Row>(joined(selects, ' UNION ALL '));
  const byWhich = Map.groupBy(rows, ({ which }) => Number(which));
  const scored: Scored[] = [];
  let since = 0;
  for (const [i, { search, places }] of placed.entries()) {
    const own = byWhich.get(i) ?? [];
    const hits: Hit[] = [];
    for (const row of own) {
      const points = pointsOf(search, places, row);
      if (points > 0) hits.push({ id: Number(row['id']), points });
      if (++since % AT_ONCE === 0) await yieldToOthers();
    }
    scored.push({ hits, compared: own.length });
  }
  return scored;
}

type Row = Readonly<Record<string, unknown>>;

/** Where words may occur: the record itself, or a record that it refers to. */
interface Place {
  readonly table: Table;
  /** The referring column; undefined for the record itself. */
  readonly column: string | undefined;
  readonly depth: Depth;
}

function placesOf({ of: { table, through }, words, depth, pending }: Search): Place[] {
  const named = through.filter(
    ([, other]) => pending.has(other.name) || words.some((each) => heldInName(each, other).n > 0),
  );
  return [
    { table, column: undefined, depth },
    ...named.map(([column, other]) => ({ table: other, column, depth: 'name' as const })),
  ];
}

interface Selected {
  readonly which: number;
  readonly places: readonly Place[];
  /** The most places of any select in the same union. */
  readonly most: number;
}

/** Selects `which`, `id`, and per place its key, its words, and whether those are stale. */
function textsSql({ of: { table }, dialect, late }: Search, keys: Sql, { which, places, most }: Selected): Sql {
  const own = name(table.name);
  const columns: Sql[] = [];
  const joins: Sql[] = [];
  for (let i = 0; i < most; i++) {
    const place = places[i];
    const [key, words, stale] = [name(`key_${i}`), name(`words_${i}`), name(`stale_${i}`)];
    if (!place) {
      columns.push(sql`NULL AS ${key}`, sql`NULL AS ${words}`, sql`0 AS ${stale}`);
      continue;
    }
    const at = place.column === undefined ? sql`may.id` : sql`${own}.${name(place.column)}`;
    const texts = name(`texts_${i}`);
    columns.push(sql`${at} AS ${key}`, sql`${textSql(dialect, texts, place.depth)} AS ${words}`);
    columns.push(
      sql`${late ? sql`CASE WHEN ${isUnindexed(place.table.name, at)} THEN 1 ELSE 0 END` : sql`0`} AS ${stale}`,
    );
    joins.push(
      sql`LEFT JOIN search_text AS ${texts} ON ${texts}.type = ${place.table.name} AND ${texts}.record_id = ${at}`,
    );
  }
  // Force the join order: otherwise both databases may read the whole table.
  const join = dialect === 'mysql' ? sql`STRAIGHT_JOIN` : sql`CROSS JOIN`;
  const rows = places.length === 1 ? sql`` : sql`${join} ${own} ON ${own}.${name(table.primary)} = may.id`;
  return sql`SELECT ${which} AS which, may.id AS id, ${joined(columns, ', ')}
    FROM (${keys}) AS may ${rows} ${joined(joins, ' ')}`;
}

function textSql(dialect: Search['dialect'], texts: Sql, depth: Depth): Sql {
  const columns = depth === 'name' ? ['name'] : depth === 'main' ? ['name', 'main'] : ['name', 'main', 'more'];
  const each = columns.map((column) => sql`${texts}.${name(column)}`);
  if (each.length === 1) return joined(each, '');
  return dialect === 'mysql' ? sql`CONCAT(${joined(each, ', ')})` : sql`(${joined(each, ' || ')})`;
}

/** Returns the sum over all words; 0 when the record lacks one of them. */
function pointsOf({ words, pending }: Search, places: readonly Place[], row: Row): number {
  let sum = 0;
  for (const { word } of words) {
    let best = 0;
    for (const [i, { table, depth }] of places.entries()) {
      const now = pending.get(table.name)?.get(Number(row[`key_${i}`]));
      if (now) best = Math.max(best, pointsIn(now, word, weights[depth]));
      else if (Number(row[`stale_${i}`]) === 0) best = Math.max(best, pointsInText(row[`words_${i}`], word));
    }
    if (best === 0) return 0;
    sum += best;
  }
  return sum;
}
