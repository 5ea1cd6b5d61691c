// Several processes on one machine: WEB_PROCESSES that serve the same port, and one for jobs. The parent process only
// distributes connections, replaces processes that die, and merges their metrics.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '@keelson/kit/message-of.ts';
import type { AskedMetrics, MetricsOfAll } from '@keelson/log/metrics-of-all.ts';
import { AggregatorRegistry } from 'prom-client';
import { root } from '../plugin/load/plugin-files.ts';

/** Delay before restarting a process that cannot start, for example while the database is down. */
const PAUSE_MS = 1000;

type Part = 'web' | 'jobs';

/** Messages to the parent process. */
type Told = { readonly ready: true } | AskedMetrics;

export interface Several {
  /**
   * Starts the processes; resolves when all are ready. The first one migrates an empty database and builds the pages
   * before the others start.
   * @throws Error if one of them cannot start; it has already printed why
   */
  start(): Promise<void>;
  /** Stops all processes; resolves when the last has ended. */
  close(): Promise<void>;
}

/** Returns functions that start and stop `count` web processes and one for jobs. */
export function prepareSeveral(count: number): Several {
  const aggregator = new AggregatorRegistry();
  const running = new Set<Worker>();
  let stopping = false;

  const begin = (part: Part): Worker => {
    cluster.setupPrimary({ exec: join(root, 'start.js'), args: [`--only=${part}`] });
    const worker = cluster.fork();
    running.add(worker);
    worker.on('message', (told: Told) => {
      if ('question' in told) void answerMetrics(worker, told.question);
    });
    worker.once('exit', () => running.delete(worker));
    return worker;
  };

  const answerMetrics = async (worker: Worker, question: string) => {
    const text = await aggregator.clusterMetrics().catch((error: unknown) => {
      process.stderr.write(`The metrics of all processes could not be read: ${messageOf(error)}\n`);
    });
    if (worker.isConnected()) worker.send({ question, ...(text && { text }) } satisfies MetricsOfAll);
  };

  const keep = (part: Part, worker: Worker) => {
    worker.once('exit', (code: number | null, signal: string | null) => {
      if (stopping) return;
      process.stderr.write(`A ${part} process ended with ${signal ?? `code ${code}`}; starting another one.\n`);
      void replace(part);
    });
  };

  const replace = async (part: Part) => {
    await wait(PAUSE_MS);
    if (!stopping) keep(part, begin(part));
  };

  const close = async () => {
    stopping = true;
    const ended = [...running].map((worker) => once(worker, 'exit'));
    for (const worker of running) worker.process.kill('SIGTERM');
    await Promise.all(ended);
  };

  const startOne = async (part: Part) => {
    const worker = begin(part);
    await ready(worker, part);
    keep(part, worker);
  };
  const start = async () => {
    try {
      await startOne('web');
      await Promise.all([startOne('jobs'), ...Array.from({ length: count - 1 }, () => startOne('web'))]);
    } catch (error) {
      await close();
      throw error;
    }
  };
  return { start, close };
}

async function ready(worker: Worker, part: Part): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  worker.on('message', (told: Told) => 'ready' in told && resolve());
  worker.once('exit', () => reject(new Error(`A ${part} process could not start.`)));
  await promise;
}
