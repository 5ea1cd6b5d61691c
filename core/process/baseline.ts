// The first migrations of the product were replaced by one per module, made from the tables as they were then. A database
// that the first ones made has the same tables, so it only takes the names of the new ones.
import type { OpenDatabase } from '../database/database.ts';
import { appliedMigrations, renameApplied } from '../database/migrate.ts';
import { LAST_REPLACED, storeNewest } from './schema-version.ts';

const REPLACED = /^1763700000\d{3}-/;
const BASELINE = /^1763600000\d{3}-/;

/**
 * Notes the baseline as applied where the migrations that it replaces were.
 * @param own the names of the product's migrations
 * @param may whether the database may be migrated
 * @throws Error in one sentence when only some of them were, or the database may not be migrated
 */
export async function adoptBaseline(database: OpenDatabase, own: readonly string[], may: boolean): Promise<void> {
  const replaced = [...(await appliedMigrations(database))].filter((name) => REPLACED.test(name));
  if (replaced.length === 0) return;
  if (!replaced.includes(LAST_REPLACED))
    throw new Error('The database is older than this version can upgrade: start Keelson 0.2 once, then this version.');
  const baseline = own.filter((name) => BASELINE.test(name));
  if (!may) throw new Error('The database is behind: run "npm run migrate".');
  // From now on a version from before the baseline refuses the database, which it would take for an empty one.
  await storeNewest(database, baseline.toSorted().at(-1) ?? '');
  await renameApplied(database, replaced, baseline);
}
