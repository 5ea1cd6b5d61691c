// Recurrence rules as offered in the form.
import { t } from '@keelson/web';

export const weekdays = [
  ['MO', t('Monday')],
  ['TU', t('Tuesday')],
  ['WE', t('Wednesday')],
  ['TH', t('Thursday')],
  ['FR', t('Friday')],
  ['SA', t('Saturday')],
  ['SU', t('Sunday')],
] as const;

export const frequencies = { DAILY: t('days'), WEEKLY: t('weeks'), MONTHLY: t('months'), YEARLY: t('years') } as const;
export type Frequency = keyof typeof frequencies;

/** Which day of the month. */
export const monthDays = {
  date: t('on a date'),
  last: t('on the last day'),
  weekday: t('on a weekday, such as the second Tuesday'),
  first_workday: t('on the first weekday, Monday to Friday'),
  last_workday: t('on the last weekday, Monday to Friday'),
} as const;
export type MonthDay = keyof typeof monthDays;

export const positions = [
  { value: '1', label: t('First') },
  { value: '2', label: t('Second') },
  { value: '3', label: t('Third') },
  { value: '4', label: t('Fourth') },
  { value: '-1', label: t('Last') },
] as const;

export interface Rhythm {
  readonly freq: Frequency;
  readonly interval: number;
  /** For weekly rules. */
  readonly days: readonly string[];
  readonly monthDay: MonthDay;
  readonly date: number;
  readonly position: string;
  readonly weekday: string;
  readonly ends: 'never' | 'on' | 'after';
  readonly until: string;
  readonly count: number;
}

export const usual: Rhythm = {
  freq: 'WEEKLY',
  interval: 1,
  days: ['MO'],
  monthDay: 'date',
  date: 1,
  position: '1',
  weekday: 'MO',
  ends: 'never',
  until: '',
  count: 10,
};

const WORKDAYS = 'MO,TU,WE,TH,FR';

/** Returns the RRULE for a schedule: `FREQ=WEEKLY;BYDAY=MO`. */
export function ruleOf(rhythm: Rhythm): string {
  const { freq, interval, days, ends, until, count } = rhythm;
  const parts = [`FREQ=${freq}`];
  if (interval > 1) parts.push(`INTERVAL=${interval}`);
  if (freq === 'WEEKLY' && days.length > 0) parts.push(`BYDAY=${days.join()}`);
  if (freq === 'MONTHLY') parts.push(monthPart(rhythm));
  if (ends === 'on' && until) parts.push(`UNTIL=${until.replaceAll('-', '')}`);
  if (ends === 'after') parts.push(`COUNT=${count}`);
  return parts.join(';');
}

function monthPart({ monthDay, date, position, weekday }: Rhythm): string {
  switch (monthDay) {
    case 'date':
      return `BYMONTHDAY=${date}`;
    case 'last':
      return 'BYMONTHDAY=-1';
    case 'weekday':
      return `BYDAY=${position}${weekday}`;
    case 'first_workday':
      return `BYDAY=${WORKDAYS};BYSETPOS=1`;
    case 'last_workday':
      return `BYDAY=${WORKDAYS};BYSETPOS=-1`;
  }
}

/** Returns the schedule for an RRULE; undefined if the form cannot express it. */
export function rhythmOf(rrule: string): Rhythm | undefined {
  const parts = new Map(rrule.split(';').map((each) => each.split('=') as [string, string]));
  const until = (parts.get('UNTIL') ?? '').replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
  const count = Number(parts.get('COUNT') ?? usual.count);
  const byDay = parts.get('BYDAY') ?? '';
  const [, position, weekday] = /^(-?\d)(\w\w)$/.exec(byDay) ?? [];
  const byMonthDay = parts.get('BYMONTHDAY');
  const rhythm: Rhythm = {
    freq: (parts.get('FREQ') ?? 'DAILY') as Frequency,
    interval: Number(parts.get('INTERVAL') ?? 1),
    days: parts.get('FREQ') === 'WEEKLY' && byDay ? byDay.split(',') : [],
    monthDay: monthDayOf(parts.get('BYSETPOS'), byMonthDay, position),
    date: Number(byMonthDay) > 0 ? Number(byMonthDay) : 1,
    position: position ?? '1',
    weekday: weekday ?? 'MO',
    ends: until ? 'on' : parts.has('COUNT') ? 'after' : 'never',
    ...{ until, count },
  };
  return ruleOf(rhythm) === rrule ? rhythm : undefined;
}

function monthDayOf(setPos: string | undefined, date: string | undefined, position: string | undefined): MonthDay {
  if (setPos !== undefined) return setPos === '1' ? 'first_workday' : 'last_workday';
  if (position !== undefined) return 'weekday';
  return date === '-1' ? 'last' : 'date';
}
