// A text search may look through every row there is. Few run at the same time, so that everybody else finds the database
// free, and nobody searches more often than a person types.
import type { z } from 'zod';
import type { App } from '../plugin/app.ts';
import { isSearch } from '../kit/param.ts';
import { perApp } from '../plugin/per-app.ts';
import { tooMany } from '../kit/problem.ts';
import { fairQueue } from '../kit/fair-queue.ts';
import { queryShape } from '../kit/validate.ts';

/** Searches of one caller in any 60 seconds. */
const PER_MINUTE = 60;
/** Searches of one caller that may wait for their turn. */
const WAITING = 4;

/** One search for every four connections: the others are always free for short work. */
const turnsOf = perApp(({ config }) =>
  fairQueue({ atOnce: Math.max(1, Math.floor(config.databasePool / 4)), waiting: WAITING, full: () => tooMany(1) }),
);

/** Runs `work`, a search of `whose`. @throws too-many when they search too often, or too many of theirs wait already */
export async function inSearchTurn<R>(app: App, whose: string, work: () => Promise<R>): Promise<R> {
  const { allowed, retryAfter } = await app.limiter.take(`search:${whose}`, PER_MINUTE);
  if (!allowed) throw tooMany(retryAfter, 'Too many searches');
  return turnsOf(app)(whose, work);
}

/** Tells of a route's parameters whether they ask for a text search. */
export function searchJudge(query: z.ZodType | undefined): (given: unknown) => boolean {
  const shape = queryShape(query)?.shape ?? {};
  const names = Object.keys(shape).filter((each) => isSearch(shape[each]));
  if (names.length === 0) return () => false;
  return (given) => names.some((each) => Reflect.get(Object(given), each) !== undefined);
}
