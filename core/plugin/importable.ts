// What can be imported from files: declared with `importable` (record/importable.ts), listed in a plugin's `imports`.
import type { Table } from '../database/table.ts';
import type { Access } from './surface.ts';

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
  /** The same on the portal; no one by default. */
  readonly portalAccess?: Access<any> | undefined;
}
