// A technician's availability (D-22), from the last request and the manually set status.
import { secondsBetween, type Row, type Timestamp } from '@keelson/core';
import type { Technician } from '../entities/technician.ts';

export const availabilities = ['available', 'busy', 'away', 'offline'] as const;
export type Availability = (typeof availabilities)[number];

const AWAY_SECONDS = 15 * 60;
const OFFLINE_SECONDS = 60 * 60;

/** An idle technician is away or offline, even if busy. */
export function availabilityOf(
  { active, busy, last_activity_at }: Pick<Row<typeof Technician>, 'active' | 'busy' | 'last_activity_at'>,
  now: Timestamp,
): Availability {
  const silent = last_activity_at === null ? Infinity : secondsBetween(last_activity_at, now);
  if (!active || silent >= OFFLINE_SECONDS) return 'offline';
  if (silent >= AWAY_SECONDS) return 'away';
  return busy ? 'busy' : 'available';
}
