// Computes who is on call: members rotate weekly, overrides replace them, and the next member covers for an absent one.
// Nothing is stored, so a change to the rota applies immediately.
import { addDays, type Day, type Timestamp } from '@keelson/core';
import { readMoment, type Zone } from '@keelson/core/kit';

export interface Rota {
  readonly zone: Zone;
  /** The day of the first handover. */
  readonly from: Day;
  /** Local time: `09:00`. */
  readonly handover: string;
  /** The technicians in rotation order. */
  readonly order: readonly number[];
}

interface Span {
  readonly user_id: number;
  readonly from: Timestamp;
  readonly to: Timestamp;
}
export interface Override extends Span {
  readonly override_id: number;
}

export interface Shift {
  readonly from: Timestamp;
  readonly to: Timestamp;
  /** Null if no one can be on call. */
  readonly user_id: number | null;
  /** The override that puts them on call; null for the rotation. */
  readonly override_id: number | null;
}

const WEEK = 7 * 86_400_000;

/** Returns the shifts of a rota between two instants, in order. A shift ends when another technician takes over. */
export function shiftsBetween(
  rota: Rota,
  overrides: readonly Override[],
  absences: readonly Span[],
  start: Timestamp,
  end: Timestamp,
): Shift[] {
  const inside = (at: Timestamp) => at > start && at < end;
  const changes = [
    ...handoversBetween(rota, start, end),
    ...[...overrides, ...absences].flatMap((each) => [each.from, each.to]),
  ];
  const starts = [start, ...new Set(changes.filter(inside))].toSorted((a, b) => (a < b ? -1 : 1));
  const shifts: Shift[] = [];
  for (const [at, from] of starts.entries()) {
    const next = { from, to: starts[at + 1] ?? end, ...onCallAt(rota, overrides, absences, from) };
    const last = shifts.at(-1);
    if (last && last.user_id === next.user_id && last.override_id === next.override_id)
      shifts[shifts.length - 1] = { ...last, to: next.to };
    else shifts.push(next);
  }
  return shifts;
}

const covers = (at: Timestamp) => (span: Span) => span.from <= at && at < span.to;

function onCallAt(
  rota: Rota,
  overrides: readonly Override[],
  absences: readonly Span[],
  at: Timestamp,
): Pick<Shift, 'user_id' | 'override_id'> {
  // The latest override applies.
  const [override] = overrides.filter(covers(at)).toSorted((a, b) => b.override_id - a.override_id);
  if (override) return { user_id: override.user_id, override_id: override.override_id };
  const week = weekAt(rota, at);
  const absent = new Set(absences.filter(covers(at)).map(({ user_id }) => user_id));
  const { order } = rota;
  const turns = week < 0 ? [] : order.map((_, i) => order[(week + i) % order.length]);
  return { user_id: turns.find((each) => each !== undefined && !absent.has(each)) ?? null, override_id: null };
}

/** The last instant that can be stored. */
const LAST = '9999-12-31T23:59:59.999Z';

/** Returns the start of a rota week; daylight saving does not shift its local time. */
function handoverOf({ from, handover, zone }: Rota, week: number): Timestamp {
  if (Date.parse(`${from}T00:00:00.000Z`) + week * WEEK > Date.parse(LAST)) return LAST;
  const day = addDays(from, 7 * week);
  return readMoment(`${day}T${handover}`, zone) ?? LAST;
}

/** Returns the number of the week that contains an instant; negative before the first. */
function weekAt(rota: Rota, at: Timestamp): number {
  const about = Math.floor((Date.parse(at) - Date.parse(handoverOf(rota, 0))) / WEEK);
  if (handoverOf(rota, about) > at) return about - 1;
  return handoverOf(rota, about + 1) <= at ? about + 1 : about;
}

function handoversBetween(rota: Rota, start: Timestamp, end: Timestamp): Timestamp[] {
  const found: Timestamp[] = [];
  for (let week = Math.max(0, weekAt(rota, start)); ; week++) {
    const at = handoverOf(rota, week);
    if (at >= end) return found;
    found.push(at);
  }
}
