// Time limits of plugin files while they load.
import { setTimeout as after } from 'node:timers/promises';
import test from 'ava';
import { limitWork, loadWithin } from '../../core/plugin/load/work-limit.ts';

/** Returns how often the CPU time was read until the limit was reached. It grows by `step` milliseconds per reading. */
function readings(step: number, limitMs: number): Promise<number> {
  let read = 0;
  return new Promise((resolve) => {
    const cpuUsage = async () => ({ user: step * 1000 * ++read, system: 0 });
    limitWork({ cpuUsage }, limitMs, () => resolve(read));
  });
}

test('a thread that gets little CPU is late only when it has worked for its limit', async (t) => {
  // The first reading is what it had used before.
  t.is(await readings(2, 50), 26);
  t.is(await readings(10, 50), 6);
});

test('a thread that waits is late after its limit', async (t) => {
  t.is(await readings(0, 50), 11);
});

test('a thread that neither works nor waits for long is late at some time', async (t) => {
  t.is(await readings(1, 200), 100);
});

test('a thread that cannot be measured is late at some time', async (t) => {
  let asked = 0;
  const cpuUsage = () => {
    asked++;
    return Promise.reject(new Error('ended'));
  };
  await new Promise<void>((late) => limitWork({ cpuUsage }, 10, late));
  t.is(asked, 100);
});

test('a limit that was ended is never reached', async (t) => {
  let late = false;
  limitWork({ cpuUsage: async () => ({ user: 0, system: 0 }) }, 10, () => (late = true))();
  await after(50);
  t.false(late);
});

test('a file that gets little CPU while the process loads it may take longer than its limit', async (t) => {
  let read = 0;
  const busy = { cpuUsage: async () => ({ user: 2000 * ++read, system: 0 }) };
  t.is(await loadWithin(100, () => after(200, 'loaded'), 'late', busy), 'loaded');
  const idle = { cpuUsage: async () => ({ user: 0, system: 0 }) };
  await t.throwsAsync(
    loadWithin(100, () => new Promise(() => {}), 'late', idle),
    { message: 'late' },
  );
});

test('a file that waits while the process loads it is late after its limit', async (t) => {
  await t.throwsAsync(
    loadWithin(1000, () => new Promise(() => {}), 'late'),
    { message: 'late' },
  );
});
