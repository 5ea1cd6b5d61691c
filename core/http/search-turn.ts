// Text searches may read every row, so only few run at the same time, which keeps connections free for other requests, and
// each caller has a rate limit that is enough for a person who types.
import type { z } from 'zod';
import type { App } from '../plugin/app.ts';
import { isSearch } from '../kit/param.ts';
import { perApp } from '../plugin/per-app.ts';
import { tooMany } from '../kit/problem.ts';
import { fairQueue } from '../kit/fair-queue.ts';
import { queryShape } from '../kit/validate.ts';

/** Searches of one caller in 60 seconds. */
const PER_MINUTE = 60;
/** Searches of one caller that may wait. */
const WAITING = 4;

/** One search for every four connections; the others stay free for short work. */
const turnsOf = perApp(({ config }) =>
  fairQueue({ atOnce: Math.max(1, Math.floor(config.databasePool / 4)), waiting: WAITING, full: () => tooMany(1) }),
);

/** Runs a search when it is the caller's turn. @throws tooMany() when it searches too often, or too many of its searches wait */
export async function inSearchTurn<R>(app: App, caller: string, work: () => Promise<R>): Promise<R> {
  const { allowed, retryAfter } = await app.limiter.take(`search:${caller}`, PER_MINUTE);
  if (!allowed) throw tooMany(retryAfter, 'Too many searches');
  return turnsOf(app)(caller, work);
}

/** A function that says whether a route's parameters ask for a text search. */
export function searchTest(query: z.ZodType | undefined): (given: unknown) => boolean {
  const shape = queryShape(query)?.shape ?? {};
  const names = Object.keys(shape).filter((each) => isSearch(shape[each]));
  if (names.length === 0) return () => false;
  return (given) => names.some((each) => Reflect.get(Object(given), each) !== undefined);
}
