// Records the product version that last migrated a database. An older program would start on a newer schema and only
// partly work.
import type { OpenDatabase } from '@keelson/database/database.ts';
import { appliedMigrations, type Migration } from '@keelson/database/migration/migrate.ts';
import { systemClock } from '@keelson/kit/time.ts';
import { z } from 'zod';
import { ownMigrations, type Installation } from '../../plugin/load/load.ts';
import type { Plugin } from '../../plugin/plugin.ts';
import { StoredSetting } from '../../plugin/setting/settings.ts';
import { version } from '../version.ts';

const NAME = 'core.schema';
const Stored = z.object({ version: z.string(), newest: z.string() });

/** The newest of the migrations that the baseline replaced (baseline.ts). */
export const LAST_REPLACED = '1763700000080-counted';

/**
 * Checks that this program is not too old for the database.
 * @throws Error naming both versions if a newer one migrated it
 */
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

/**
 * Returns why a third-party plugin that is too old for its tables must be left out; undefined if it is not. Names of
 * migrations contain the plugin's id.
 */
export async function newerPluginSchema(
  database: OpenDatabase,
  { migrations }: Installation,
  plugin: Plugin,
): Promise<string | undefined> {
  const known = new Set(migrations.map(({ name }) => name));
  const last = newestOf(plugin.migrations ?? []);
  // On MySQL, the steps of an unfinished migration are recorded as `<name>#1`.
  const applied = [...(await appliedMigrations(database))].map((name) => name.replace(/#\d+$/, ''));
  const newer = applied.filter(
    (name) => name > last && !known.has(name) && name.slice(TIMESTAMP).startsWith(`-${plugin.id}-`),
  );
  const newest = newer.toSorted().at(-1);
  if (newest === undefined) return undefined;
  const own = plugin.version === undefined ? 'this one' : `version ${plugin.version}`;
  const knows = last === '' ? 'knows no migration' : `knows migrations up to ${last}`;
  return `its tables were migrated by a newer version (${newest}), and ${own} ${knows}: install that version or a newer one, or restore a backup made before the upgrade`;
}

const TIMESTAMP = 13;

const newestOf = (migrations: readonly Migration[]): string =>
  migrations
    .map(({ name }) => name)
    .toSorted()
    .at(-1) ?? '';

/** Records that this version migrated the database. */
export async function storeSchemaVersion(database: OpenDatabase, installation: Installation): Promise<void> {
  const newest = newestOf(ownMigrations(installation));
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
