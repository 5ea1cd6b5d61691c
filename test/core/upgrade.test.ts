// `cli upgrade`: migrations run on a copy of the database, which takes its place only if everything succeeds.
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { migration } from '@keelson/core';
import test, { type ExecutionContext } from 'ava';
import { readConfig } from '../../config/config.ts';
import { loadInstallation } from '../../core/plugin/load/load.ts';
import { makeBackup } from '../../core/process/backup/installation-backup.ts';
import { upgradeDatabase, type UpgradeOptions } from '../../core/process/command/upgrade.ts';
import { openInstallation } from '../../core/process/main.ts';
import type { Migration } from '../../packages/database/migration/migrate.ts';
import { makePlace } from '../faults/_place.ts';

/** Returns an installation of this version, and the version after it with one more migration. */
async function prepare(t: ExecutionContext, more: Migration) {
  const place = await makePlace(t);
  const config = { ...readConfig({ ...place.env, BACKUP_KEY: randomBytes(32).toString('base64') }), passwordCost: 4 };
  const installation = await loadInstallation(config.pluginsDir);
  const next = { ...installation, migrations: [...installation.migrations, more] };
  const customers = async () =>
    (await place.ask('SELECT customer FROM company ORDER BY company_number')).map((row) => row['customer']);
  const upgrade = async (given: Partial<UpgradeOptions> = {}) => {
    const printed: string[] = [];
    await upgradeDatabase(config, next, { check: false, backup: false, ...given, print: (line) => printed.push(line) });
    return printed;
  };
  return { place, config, customers, upgrade };
}

const shout = migration('1899000000000-shout', async (m) => {
  const statement = 'UPDATE company SET customer = UPPER(customer)';
  await m.statement({ sqlite: statement, mysql: statement });
});

const fails = migration('1899000000000-fails', async (m) => {
  const statement = "UPDATE company SET customer = 'lost'";
  await m.statement({ sqlite: statement, mysql: statement });
  await m.runner(async () => {
    throw new Error('There is an unexpected row');
  });
});

test.serial('an upgrade puts a migrated copy in place, with every row and number', async (t) => {
  const { place, config, customers, upgrade } = await prepare(t, shout);
  const counted = async () => {
    const counts: Record<string, unknown> = {};
    for (const table of ['company', 'employee', 'api_key', 'activity_log', 'setting', 'sequence'])
      [counts[table]] = await place.ask(`SELECT COUNT(*) AS n FROM ${table}`);
    return counts;
  };
  const before = await counted();
  await t.throwsAsync(upgrade({ backup: true }), {
    message: /^There is no backup: make one with the version you run now/,
  });
  const app = await openInstallation(config);
  await makeBackup(app).finally(() => app.close());

  const printed = await upgrade({ backup: true });
  t.is(printed[0], 'Pending: 1899000000000-shout');
  t.regex(printed.at(-1) ?? '', /^Upgraded in \d+\.\d s\. Start this version now\.$/);
  t.deepEqual(await customers(), ['NORTH', 'SOUTH', 'WEST']);
  t.deepEqual(await counted(), before);
  t.deepEqual(await upgrade(), ['The database is up to date. Nothing was changed.']);
});

test.serial('a migration that fails leaves the database as it was', async (t) => {
  const { place, config, customers, upgrade } = await prepare(t, fails);
  const error = await t.throwsAsync(upgrade());
  t.regex(error?.message ?? '', /There is an unexpected row[^]*Nothing was changed: the database is as it was\./);
  t.deepEqual(await customers(), ['North', 'South', 'West']);
  t.deepEqual(
    readdirSync(config.dataDir).filter((each) => /restoring|trial/.test(each)),
    [],
  );
  // The previous version still runs.
  await place.open(async (app) => {
    t.deepEqual(app.leftOut, []);
  });
});

test.serial('a check rehearses the upgrade while the server runs, and changes nothing', async (t) => {
  const { place, config, customers, upgrade } = await prepare(t, shout);
  await place.open(async () => {
    const printed = await upgrade({ check: true });
    t.regex(printed.at(-1) ?? '', /^The upgrade succeeds; on a copy it took \d+\.\d s\. Nothing was changed\.$/);
    t.deepEqual(await customers(), ['North', 'South', 'West']);
    await t.throwsAsync(upgrade(), { message: 'The database is in use: stop all Keelson processes and try again' });
  });
  t.deepEqual(
    readdirSync(config.dataDir).filter((each) => /restoring|trial/.test(each)),
    [],
  );
});
