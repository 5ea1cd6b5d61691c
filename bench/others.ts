// Simulates another client during a large operation.
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'undici';
import type { Request } from './load-job.ts';

/** Sends one request after another until `work` settles; returns the sorted response times in milliseconds. */
export async function besides<R>(
  port: number,
  { path, headers }: Request,
  work: () => Promise<R>,
): Promise<{ readonly done: R; readonly times: readonly number[] }> {
  const times: number[] = [];
  let running = true;
  const client = new Client(`http://127.0.0.1:${port}`);
  const asking = (async () => {
    while (running) {
      const began = performance.now();
      const answer = await client.request({ method: 'GET', path, headers });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`${path} responded ${answer.statusCode}`);
      times.push(performance.now() - began);
      await wait(5);
    }
  })();
  try {
    const done = await work();
    running = false;
    await asking;
    return { done, times: times.toSorted((a, b) => a - b) };
  } finally {
    running = false;
    await client.close();
  }
}

/** Returns the event loop delay since the previous call, in milliseconds, from the product's metrics. */
export async function eventLoopP99(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const seconds = /^nodejs_eventloop_lag_p99_seconds(?:\{[^}]*\})? (\S+)/m.exec(text)?.[1];
  return Number(seconds) * 1000;
}

/** Returns the value below which this share of the values lies. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted.at(Math.min(sorted.length - 1, Math.floor(sorted.length * share))) ?? 0;
