// Limits text searches, which may read every row. Few run at once, to keep connections free for other requests, and a
// per-caller rate limit allows for a person typing.
import { fairQueue } from '@keelson/kit/fair-queue.ts';
import { isSearch } from '@keelson/kit/param.ts';
import { tooMany } from '@keelson/kit/problem.ts';
import { queryShape } from '@keelson/kit/validate.ts';
import type { z } from 'zod';
import type { App } from '../plugin/app.ts';
import { perApp } from '../plugin/per-app.ts';

/** Searches per caller in 60 seconds. */
const PER_MINUTE = 60;
/** Maximum queued searches per caller. */
const WAITING = 4;

/** One search per four connections. The rest stay free for short queries. */
const turnsOf = perApp(({ config }) =>
  fairQueue({ atOnce: Math.max(1, Math.floor(config.databasePool / 4)), waiting: WAITING, full: () => tooMany(1) }),
);

/** Runs a search when it is the caller's turn. @throws tooMany() when over the caller's rate or queue limit */
export async function inSearchTurn<R>(app: App, caller: string, work: () => Promise<R>): Promise<R> {
  const { allowed, retryAfter } = await app.limiter.take(`search:${caller}`, PER_MINUTE);
  if (!allowed) throw tooMany(retryAfter, 'Too many searches');
  return turnsOf(app)(caller, work);
}

/** Returns a predicate that is true if a route's parameters contain a text search. */
export function searchTest(query: z.ZodType | undefined): (given: unknown) => boolean {
  const shape = queryShape(query)?.shape ?? {};
  const names = Object.keys(shape).filter((each) => isSearch(shape[each]));
  if (names.length === 0) return () => false;
  return (given) => names.some((each) => Reflect.get(Object(given), each) !== undefined);
}
