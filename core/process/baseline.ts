// The first migrations of the product were replaced by one per module, made from the tables as they were then. A database
// that the first ones made has the same tables, so it only takes the names of the new ones.
import type { OpenDatabase } from '../database/database.ts';
import { appliedMigrations, renameApplied } from '../database/migrate.ts';

const REPLACED = /^1763700000\d{3}-/;
/** The newest of them. */
export const LAST_REPLACED = '1763700000080-counted';
const BASELINE = /^1763600000\d{3}-/;

/**
 * Notes the baseline as applied where the migrations that it replaces were.
 * @param own the names of the product's migrations
 * @throws Error in one sentence when only some of them were
 */
export async function adoptBaseline(database: OpenDatabase, own: readonly string[]): Promise<void> {
  const replaced = [...(await appliedMigrations(database))].filter((name) => REPLACED.test(name));
  if (replaced.length === 0) return;
  if (!replaced.includes(LAST_REPLACED))
    throw new Error('The database is older than this version can upgrade: start Keelson 0.2 once, then this version.');
  const baseline = own.filter((name) => BASELINE.test(name));
  await renameApplied(database, replaced, baseline);
}
