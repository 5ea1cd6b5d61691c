// A database created by the migrations from before the baseline is adopted unchanged.
import { openTestDatabase } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { loadInstallation, ownMigrations } from '../../core/plugin/load/load.ts';
import { StoredSetting } from '../../core/plugin/setting/settings.ts';
import { adoptBaseline } from '../../core/process/database/baseline.ts';
import { LAST_REPLACED } from '../../core/process/database/schema-version.ts';
import { tablesOf } from '../../core/process/database/tables.ts';
import type { OpenDatabase } from '../../packages/database/database.ts';
import {
  appliedMigrations,
  migrate,
  pendingMigrations,
  renameApplied,
  schemaDrift,
} from '../../packages/database/migration/migrate.ts';
import { migration } from '../../packages/database/migration/migrate.ts';
import { id, key, table, text } from '../../packages/database/schema/table.ts';

const sqliteTest = process.env['TEST_DATABASE_URL'] === undefined ? test : test.skip;
const COLLATIONS = '1795694400000-collations';

async function open(t: ExecutionContext) {
  const installation = await loadInstallation('plugins');
  const own = ownMigrations(installation);
  const { migrations: all } = installation;
  const database = await openTestDatabase(tablesOf(installation.loaded.map(({ plugin }) => plugin)), all);
  t.teardown(() => database.close());
  return { database, own, names: own.map((each) => each.name) };
}

test('an existing database records the baseline and nothing else changes', async (t) => {
  const { database, own, names } = await open(t);
  const baseline = names.filter((each) => each.startsWith('1763600000'));
  await renameApplied(database, baseline, ['1763700000000-core', '1763700000004-tickets', LAST_REPLACED]);
  await t.throwsAsync(adoptBaseline(database, names, false), { message: /run "npm run migrate"/ });
  t.true((await appliedMigrations(database)).has(LAST_REPLACED));
  await adoptBaseline(database, names, true);
  const { value } = (await database.findOneBy(StoredSetting, { name: 'core.schema' })) ?? {};
  t.like(value, { newest: baseline.at(-1) }, 'a version from before refuses the database');
  t.deepEqual(await pendingMigrations(database, own), []);
  const applied = await appliedMigrations(database);
  t.deepEqual(
    [...applied].filter((each) => each.startsWith('1763700000')),
    [],
  );
  t.deepEqual(await schemaDrift(database), []);
});

test('a partially migrated old database is rejected', async (t) => {
  const { database, names } = await open(t);
  await renameApplied(database, names, ['1763700000000-core', '1763700000079-mailboxes']);
  await t.throwsAsync(adoptBaseline(database, names, true), { message: /start Keelson 0\.2 once, then this version/ });
  t.true((await appliedMigrations(database)).has('1763700000079-mailboxes'));
});

const collated = async ({ source }: OpenDatabase, name: string): Promise<number> => {
  const runner = source.createQueryRunner();
  const columns = (await runner.getTable(name))?.columns ?? [];
  await runner.release();
  return columns.filter(({ collation }) => collation === 'NOCASE').length;
};

sqliteTest('texts whose collation an earlier migration lost compare without case again', async (t) => {
  const { database, own } = await open(t);
  const whole = await collated(database, 'employee');
  const runner = database.source.createQueryRunner();
  const employee = await runner.getTable('employee');
  const changed = (employee?.columns ?? []).map((oldColumn) => ({ oldColumn, newColumn: oldColumn.clone() }));
  for (const { newColumn } of changed) delete newColumn.collation;
  if (employee) await runner.changeColumns(employee, changed);
  await runner.release();
  t.true((await collated(database, 'employee')) < whole);
  await renameApplied(database, [COLLATIONS], []);
  t.deepEqual(await migrate(database, own), [COLLATIONS]);
  t.is(await collated(database, 'employee'), whole);
  t.deepEqual(await schemaDrift(database), []);
});

sqliteTest('a table that is altered by copying it keeps how its texts compare', async (t) => {
  const Named = table('named', { named_id: id(), name: text(40), code: key(40), word: text(20).nullable() });
  const database = await openTestDatabase(
    [Named],
    [
      migration('1795000000000-named', async (m) => {
        const columns = { named_id: id(), name: text(40), code: key(40), gone: text(9).nullable() };
        await m.createTable('named', columns);
        await m.addColumn('named', 'word', text(20).nullable());
        await m.dropColumn('named', 'gone');
      }),
    ],
  );
  t.teardown(() => database.close());
  await database.insert(Named, { name: 'Acme', code: 'x', word: 'Y' });
  t.is(await database.countBy(Named, { name: 'ACME', word: 'y' }), 1);
  t.is(await database.countBy(Named, { code: 'X' }), 0);
});
