// The product's first migrations were squashed into one per module. A database created by the originals has the same
// tables, so only the names of the new migrations are recorded.
import type { OpenDatabase } from '@keelson/database/database.ts';
import { appliedMigrations, renameApplied } from '@keelson/database/migration/migrate.ts';
import { LAST_REPLACED, storeNewest } from './schema-version.ts';

const REPLACED = /^1763700000\d{3}-/;
const BASELINE = /^1763600000\d{3}-/;

/**
 * Records the baseline as applied if the migrations it replaces are.
 * @param own names of the product's migrations
 * @param may whether the database may be migrated @throws Error in one sentence when only some of them were applied, or
 * the database may not be migrated
 */
export async function adoptBaseline(database: OpenDatabase, own: readonly string[], may: boolean): Promise<void> {
  const replaced = [...(await appliedMigrations(database))].filter((name) => REPLACED.test(name));
  if (replaced.length === 0) return;
  if (!replaced.includes(LAST_REPLACED))
    throw new Error('The database is older than this version can upgrade: start Keelson 0.2 once, then this version.');
  const baseline = own.filter((name) => BASELINE.test(name));
  if (!may) throw new Error('The database is behind: run "npm run migrate".');
  // Makes versions from before the baseline reject the database, which they would otherwise consider empty.
  await storeNewest(database, baseline.toSorted().at(-1) ?? '');
  await renameApplied(database, replaced, baseline);
}
