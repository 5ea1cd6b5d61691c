// Limits the work of a thread, not the time it waits for a CPU: a plugin must not be left out because the machine is busy.
import type { Worker } from 'node:worker_threads';
import { TimeoutError } from '@keelson/kit/timeout.ts';

type Thread = Pick<Worker, 'cpuUsage'>;

/** Work is measured in steps. */
const STEPS = 10;
/** How many times as long as its limit a thread may take by the clock, also if its work cannot be measured. */
const PATIENCE = 10;
/** A thread that works less in a step waits for something that may never come, so the whole step counts. */
const LEAST_WORK_MS = 1;

/**
 * Calls `late` once the thread has worked or waited for `limitMs`. Ends when the returned function is called.
 * @param worker the thread
 * @param limitMs CPU time, and time in which the thread waits, in milliseconds
 */
export function limitWork(worker: Thread, limitMs: number, late: () => void): () => void {
  let [steps, spent] = [0, 0];
  let [before, worked]: (number | undefined)[] = [];
  const read = async () => {
    const { user, system } = await worker.cpuUsage();
    worked = (user + system) / 1000;
  };
  // It cannot be read once the thread has ended, which is reported otherwise.
  const readIfRunning = () => void read().catch(() => undefined);
  const timer = setInterval(() => {
    if (worked !== undefined && before !== undefined)
      spent += worked - before < LEAST_WORK_MS ? limitMs / STEPS : worked - before;
    before = worked;
    if (spent < limitMs && ++steps < STEPS * PATIENCE) return readIfRunning();
    clearInterval(timer);
    late();
  }, limitMs / STEPS);
  readIfRunning();
  return () => clearInterval(timer);
}

const thisThread: Thread = { cpuUsage: async () => process.threadCpuUsage() };

/**
 * Returns the result of `load`, such as an import.
 * @param limitMs how long this thread may work or wait, in milliseconds
 * @throws TimeoutError with `message` if it takes longer
 */
export function loadWithin<T>(
  limitMs: number,
  load: () => Promise<T>,
  message: string,
  thread: Thread = thisThread,
): Promise<T> {
  return new Promise((loaded, failed) => {
    const stopLimit = limitWork(thread, limitMs, () => failed(new TimeoutError(message)));
    load().then(loaded, failed).finally(stopLimit);
  });
}
