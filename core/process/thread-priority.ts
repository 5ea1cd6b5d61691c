// Password hashes occupy the threads of Node's pool, a core each. Where the system lets a thread have a priority of its
// own, those give way to the thread that answers requests, and to the database beside it.
import { readdir, readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';

const YIELDING = 10;
const TASKS = '/proc/self/task';

/** Lowers the priority of the pool's threads; does nothing but on Linux. Hashing loses nothing while nobody else works. */
export async function lowerThreadPriority(): Promise<void> {
  if (process.platform !== 'linux') return;
  // Reading the list has started the pool, if nothing else had.
  for (const task of await readdir(TASKS)) {
    const name = await readFile(`${TASKS}/${task}/comm`, 'utf8').catch(() => '');
    if (name.trim() === 'libuv-worker') setPriority(Number(task), YIELDING);
  }
}
