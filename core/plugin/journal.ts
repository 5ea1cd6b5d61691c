// Notes the rows that a context's transactions create and change, so that they can be undone (record/import-run.ts).
import type { Transaction } from '../database/db.ts';
import type { Table } from '../database/table.ts';

type AnyRow = Readonly<Record<string, unknown>>;

export interface Journal {
  created(tx: Transaction, table: Table, rows: readonly AnyRow[]): void;
  changed(tx: Transaction, table: Table, before: AnyRow, after: AnyRow): void;
  /** Stores the notes of a transaction, as part of it. A transaction that is rolled back leaves none. */
  store(tx: Transaction): Promise<void>;
}
