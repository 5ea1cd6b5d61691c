import test from 'ava';
import core from '../../migrations/1763600000000-core.ts';
import { schemaDrift } from '../../core/database/migrate.ts';
import { coreTables } from '../../core/process/tables.ts';
import { openTestDatabase } from '../../core/database/testing-database.ts';

test("the migration of core's tables makes what they declare", async (t) => {
  const database = await openTestDatabase(coreTables, [core]);
  t.teardown(() => database.close());
  t.deepEqual(await schemaDrift(database), []);
});
