// Text search on SQLite. The database runs in this process, so rows are searched in batches, with other requests served
// in between. Matching rows are then read by key.
import { Interrupted } from '@keelson/database/database-error.ts';
import type { Db } from '@keelson/database/db.ts';
import type { Table } from '@keelson/database/schema/table.ts';
import { inTime } from '@keelson/database/sqlite/sqlite-watch.ts';
import { joined, name, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { conditions, parseRequest } from '../list-query.ts';
import type { Filter, List } from '../list.ts';
import { anyPlace, type Scan } from '../text-search.ts';

/** Less than any key. */
const START = Number.MIN_SAFE_INTEGER;
/** Size of the first batch, in rows. */
const FIRST = 256;
/** Size of the first batch if the rows are known to be long. */
const FEW = 16;
/** Target CPU time per batch. */
const PIECE_MS = 15;
/** CPU time limit for a whole search. */
const MOST_MS = 2000;
/** CPU time counted for an aborted batch, which has used up what a statement may use. */
const ABORTED_MS = 100;
/**
 * Above this number of matches, the page is read with the search conditions instead of keys: its rows are found
 * quickly.
 */
const MOST_KEYS = 5000;

export interface Scanned {
  readonly where: readonly Filter[];
  /** Number of matches, if a scan has counted them. */
  readonly total?: number;
}

/**
 * Replaces text search conditions with the keys of the matching rows. On other databases the conditions stay unchanged.
 * @throws Interrupted (503) if the search takes too long
 */
export async function resolveScans(db: Db, list: List, where: readonly Filter[]): Promise<Scanned> {
  const scans = where.filter(isScan);
  if (db.dialect !== 'sqlite' || scans.length === 0) return { where };
  const others = where.filter((each) => !isScan(each));
  const [sort = ''] = Object.keys(list.sorts);
  const rows = { table: list.table, rest: conditions(parseRequest(list, { where: others, sort, direction: 'asc' })) };
  const few = await readPiece(db, rows, [joined(scans)], START, FIRST);
  if (few && few.n < FIRST) return byKey(list.table, few.found[0] ?? []);
  const search = { db, workedMs: 0 };
  const texts: Sql[] = [];
  for (const each of scans) texts.push(await searchOtherTables(search, each));
  const [keys = []] = await walk(search, rows, [joined(texts)], few ? FIRST : FEW);
  return keys.length > MOST_KEYS ? { where: [...others, ...texts], total: keys.length } : byKey(list.table, keys);
}

function byKey(table: Table, keys: readonly number[]): Scanned {
  return { where: [sql`${keyOf(table)} IN ${among(keys)}`], total: keys.length };
}

function isScan(filter: Filter): filter is Scan {
  return 'words' in filter;
}

interface Search {
  readonly db: Db;
  /** CPU time used so far. */
  workedMs: number;
}

/** Searches the other tables once, so that each batch only compares their keys. */
async function searchOtherTables(search: Search, { text, params, words, places }: Scan): Promise<Sql> {
  if (words.length === 0) return { text, params };
  const found = new Map<unknown, number[][]>();
  for (const place of places) {
    if (typeof place === 'string') continue;
    const perWord = words.map((word) => anyPlace(place.columns, word, nowhere));
    found.set(place, await walk(search, { table: place.table, rest: sql`1 = 1` }, perWord));
  }
  return joined(
    words.map((word, i) =>
      anyPlace(places, word, (place) => sql`${name(place.via)} IN ${among(found.get(place)?.[i] ?? [])}`),
    ),
  );
}

function nowhere(): Sql {
  return sql`1 = 0`;
}

function among(keys: readonly number[]): Sql {
  return sql`(SELECT value FROM json_each(${JSON.stringify(keys)}))`;
}

interface Rows {
  readonly table: Table;
  /** The other conditions, evaluated first. */
  readonly rest: Sql;
}

/** Returns the keys of matching rows for each condition. */
async function walk(search: Search, rows: Rows, each: readonly Sql[], first = FIRST): Promise<number[][]> {
  const found: number[][] = each.map(() => []);
  let after = START;
  for (let size = first; ;) {
    if (search.workedMs > MOST_MS)
      throw new Interrupted(`A search of ${rows.table.name} used more than ${MOST_MS} ms of CPU time`);
    const piece = await readPiece(search.db, rows, each, after, size);
    search.workedMs += piece?.ms ?? ABORTED_MS;
    if (!piece) {
      // These rows hold longer texts than earlier ones, so reduce the batch size.
      if (size === 1) throw new Interrupted(`A single row of ${rows.table.name} takes too long to search`);
      size = Math.ceil(size / 16);
      continue;
    }
    for (const [i, keys] of found.entries()) for (const key of piece.found[i] ?? []) keys.push(key);
    if (piece.n < size) return found;
    after = piece.last;
    if (piece.ms < PIECE_MS / 2) size *= 2;
    else if (piece.ms > PIECE_MS * 2) size = Math.ceil(size / 2);
  }
}

interface Piece {
  /** Rows searched. */
  readonly n: number;
  /** Key of the last row searched. */
  readonly last: number;
  /** CPU time of the statement. */
  readonly ms: number;
  /** Keys of matching rows, for each condition. */
  readonly found: readonly (readonly number[])[];
}

/** Searches the next `size` rows. Undefined if that took too long and was aborted. */
async function readPiece(
  db: Db,
  { table, rest }: Rows,
  each: readonly Sql[],
  after: number,
  size: number,
): Promise<Piece | undefined> {
  const [own, key] = [name(table.name), keyOf(table)];
  const keys = each.map(
    (condition, i) => sql`json_group_array(${key}) FILTER (WHERE ${condition}) AS ${name(`found_${i}`)}`,
  );
  const picked = sql`SELECT ${key} AS picked FROM ${own}
    WHERE ${rest} AND ${key} > ${after} AND ${inTime(db.dialect, key)} ORDER BY ${key} LIMIT ${size}`;
  const statement = sql`SELECT COUNT(*) AS n, MAX(picked) AS last, ms_worked(COUNT(*)) AS ms, ${joined(keys, ', ')}
    FROM (${picked}) AS piece CROSS JOIN ${own} ON ${key} = picked`;
  try {
    const [row = {}] = await db.query<Record<string, unknown>>(statement);
    const found = each.map((_, i): number[] => JSON.parse(String(row[`found_${i}`])));
    return { n: Number(row['n']), last: Number(row['last']), ms: Number(row['ms']), found };
  } catch (error) {
    if (error instanceof Interrupted) return undefined;
    throw error;
  }
}

function keyOf(table: Table): Sql {
  return name(`${table.name}.${table.primary}`);
}
