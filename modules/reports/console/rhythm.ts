// A schedule in everyday terms, and the cron expression that stores it.

export interface Rhythm {
  readonly every: 'day' | 'week' | 'month';
  /** `08:30`. */
  readonly at: string;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** Day of the month, 1 to 28, so that every month has it. */
  readonly day: number;
}

export const usualRhythm: Rhythm = { every: 'week', at: '08:00', weekday: 1, day: 1 };

/** @example cronOf({ every: 'week', at: '08:30', weekday: 1, day: 1 }); // '30 8 * * 1' */
export function cronOf({ every, at, weekday, day }: Rhythm): string {
  const [hour = 0, minute = 0] = at.split(':').map(Number);
  const days = { day: '* * *', week: `* * ${weekday}`, month: `${day} * *` };
  return `${minute} ${hour} ${days[every]}`;
}

/** Returns the schedule for an expression that `cronOf` could have produced; undefined for any other. */
export function rhythmOf(cron: string): Rhythm | undefined {
  const found = /^([0-5]?\d) ([01]?\d|2[0-3]) (\*|[1-9]|1\d|2[0-8]) \* (\*|[0-6])$/.exec(cron.trim());
  if (!found) return undefined;
  const [, minute = '', hour = '', day = '', weekday = ''] = found;
  const at = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  if (day !== '*' && weekday !== '*') return undefined;
  if (day !== '*') return { ...usualRhythm, every: 'month', at, day: Number(day) };
  if (weekday !== '*') return { ...usualRhythm, every: 'week', at, weekday: Number(weekday) };
  return { ...usualRhythm, every: 'day', at };
}
