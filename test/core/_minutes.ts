// Working time counted minute by minute, as an oracle for the calculation.
import type { Span, WorkingHours } from '../../modules/levels/working-time.ts';
import { fc } from '../_random.ts';

export const MINUTE = 60_000;

/** Weeks with clock changes in the zones, and one without. */
export const weeks: readonly (readonly [zone: string, day: string])[] = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  // A clock change of half an hour.
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['America/St_Johns', '2026-11-01'],
  ['Africa/Casablanca', '2026-02-15'],
  ['Europe/Lisbon', '2026-10-25'],
  ['America/Santiago', '2026-04-05'],
  ['Asia/Kathmandu', '2026-06-01'],
  // There was no 30 December 2011 in this zone.
  ['Pacific/Apia', '2011-12-30'],
  ['UTC', '2026-02-28'],
];

export interface Minute {
  readonly day: string;
  readonly weekday: number;
  readonly minute: number;
}

/** The local time of each minute of the days around a date. */
export function localMinutes(
  zone: string,
  around: string,
  days: number,
): { readonly start: number; readonly minutes: readonly Minute[] } {
  const form = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  const start = Date.parse(`${around}T00:00:00Z`) - (days / 2) * 1440 * MINUTE;
  const minutes = Array.from({ length: days * 1440 }, (_, i) => {
    const [day = '', time = ''] = form.format(start + i * MINUTE).split(' ');
    const [hour = 0, minute = 0] = time.split(':').map(Number);
    return { day, weekday: (new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7, minute: hour * 60 + minute };
  });
  return { start, minutes };
}

export const isOpen = (hours: WorkingHours, each: Minute): boolean => isWithin(spansOf(hours, each), each.minute);

export const spansOf = ({ week, days }: WorkingHours, { day, weekday }: Minute): readonly Span[] =>
  days.get(day) ?? week[weekday] ?? [];

export function isWithin(of: readonly Span[], minute: number): boolean {
  for (const [from, to] of of) if (from <= minute && minute < to) return true;
  return false;
}

/** Spans of a day in order; often none. */
export const spans = fc
  .uniqueArray(
    fc.oneof(
      fc.integer({ min: 0, max: 96 }).map((n) => n * 15),
      fc.integer({ min: 0, max: 1440 }),
    ),
    {
      maxLength: 6,
    },
  )
  .map((cuts): Span[] => {
    const sorted = cuts.toSorted((a, b) => a - b);
    return Array.from({ length: Math.floor(sorted.length / 2) }, (_, i) => [
      sorted[2 * i] ?? 0,
      sorted[2 * i + 1] ?? 0,
    ]);
  });
