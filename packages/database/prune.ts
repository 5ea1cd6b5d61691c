// Deletes old rows in short transactions, so that their locks block no one.
import { batchesApart } from '@keelson/kit/each-apart.ts';
import { toDatabase, type Timestamp } from '@keelson/kit/time.ts';
import type { Database } from './db.ts';
import type { Row, Table } from './schema/table.ts';
import { listed, name, sql } from './statement/sql.ts';

const BATCH = 1000;
const BATCHES = 200;

/**
 * Deletes rows whose timestamp in `column` is before the given time, at most 200,000 per call. `column` must be
 * indexed. Returns the number of deleted rows.
 * @throws AggregateError naming the rows that could not be deleted, once the others are
 */
export async function removeBefore<T extends Table>(
  database: Database,
  table: T,
  column: keyof Row<T> & string,
  before: Timestamp,
): Promise<number> {
  const [from, key, at] = [name(table.name), name(table.primary), name(column)];
  let batches = 0;
  let removed = 0;
  await batchesApart<number | string>({
    size: BATCH,
    async read(failed) {
      if (batches++ === BATCHES) return [];
      const others = failed.length > 0 ? sql`AND ${key} NOT IN ${listed(failed)}` : sql``;
      const rows = await database.query<{ id: number | string }>(
        sql`SELECT ${key} AS id FROM ${from} WHERE ${at} < ${toDatabase(before)} ${others} ORDER BY ${at} LIMIT ${BATCH}`,
      );
      return rows.map((each) => each.id);
    },
    nameOf: (id) => `${table.name} ${id}`,
    async work(ids) {
      // Repeat the condition, because the row may have been updated since.
      removed += await database.run(
        sql`DELETE FROM ${from} WHERE ${key} IN ${listed(ids)} AND ${at} < ${toDatabase(before)}`,
      );
    },
  });
  return removed;
}
