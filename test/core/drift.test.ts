import { openTestDatabase } from '@keelson/testing';
import test from 'ava';
import { loadInstallation } from '../../core/plugin/load/load.ts';
import { tablesOf } from '../../core/process/database/tables.ts';
import { pendingMigrations, schemaDrift } from '../../packages/database/migration/migrate.ts';

test('the migrations create exactly the declared tables', async (t) => {
  const { loaded, migrations } = await loadInstallation('plugins');
  const database = await openTestDatabase(tablesOf(loaded.map(({ plugin }) => plugin)), migrations);
  t.teardown(() => database.close());
  t.deepEqual(await pendingMigrations(database, migrations), []);
  t.deepEqual(await schemaDrift(database), []);
});
