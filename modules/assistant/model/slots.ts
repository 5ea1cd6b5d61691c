// Limits concurrent language-model calls. No one queues behind a slow call: without a free slot, the fallback answers.
import { perApp, type App } from '@keelson/core';

const OF_A_COMPANY = 4;
const IN_ALL = 16;

const runningOf = perApp(() => new Map<number | null, number>());

/** Runs the work if the company has a free slot. Otherwise returns undefined immediately. */
export async function inSlot<T>(app: App, company: number | null, work: () => Promise<T>): Promise<T | undefined> {
  const running = runningOf(app);
  const own = running.get(company) ?? 0;
  const all = [...running.values()].reduce((sum, each) => sum + each, 0);
  if (own >= OF_A_COMPANY || all >= IN_ALL) return undefined;
  running.set(company, own + 1);
  try {
    return await work();
  } finally {
    const left = (running.get(company) ?? 1) - 1;
    if (left === 0) running.delete(company);
    else running.set(company, left);
  }
}
