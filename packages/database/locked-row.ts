// Locks a row by key, and creates it first if necessary.
import { DuplicateKey, type Db, type Where } from './db.ts';
import type { New, Row, Table } from './schema/table.ts';

/**
 * Returns the row for a key, locked until the transaction ends. Creates it from `first` if it does not exist.
 * Concurrent callers get the same row, one after the other.
 */
export async function lockedRow<T extends Table>(db: Db, table: T, key: Where<T>, first: New<T>): Promise<Row<T>> {
  const find = () => db.findOne(table, { where: key, lock: { mode: 'pessimistic_write' } });
  const known = await find();
  if (known) return known;
  try {
    await db.insert(table, first);
  } catch (error) {
    if (!(error instanceof DuplicateKey)) throw error;
  }
  const made = await find();
  if (!made) throw new Error(`The ${table.name} row just created no longer exists`);
  return made;
}
