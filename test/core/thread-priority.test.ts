import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import test from 'ava';

const onLinux = process.platform === 'linux' ? test : test.skip;

// Runs in its own process, so that other tests keep their priority.
const script = `
  const { readdirSync, readFileSync } = await import('node:fs');
  const { getPriority } = await import('node:os');
  const { lowerThreadPriority } = await import('./core/process/thread-priority.ts');
  const before = getPriority();
  await lowerThreadPriority();
  const names = (task) => readFileSync('/proc/self/task/' + task + '/comm', 'utf8').trim();
  const pool = readdirSync('/proc/self/task').filter((task) => names(task) === 'libuv-worker');
  console.log(JSON.stringify([pool.length, [...new Set(pool.map(Number).map(getPriority))], getPriority() - before]));
`;

onLinux('threads that hash give way to the one that answers, and only those', async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  const [threads, priorities, change] = JSON.parse(stdout);
  t.true(threads >= 4);
  t.deepEqual(priorities, [10]);
  t.is(change, 0);
});
