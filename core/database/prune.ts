// Deletes old rows in short transactions, so that their locks block no one.
import type { Database } from './db.ts';
import { listed, name, sql } from './sql.ts';
import type { Row, Table } from './table.ts';
import { toDatabase, type Timestamp } from '../kit/time.ts';

const BATCH = 1000;
const BATCHES = 200;

/**
 * Deletes rows whose timestamp in `column` is before the given time, at most 200,000 per call. `column` must be
 * indexed.
 * Returns the number of deleted rows.
 */
export async function removeBefore<T extends Table>(
  database: Database,
  table: T,
  column: keyof Row<T> & string,
  before: Timestamp,
): Promise<number> {
  const [from, key, at] = [name(table.name), name(table.primary), name(column)];
  let removed = 0;
  for (let i = 0; i < BATCHES; i++) {
    const rows = await database.query<{ id: number }>(
      sql`SELECT ${key} AS id FROM ${from} WHERE ${at} < ${toDatabase(before)} ORDER BY ${at} LIMIT ${BATCH}`,
    );
    if (rows.length === 0) break;
    const ids = listed(rows.map((row) => row.id));
    // Repeat the condition: the row may have been updated since.
    removed += await database.run(sql`DELETE FROM ${from} WHERE ${key} IN ${ids} AND ${at} < ${toDatabase(before)}`);
  }
  return removed;
}
