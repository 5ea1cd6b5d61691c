import test from 'ava';
import { coreTables } from '../../core/process/database/tables.ts';
import core from '../../migrations/1763600000000-core.ts';
import sender from '../../migrations/1795707445293-mail-sender.ts';
import imports from '../../migrations/1795709723298-imports.ts';
import marks from '../../migrations/1795746960123-commit-marks.ts';
import files from '../../migrations/1795767620987-mail-files.ts';
import activity from '../../migrations/1795906615295-company-activity.ts';
import oneRun from '../../migrations/1796310089091-one-run-of-a-job.ts';
import { schemaDrift } from '../../packages/database/migration/migrate.ts';
import { openTestDatabase } from '../../packages/testing/database.ts';

test('the migrations of core’s tables create what they declare', async (t) => {
  const database = await openTestDatabase(coreTables, [core, sender, imports, marks, files, activity, oneRun]);
  t.teardown(() => database.close());
  t.deepEqual(await schemaDrift(database), []);
});
