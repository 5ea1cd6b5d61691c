// The `id` of an event: how far its reader had come, and when, because the feed keeps only a quarter of an hour.
import { secondsBetween, type Timestamp } from '../kit/time.ts';

/** Less than what is kept, so that nothing can have been pruned since. */
const KEPT_SECONDS = 14 * 60;

export const nameOfPosition = (position: number, now: Timestamp): string => `${position}.${secondsOf(now)}`;

/** The position an id names; undefined when it is none, or too old to go on from. */
export function positionIn(id: string, now: Timestamp): number | undefined {
  const [, position, at] = /^(\d{1,15})\.(\d{1,12})$/.exec(id) ?? [];
  if (position === undefined || at === undefined) return undefined;
  const age = secondsOf(now) - Number(at);
  return age < -60 || age > KEPT_SECONDS ? undefined : Number(position);
}

const secondsOf = (now: Timestamp): number => Math.floor(secondsBetween('1970-01-01T00:00:00.000Z', now));
