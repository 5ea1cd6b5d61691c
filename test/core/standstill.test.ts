import test from 'ava';
import { JobRun } from '../../packages/events/job/job-run.ts';
import { job } from '../../packages/events/job/job.ts';
import { openTestDatabase } from '../../packages/testing/database.ts';
import { until } from '../_until.ts';
import { scheduler } from './_scheduler.ts';

/** Long enough for the scheduler to be started before the due time, however busy the machine is. */
const BEFORE_MS = 3000;
/** From two seconds on, node-cron considers a due time missed. */
const AFTER_MS = 2100;

test('a due time that passes while the process stands still is run once it goes on', async (t) => {
  const database = await openTestDatabase([JobRun]);
  t.teardown(() => database.close());
  const due = new Date(Math.ceil((Date.now() + BEFORE_MS) / 1000) * 1000);
  const [hour, minute, second] = [due.getUTCHours(), due.getUTCMinutes(), due.getUTCSeconds()];
  let runs = 0;
  const nightly = job('a.nightly', `${second} ${minute} ${hour} * * *`, async () => void runs++);
  const standing = scheduler(database, [nightly]);
  standing.start();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, due.getTime() + AFTER_MS - Date.now());
  await until(() => runs > 0, 30);
  await standing.stop();
  t.is(runs, 1);
  t.deepEqual(
    (await database.find(JobRun)).map((each) => each.due_at),
    [due.toISOString()],
  );
});
