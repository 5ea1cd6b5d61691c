import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { readConfig } from '../../config/config.ts';
import { migration } from '../../core/database/migrate.ts';
import { loadInstallation } from '../../core/plugin/load.ts';
import { StoredSetting } from '../../core/plugin/settings.ts';
import { createLogger } from '../../core/log/log.ts';
import { openUpToDate } from '../../core/process/open-database.ts';
import { tablesOf } from '../../core/process/tables.ts';
import { version } from '../../core/process/version.ts';
import { makeDatabase } from '../_tenants.ts';

test('an older program rejects a database migrated by a newer one, naming both versions', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'keelson-schema-'));
  t.teardown(() => rm(dataDir, { recursive: true }));
  const server = process.env['TEST_DATABASE_URL'];
  const databaseUrl = server === undefined ? undefined : await makeDatabase(t, server);
  const config = { ...readConfig({ DATA_DIR: dataDir, FILES_DIR: dataDir }), ...(databaseUrl && { databaseUrl }) };
  const installation = await loadInstallation('plugins');
  const log = createLogger({ level: 'silent' });
  const open = (migrations = installation.migrations) => {
    const plugins = installation.loaded.map(({ plugin }) => plugin);
    return openUpToDate({ config, installation: { ...installation, migrations }, log }, tablesOf(plugins));
  };
  await (await open()).database.close();
  const { database } = await open();
  const { value } = (await database.findOneBy(StoredSetting, { name: 'core.schema' })) ?? {};
  t.like(value, { version });

  const older = installation.migrations.filter(({ name }) => name !== (value as { newest: string }).newest);
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
  const dataDir = await mkdtemp(join(tmpdir(), 'keelson-schema-'));
  t.teardown(() => rm(dataDir, { recursive: true }));
  const server = process.env['TEST_DATABASE_URL'];
  const databaseUrl = server === undefined ? undefined : await makeDatabase(t, server);
  const config = { ...readConfig({ DATA_DIR: dataDir, FILES_DIR: dataDir }), ...(databaseUrl && { databaseUrl }) };
  const installation = await loadInstallation('plugins');
  const log = createLogger({ level: 'silent' });
  const tables = tablesOf(installation.loaded.map(({ plugin }) => plugin));
  const open = (...more: readonly ReturnType<typeof migration>[]) => {
    const migrations = [...installation.migrations, ...more];
    return openUpToDate({ config, installation: { ...installation, migrations }, log, migrate: 'always' }, tables);
  };
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
