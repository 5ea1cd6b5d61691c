import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readConfig } from '../../config/config.ts';
import { loadInstallation } from '../../core/plugin/load/load.ts';
import { StoredSetting } from '../../core/plugin/setting/settings.ts';
import { openUpToDate, type DatabaseOptions } from '../../core/process/database/open-database.ts';
import { tablesOf } from '../../core/process/database/tables.ts';
import { version } from '../../core/process/version.ts';
import { migration, type Migration } from '../../packages/database/migration/migrate.ts';
import { createLogger } from '../../packages/log/log.ts';
import { makeDatabase } from '../_tenants.ts';

/** Returns the migrations of this installation, and a function that opens its database with some. */
async function newDatabase(t: ExecutionContext) {
  const dataDir = await mkdtemp(join(tmpdir(), 'keelson-schema-'));
  t.teardown(() => rm(dataDir, { recursive: true }));
  const server = process.env['TEST_DATABASE_URL'];
  const databaseUrl = server === undefined ? undefined : await makeDatabase(t, server);
  const config = { ...readConfig({ DATA_DIR: dataDir, FILES_DIR: dataDir }), ...(databaseUrl && { databaseUrl }) };
  const installation = await loadInstallation('plugins');
  const log = createLogger({ level: 'silent' });
  const tables = tablesOf(installation.loaded.map(({ plugin }) => plugin));
  const open = (migrations: readonly Migration[], options: Pick<DatabaseOptions, 'migrate'> = {}) =>
    openUpToDate({ config, installation: { ...installation, migrations }, log, ...options }, tables);
  return { migrations: installation.migrations, open };
}

/** Returns a function that opens a database with further migrations, and applies them. */
async function opener(t: ExecutionContext) {
  const { migrations, open } = await newDatabase(t);
  return (...more: readonly Migration[]) => open([...migrations, ...more], { migrate: 'always' });
}

test('an older program rejects a database migrated by a newer one, naming both versions', async (t) => {
  const { migrations, open: openWith } = await newDatabase(t);
  const open = (given = migrations) => openWith(given);
  await (await open()).database.close();
  const { database } = await open();
  const { value } = (await database.findOneBy(StoredSetting, { name: 'core.schema' })) ?? {};
  t.like(value, { version });

  const older = migrations.filter(({ name }) => name !== (value as { newest: string }).newest);
  const refusal = await t.throwsAsync(open(older));
  t.true(
    refusal?.message.startsWith(`The database was migrated by Keelson ${version} and this is Keelson ${version}, `),
  );
  const future = { version: '9.4.1', newest: '1800000000000-future' };
  await database.update(StoredSetting, { name: 'core.schema' }, { value: future });
  const error = await t.throwsAsync(open());
  t.regex(
    error?.message ?? '',
    /^The database was migrated by Keelson 9\.4\.1 and this is Keelson \d+\.\d+\.\d+, which/,
  );
  await database.close();
});

test('an older program rejects a database whose upgrade to a newer one failed half-way', async (t) => {
  const open = await opener(t);
  const worked = migration('1800000000000-worked', async () => {});
  const fails = migration('1800000000001-fails', async () => {
    throw new Error('not today');
  });
  await (await open()).database.close();
  await t.throwsAsync(open(fails), { message: 'not today' });
  await (await open()).database.close();
  await t.throwsAsync(open(worked, fails), { message: 'not today' });
  await t.throwsAsync(open(), { message: /^The database was migrated by Keelson / });
  await (await open(worked)).database.close();
});

test('an older program rejects a database whose migration by a newer one stopped within a step', async (t) => {
  const open = await opener(t);
  let stops = true;
  const halted = migration('1800000000000-halted', async (m) => {
    // MySQL commits schema changes immediately, and a process may be killed right after one.
    await m.runner(async (runner) => {
      await runner.query('CREATE TABLE IF NOT EXISTS halted (id integer)');
      if (stops) throw new Error('killed');
    });
  });
  await (await open()).database.close();
  await t.throwsAsync(open(halted), { message: 'killed' });
  if (process.env['TEST_DATABASE_URL'] === undefined) await (await open()).database.close();
  else await t.throwsAsync(open(), { message: /^The database was migrated by Keelson / });
  stops = false;
  await (await open(halted)).database.close();
  await t.throwsAsync(open(), { message: /^The database was migrated by Keelson / });
});
