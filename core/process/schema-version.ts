// Records the product version that last migrated a database. An older program would start on a newer schema and only
// partly work.
import { z } from 'zod';
import type { OpenDatabase } from '../database/database.ts';
import { appliedMigrations } from '../database/migrate.ts';
import { systemClock } from '../kit/time.ts';
import { ownMigrations, type Installation } from '../plugin/load.ts';
import { StoredSetting } from '../plugin/settings.ts';
import { version } from './version.ts';

const NAME = 'core.schema';
const Stored = z.object({ version: z.string(), newest: z.string() });

/** The newest of the migrations that the baseline replaced (baseline.ts). */
export const LAST_REPLACED = '1763700000080-counted';

/** @throws Error naming both versions, when the database was migrated by a newer program than this one */
export async function refuseNewerSchema(database: OpenDatabase, installation: Installation): Promise<void> {
  const applied = await appliedMigrations(database);
  if (applied.size === 0) return;
  const known = new Set(ownMigrations(installation).map(({ name }) => name));
  const stored = await readStored(database);
  const newest = stored?.newest;
  if (newest === undefined || known.has(newest) || newest === LAST_REPLACED) return;
  throw new Error(
    `The database was migrated by Keelson ${stored?.version} and this is Keelson ${version}, which does not support its schema: install that version or a newer one, or restore a backup made before the upgrade.`,
  );
}

/** Records that this version migrated the database. */
export async function storeSchemaVersion(database: OpenDatabase, installation: Installation): Promise<void> {
  const newest =
    ownMigrations(installation)
      .map(({ name }) => name)
      .toSorted()
      .at(-1) ?? '';
  const stored = await readStored(database);
  if (stored?.newest !== newest) await storeNewest(database, newest);
}

/** Records a migration as the newest applied by this version. */
export async function storeNewest(database: OpenDatabase, newest: string): Promise<void> {
  const row = { name: NAME, value: { version, newest }, updated_at: systemClock.now() };
  await database.transaction((tx) => tx.upsert(StoredSetting, row, ['name']));
}

async function readStored(database: OpenDatabase): Promise<z.infer<typeof Stored> | undefined> {
  const row = await database.findOneBy(StoredSetting, { name: NAME });
  return Stored.safeParse(row?.value).data;
}
