// Reads all rows of a database as of one instant, while others continue to write. It uses its own connection: a
// transaction with a consistent snapshot on MySQL, a reader of the write-ahead log on SQLite.
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { readUrl } from './past-the-pool.ts';

/** The location of a database: an SQLite file, or a server. */
export type Place = { readonly file: string } | { readonly url: string };

export interface Columns {
  readonly table: string;
  readonly columns: readonly string[];
  readonly primary: readonly string[];
}

export type Value = string | number | null;
export type RowValues = readonly Value[];

export interface Snapshot {
  /** Yields the rows of a table in primary key order. */
  rows(of: Columns): AsyncIterable<RowValues>;
  close(): Promise<void>;
}

/** Returns the tables of an application, by name. */
export function tablesIn(source: DataSource): Columns[] {
  return source.entityMetadatas
    .map(({ tableName, columns, primaryColumns }) => ({
      table: tableName,
      columns: columns.map((each) => each.databaseName),
      primary: primaryColumns.map((each) => each.databaseName),
    }))
    .toSorted((a, b) => (a.table < b.table ? -1 : 1));
}

/** Opens a snapshot of a database as it is now. */
export function openSnapshot(place: Place): Promise<Snapshot> {
  return 'file' in place ? sqliteSnapshot(place.file) : mysqlSnapshot(place.url);
}

/** How long reading rows may block other work. */
const SLICE_MS = 10;

async function sqliteSnapshot(file: string): Promise<Snapshot> {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  // The first read fixes the snapshot.
  database.exec('BEGIN');
  database.prepare('SELECT COUNT(*) FROM sqlite_master').get();
  return {
    async *rows(of) {
      const statement = database.prepare(selectOf(of, '"'));
      statement.setReturnArrays(true);
      statement.setReadBigInts(true);
      let since = performance.now();
      for (const row of statement.iterate() as Iterable<unknown>) {
        yield (row as (Value | bigint)[]).map(exact);
        if (performance.now() - since < SLICE_MS) continue;
        await nextTurn();
        since = performance.now();
      }
    },
    async close() {
      database.close();
    },
  };
}

/** Returns integers that a JavaScript number cannot represent as text, as the other database does. */
function exact(value: Value | bigint): Value {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

async function mysqlSnapshot(url: string): Promise<Snapshot> {
  const { createConnection } = await import('mysql2');
  const connection = createConnection({
    ...readUrl(url),
    charset: 'utf8mb4_unicode_ci',
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    jsonStrings: true,
  });
  const asking = connection.promise();
  await asking.query('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
  await asking.query('START TRANSACTION WITH CONSISTENT SNAPSHOT');
  return {
    async *rows(of) {
      const query = connection.query({ sql: selectOf(of, '`'), rowsAsArray: true });
      yield* query.stream({ highWaterMark: 200 }) as AsyncIterable<RowValues>;
    },
    async close() {
      connection.destroy();
    },
  };
}

function selectOf({ table, columns, primary }: Columns, quote: string): string {
  const listed = (names: readonly string[]) => names.map((each) => quote + each + quote).join(', ');
  return `SELECT ${listed(columns)} FROM ${quote}${table}${quote} ORDER BY ${listed(primary)}`;
}
