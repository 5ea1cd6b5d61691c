// Limits the stored idempotency keys of a caller, because each keeps an answer for a day.
import { LRUCache } from 'lru-cache';
import type { Context } from '../plugin/context.ts';
import type { Db } from '../database/db.ts';
import { perApp } from '../plugin/per-app.ts';
import { tooMany } from '../kit/problem.ts';
import { plus, type Timestamp } from '../kit/time.ts';
import { countKeys } from './idempotency.ts';

const MOST_KEYS = 10_000;
/** New keys that a process accepts before it counts again; a caller may exceed the limit by this many per process. */
const UNCOUNTED = 500;
const RETRY_SECONDS = 3600;

interface Room {
  left: number;
  /** Until this moment new keys are refused without counting. */
  readonly full: Timestamp | undefined;
}

const rooms = perApp(() => new LRUCache<string, Room>({ max: 5000 }));

/** Checks the limit after a key was stored in `db`. @throws tooMany() when the caller has too many */
export async function requireRoom(ctx: Context, db: Db, principal: string): Promise<void> {
  const known = rooms(ctx.app);
  const room = known.get(principal);
  if (room && room.left > 0) {
    room.left--;
    return;
  }
  if (room?.full === undefined || room.full <= ctx.now) {
    const left = MOST_KEYS - (await countKeys(db, principal, ctx.now, MOST_KEYS + 1));
    const full = left < 0 ? plus(ctx.now, { minutes: 1 }) : undefined;
    known.set(principal, { left: Math.min(Math.max(0, left), UNCOUNTED), full });
    if (!full) return;
  }
  throw tooMany(RETRY_SECONDS, `Too many Idempotency-Keys: at most ${MOST_KEYS} are kept in 24 hours`);
}
