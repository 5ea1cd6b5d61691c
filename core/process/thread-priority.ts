// Lowers the priority of password hashing, which occupies threads of Node's pool, one core each. Where the system
// supports per-thread priority, those threads yield to the request thread and to the database.
import { readdir, readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';

const YIELDING = 10;
const TASKS = '/proc/self/task';

/** Lowers the priority of the pool's threads. Linux only. Costs hashing nothing on an idle machine. */
export async function lowerThreadPriority(): Promise<void> {
  if (process.platform !== 'linux') return;
  // Reading the list has started the pool, if it was not running yet.
  for (const task of await readdir(TASKS)) {
    const name = await readFile(`${TASKS}/${task}/comm`, 'utf8').catch(() => '');
    if (name.trim() === 'libuv-worker') setPriority(Number(task), YIELDING);
  }
}
