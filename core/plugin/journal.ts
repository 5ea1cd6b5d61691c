// Records the rows that a context's transactions create and change, so that they can be undone
// (record/import/import-history.ts).
import type { Transaction } from '@keelson/database/db.ts';
import type { Table } from '@keelson/database/schema/table.ts';

type AnyRow = Readonly<Record<string, unknown>>;

export interface Journal {
  created(tx: Transaction, table: Table, rows: readonly AnyRow[]): void;
  changed(tx: Transaction, table: Table, before: AnyRow, after: AnyRow): void;
  /** Stores the recorded rows as part of the transaction, so that a rollback leaves none. */
  store(tx: Transaction): Promise<void>;
}
