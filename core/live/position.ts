// The `id` of an event: the reader's position and the time, because the feed keeps only 15 minutes.
import { secondsBetween, type Timestamp } from '../kit/time.ts';

/** Shorter than the retention, so that nothing after the position is pruned yet. */
const KEPT_SECONDS = 14 * 60;

export const nameOfPosition = (position: number, now: Timestamp): string => `${position}.${secondsOf(now)}`;

/** Returns the position in an id; undefined if the id is invalid or too old to resume from. */
export function positionIn(id: string, now: Timestamp): number | undefined {
  const [, position, at] = /^(\d{1,15})\.(\d{1,12})$/.exec(id) ?? [];
  if (position === undefined || at === undefined) return undefined;
  const age = secondsOf(now) - Number(at);
  return age < -60 || age > KEPT_SECONDS ? undefined : Number(position);
}

const secondsOf = (now: Timestamp): number => Math.floor(secondsBetween('1970-01-01T00:00:00.000Z', now));
