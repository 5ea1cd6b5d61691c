// What can be imported from files: declared with `importable` (record/import/importable.ts), listed in a plugin's
// `imports`.
import type { Table } from '@keelson/database/schema/table.ts';
import type { Context } from '../context.ts';
import type { Access } from '../route/surface.ts';

/** A noun that files are imported into. */
export interface Importable {
  /** Unique: `contacts`. Stored with each import. */
  readonly name: string;
  /** Shown in the history of imports: `Contacts`. */
  readonly title: string;
  /** The record whose rows an import creates and changes. */
  readonly of: { readonly table: Table };
  /** Who may import such records and undo imports. */
  readonly access: Access<any>;
  /** Access on the portal; no one by default. */
  readonly portalAccess?: Access<any> | undefined;
  /**
   * Returns which of the created records must be kept when their import is undone, with the reason: `Still has
   * tickets`. Rows of `dependents` are checked already. One query per table, because there are dozens of records.
   */
  readonly kept?: ((ctx: Context, ids: readonly number[]) => Promise<ReadonlyMap<number, string>>) | undefined;
  /**
   * Restores the columns of `before` in a locked row, with the noun's own checks; a `Problem` leaves the record
   * unchanged. By default, the values are stored without checks.
   */
  readonly restore?: ((ctx: Context, row: any, before: any) => Promise<unknown>) | undefined;
}
