// Runs a backup drill beside a running server, in a worker thread: restoring many rows into an embedded database would
// block every request.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Installed } from './restore-backup.ts';

export interface Drill {
  readonly config: Installed['config'];
  readonly path: string;
}

/** Restores a backup into a scratch database and compares it. @throws Error describing what is wrong with it */
export async function drill(work: Drill): Promise<void> {
  const worker = new Worker(new URL('drill-worker.ts', import.meta.url), { workerData: work });
  const [code] = await once(worker, 'exit');
  if (code !== 0) throw new Error(`The restore drill exited with ${code}`);
}
