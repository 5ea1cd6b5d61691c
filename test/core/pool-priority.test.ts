import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import test from 'ava';
import { yieldPool } from '../../core/pool-priority.ts';

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('threads that hash give way to the one that answers', async (t) => {
  await yieldPool();
  const pool = readdirSync('/proc/self/task').filter(
    (task) => readFileSync(`/proc/self/task/${task}/comm`, 'utf8').trim() === 'libuv-worker',
  );
  t.true(pool.length >= 4);
  t.deepEqual(new Set(pool.map((task) => getPriority(Number(task)))), new Set([10]));
  t.is(getPriority(), 0, 'and only those');
});
