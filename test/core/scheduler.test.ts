import { once } from 'node:events';
import { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import type { App } from '../../core/plugin/app.ts';
import { contextOf } from '../../core/plugin/context.ts';
import { databaseUnavailable } from '../../packages/database/database-error.ts';
import type { OpenDatabase } from '../../packages/database/database.ts';
import { JobRun } from '../../packages/events/job/job-run.ts';
import { job, type Job } from '../../packages/events/job/job.ts';
import { createScheduler, invalidCron } from '../../packages/events/job/scheduler.ts';
import { eachApart } from '../../packages/kit/each-apart.ts';
import { plus, systemClock, type Clock } from '../../packages/kit/time.ts';
import { theSystem } from '../../packages/log/activity.ts';
import { createLogger, type Logger } from '../../packages/log/log.ts';
import { openTestDatabase } from '../../packages/testing/database.ts';
import { until } from '../_until.ts';
import { quiet } from './_outbox.ts';

const at = '2026-03-02T09:00:00.000Z';

function scheduler(
  database: OpenDatabase,
  jobs: readonly Job[],
  clock: Clock = systemClock,
  { deadlineSeconds, log = quiet }: { readonly deadlineSeconds?: number; readonly log?: Logger } = {},
) {
  const app: Partial<App> = { database, clock: { ...systemClock, ...clock }, log };
  const makeContext = () => contextOf({ app: app as App, actor: undefined, author: theSystem });
  return createScheduler({
    database,
    clock,
    log,
    jobs,
    makeContext,
    refresh: () => Promise.resolve(),
    ...(deadlineSeconds !== undefined && { deadlineSeconds }),
  });
}

test('three schedulers and one due time make one run', async (t) => {
  const database = await openTestDatabase([JobRun]);
  t.teardown(() => database.close());
  let runs = 0;
  const jobs = [job('a.count', '0 9 * * *', async () => void runs++)];
  const results = await Promise.all([1, 2, 3].map(() => scheduler(database, jobs).runDue('a.count', at)));
  t.is(runs, 1);
  t.is(results.filter((each) => each?.outcome === 'done').length, 1);
  t.is(await database.count(JobRun), 1);
});

test('a long-running job is asked to end when the process stops', async (t) => {
  const database = await openTestDatabase([JobRun]);
  t.teardown(() => database.close());
  let begun = () => {};
  const started = new Promise<void>((resolve) => (begun = resolve));
  const jobs = [
    job('a.last', '0 9 * * *', async (_ctx, { stopping }) => {
      begun();
      await once(stopping, 'abort');
    }),
  ];
  const { runDue, stop } = scheduler(database, jobs);
  const run = runDue('a.last', at);
  await started;
  await stop();
  t.deepEqual(await run, { outcome: 'done', error: null });
});

test('a run in which every record failed for want of a database is no error', async (t) => {
  const database = await openTestDatabase([JobRun]);
  t.teardown(() => database.close());
  const lines: string[] = [];
  const log = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });
  const failing = (name: string, error: Error) =>
    job(name, '0 9 * * *', () =>
      eachApart(['one', 'two'], String, () => eachApart(['x'], String, () => Promise.reject(error))),
    );
  const away = databaseUnavailable('Connection refused');
  const jobs = [failing('a.away', away), failing('a.broken', new Error('Refused'))];
  const { runDue } = scheduler(database, jobs, systemClock, { log });
  for (const { name } of jobs) t.like(await runDue(name, at), { outcome: 'failed' });
  const logged = lines.map((line) => JSON.parse(line));
  t.like(logged, [
    { level: 'warn', job: 'a.away', reason: 'Connection refused' },
    { level: 'error', job: 'a.broken' },
  ]);
});

test('a throwing job is recorded as failed and affects no one', async (t) => {
  const database = await openTestDatabase([JobRun]);
  t.teardown(() => database.close());
  const jobs = [
    job('a.fail', '0 9 * * *', async () => Promise.reject(new Error('cannot'))),
    job('a.throw', '0 9 * * *', () => {
      throw new Error('at once');
    }),
    job('a.fine', '0 9 * * *', async () => {}),
  ];
  const { runDue, list } = scheduler(database, jobs);
  t.deepEqual(await runDue('a.fail', at), { outcome: 'failed', error: 'cannot' });
  t.deepEqual(await runDue('a.throw', at), { outcome: 'failed', error: 'at once' });
  t.deepEqual(await runDue('a.fine', at), { outcome: 'done', error: null });
  const states = await list();
  t.deepEqual(
    states.map(({ name, outcome, error }) => [name, outcome, error]),
    [
      ['a.fail', 'failed', 'cannot'],
      ['a.throw', 'failed', 'at once'],
      ['a.fine', 'done', null],
    ],
  );
  t.true(states.every((each) => each.duration_ms !== null && each.last_run_at !== null));
});

test('a job that never ends fails at its deadline', async (t) => {
  const database = await openTestDatabase([JobRun]);
  t.teardown(() => database.close());
  const jobs = [job('a.hang', '0 9 * * *', () => new Promise(() => {}))];
  const result = await scheduler(database, jobs, systemClock, { deadlineSeconds: 0.05 }).runDue('a.hang', at);
  t.is(result?.outcome, 'failed');
});

