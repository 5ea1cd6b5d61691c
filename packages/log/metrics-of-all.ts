// With WEB_PROCESSES, /metrics reaches one of the processes. That process responds with the metrics of all, merged by
// the process that started them (process/several.ts).
import cluster from 'node:cluster';
import { newId } from '@keelson/kit/random.ts';
import { withTimeout } from '@keelson/kit/timeout.ts';

/** A request from a process. */
export interface AskedMetrics {
  /** The id of the request. */
  readonly question: string;
}

/** The response; without text if a process did not respond in time. */
export interface MetricsOfAll extends AskedMetrics {
  readonly text?: string;
}

/** Longer than merging can take. */
const SECONDS = 6;

/**
 * Returns the merged page; undefined if this is the only process.
 * @throws Error if it is not available
 */
export async function metricsOfAll(): Promise<string | undefined> {
  if (!cluster.isWorker) return undefined;
  const question = newId();
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const listen = (told: Partial<MetricsOfAll>) => {
    if (told.question === question) resolve(told.text);
  };
  process.on('message', listen);
  try {
    process.send?.({ question } satisfies AskedMetrics);
    const text = await withTimeout(SECONDS, () => promise, 'The first process did not answer');
    if (text === undefined) throw new Error('Another process did not answer');
    return text;
  } finally {
    process.off('message', listen);
  }
}
