// Limits what is stored of a caller's answers for idempotency keys: bytes, not keys. Nobody has more keys than their rate
// limit lets them send requests, and beyond the limit keys are kept without their answers, so that no request is refused.
import { LRUCache } from 'lru-cache';
import type { App } from '../plugin/app.ts';
import type { Db } from '../database/db.ts';
import { perApp } from '../plugin/per-app.ts';
import type { Timestamp } from '../kit/time.ts';
import { sumAnswers } from './idempotency.ts';

/** Of one caller in 24 hours: a day of creates at the usual rate, with answers of a kilobyte. */
export const MOST_BYTES = 192 * 1024 * 1024;
/** Bytes that a process stores before it counts again; a caller may exceed the limit by this much per process. */
const UNCOUNTED = 4 * 1024 * 1024;
/** When there is no room, it is counted again after so many answers. */
const FULL_ANSWERS = 1000;

interface Room {
  bytes: number;
  /** How many answers more are left out without counting. */
  skip: number;
}

const rooms = perApp(() => new LRUCache<string, Room>({ max: 5000 }));

/** The answer if there is room for it, otherwise null. `now` tells which stored ones still count. */
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