test('a job with a longer deadline of its own may run that long, and does not run twice meanwhile', async (t) => {
  const database = await openTestDatabase([JobRun]);
  t.teardown(() => database.close());
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const jobs = [
    job('a.long', '* * * * *', () => released, { deadlineSeconds: 3600 }),
    job('a.usual', '* * * * *', () => released),
  ];
  const { runDue } = scheduler(database, jobs, systemClock, { deadlineSeconds: 0.05 });
  const first = runDue('a.long', at);
  await until(async () => (await database.count(JobRun)) > 0);
  t.is((await runDue('a.usual', at))?.outcome, 'failed');
  t.is(await runDue('a.long', plus(at, { minutes: 1 })), undefined);
  release();
  t.is((await first)?.outcome, 'done');
});

test('a due time is skipped while the last run is active, also in another process', async (t) => {
  const database = await openTestDatabase([JobRun]);
  t.teardown(() => database.close());
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const jobs = [job('a.long', '* * * * *', () => released)];
  const first = scheduler(database, jobs).runDue('a.long', at);
  while ((await database.count(JobRun)) === 0) await sleep(2);
  t.is(await scheduler(database, jobs).runDue('a.long', plus(at, { minutes: 1 })), undefined);
  release();
  t.is((await first)?.outcome, 'done');
  t.is((await scheduler(database, jobs).runDue('a.long', plus(at, { minutes: 2 })))?.outcome, 'done');
});

test('of the due times that several processes claim at once, one runs', async (t) => {
  const database = await openTestDatabase([JobRun]);
  t.teardown(() => database.close());
  for (let round = 0; round < 10; round++) {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let [runs, skipped] = [0, 0];
    const jobs = [job('a.count', '* * * * *', () => (runs++, released))];
    const starts = [1, 2, 3].map(async (second) => {
      const due = plus(at, { minutes: round, seconds: second });
      if (!(await scheduler(database, jobs).runDue('a.count', due))) skipped++;
    });
    await until(() => runs + skipped === starts.length);
    release();
    await Promise.all(starts);
    t.is(runs, 1);
  }
});

test('a run whose process died is marked as abandoned and does not block the next', async (t) => {
  const database = await openTestDatabase([JobRun]);
  t.teardown(() => database.close());
  let now = at;
  const jobs = [job('a.count', '0 9 * * *', async () => {})];
  const { runDue, list } = scheduler(database, jobs, { now: () => now });
  await database.insert(JobRun, {
    name: 'a.count',
    due_at: at,
    started_at: at,
    leased_until: plus(at, { seconds: 60 }),
    outcome: 'running',
    running_job: 'a.count',
  });
  t.is((await list())[0]?.outcome, 'running');
  now = plus(at, { minutes: 2 });
  const [seen] = await list();
  t.deepEqual([seen?.outcome, seen?.error], ['failed', 'abandoned']);
  t.is((await runDue('a.count', plus(at, { minutes: 2 })))?.outcome, 'done');
  t.is((await database.findOneBy(JobRun, { due_at: at }))?.error, 'abandoned');
});

test('jobs are started by schedule or manually', async (t) => {
  const database = await openTestDatabase([JobRun]);
  t.teardown(() => database.close());
  let runs = 0;
  const jobs = [job('a.tick', '* * * * * *', async () => void runs++)];
  const ticking = scheduler(database, jobs);
  t.is((await ticking.runNow('a.tick'))?.outcome, 'done');
  t.is(runs, 1);
  ticking.start();
  while (runs < 2) await sleep(20);
  await ticking.stop();
  t.true(runs >= 2);
  const [state] = await scheduler(database, jobs).list();
  t.is(state?.outcome, 'done');
  t.regex(state?.next_run_at ?? '', /^\d{4}-.*\.000Z$/);
  await t.throwsAsync(ticking.runNow('a.nothing'), { message: 'Job not found' });
});

test('a due time that passes while the process stands still is run once it goes on', async (t) => {
  const database = await openTestDatabase([JobRun]);
  t.teardown(() => database.close());
  let runs = 0;
  const standing = scheduler(database, [job('a.nightly', '0 0 9 * * *', async () => void runs++)]);
  // Without a turn of the event loop in between, in which other tests would see this clock.
  mock.timers.enable({ apis: ['Date', 'setTimeout'], now: Date.parse('2026-03-02T08:59:59.000Z') });
  standing.start();
  // From two seconds on, node-cron considers a due time missed. Setting the time runs no timers.
  mock.timers.setTime(Date.parse('2026-03-02T09:00:02.100Z'));
  mock.timers.tick(1);
  mock.timers.reset();
  await until(() => runs > 0, 30);
  await standing.stop();
  t.is(runs, 1);
  t.deepEqual(
    (await database.find(JobRun)).map((each) => each.due_at),
    [at],
  );
});

test('the last 200 runs of each job are kept', async (t) => {
  const database = await openTestDatabase([JobRun]);
  t.teardown(() => database.close());
  const run = (name: string, minutes: number) => ({
    name,
    due_at: plus(at, { minutes }),
    started_at: at,
    leased_until: at,
    outcome: 'done' as const,
  });
  await database.insert(
    JobRun,
    Array.from({ length: 250 }, (_, i) => run('a.count', -i - 1)),
  );
  await database.insert(JobRun, [run('b.other', -9999)]);
  await scheduler(database, [job('a.count', '0 9 * * *', async () => {})]).runDue('a.count', at);
  t.is(await database.countBy(JobRun, { name: 'a.count' }), 200);
  t.is(await database.countBy(JobRun, { name: 'b.other' }), 1);
});

test('an invalid cron expression is explained', (t) => {
  t.is(invalidCron('*/5 * * * *'), undefined);
  t.is(invalidCron('30 */5 * * * *'), undefined);
  t.regex(invalidCron('61 * * * *') ?? '', /minute/);
  t.truthy(invalidCron('soon'));
});
