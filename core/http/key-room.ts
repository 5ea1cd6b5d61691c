// Limits the bytes stored per caller for idempotent responses. The rate limit already bounds the number of keys. Over
// the limit, keys are stored without their response, so no request is refused.
import { LRUCache } from 'lru-cache';
import type { App } from '../plugin/app.ts';
import type { Db } from '../database/db.ts';
import { perApp } from '../plugin/per-app.ts';
import type { Timestamp } from '../kit/time.ts';
import { sumAnswers } from './idempotency.ts';

/** Per caller in 24 hours: a day of creates at the default rate, with responses of 1 KB. */
export const MOST_BYTES = 192 * 1024 * 1024;
/** Bytes a process may store before recounting. A caller may exceed the limit by this much per process. */
const UNCOUNTED = 4 * 1024 * 1024;
/** Over the limit, recount after this many responses. */
const FULL_ANSWERS = 1000;

interface Room {
  bytes: number;
  /** Responses still to skip before recounting. */
  skip: number;
}

const rooms = perApp(() => new LRUCache<string, Room>({ max: 5000 }));

/** Returns the response if it fits the caller's quota, otherwise null. `now` decides which stored ones still count. */
export async function withinRoom(
  { app, db, now }: { readonly app: App; readonly db: Db; readonly now: Timestamp },
  principal: string,
  answer: string | null,
): Promise<string | null> {
  if (answer === null) return null;
  const known = rooms(app);
  const room = known.get(principal) ?? { bytes: 0, skip: 0 };
  known.set(principal, room);
  if (room.bytes < answer.length) {
    if (room.skip-- > 0) return null;
    const left = MOST_BYTES - (await sumAnswers(db, principal, now));
    Object.assign(room, { bytes: Math.min(left, UNCOUNTED), skip: FULL_ANSWERS });
    if (room.bytes < answer.length) return null;
  }
  room.skip = 0;
  room.bytes -= answer.length;
  return answer;
}
