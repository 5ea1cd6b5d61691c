// Declares what can be imported from files.
import type { Importable } from '../../plugin/declaration/import-declaration.ts';
import type { Recorded } from '../record.ts';
import { hasStamp } from './import-history.ts';

/**
 * Declares a noun that files can be imported into. List it in a plugin's `imports`, so that its imports can be undone.
 * @throws Error for a table without `updated_at`, which undoing uses to detect later changes
 */
export function importable<R extends Recorded>(
  name: string,
  of: R,
  { title, access, portalAccess, kept, restore }: Omit<Importable, 'name' | 'of'>,
): Importable {
  if (!hasStamp(of.table)) throw new Error(`${of.table.name} has no updated_at, so imports cannot be undone`);
  return Object.freeze({ name, title, of, access, portalAccess, kept, restore });
}
