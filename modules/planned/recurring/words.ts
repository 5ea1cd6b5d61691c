// Describes recurrence rules: `Every 2 weeks on Monday and Thursday`.
import { In, type Context } from '@keelson/core';
import { dayInWords } from '@keelson/core/kit';
import { callerWording, type Wording } from '@keelson/core/plugin';
import { RecurringTicket } from './entities.ts';
import { readRule, type Frequency, type Rule, type Weekday } from './rule.ts';

type Words = Pick<Wording, 't' | 'language'>;
type Translate = Words['t'];

const names: Readonly<Record<Weekday, (t: Translate) => string>> = {
  MO: (t) => t('Monday'),
  TU: (t) => t('Tuesday'),
  WE: (t) => t('Wednesday'),
  TH: (t) => t('Thursday'),
  FR: (t) => t('Friday'),
  SA: (t) => t('Saturday'),
  SU: (t) => t('Sunday'),
};
const paces: Readonly<Record<Frequency, (t: Translate, interval: number) => string>> = {
  DAILY: (t, interval) => t('Every {interval, plural, one {day} other {# days}}', { interval }),
  WEEKLY: (t, interval) => t('Every {interval, plural, one {week} other {# weeks}}', { interval }),
  MONTHLY: (t, interval) => t('Every {interval, plural, one {month} other {# months}}', { interval }),
  YEARLY: (t, interval) => t('Every {interval, plural, one {year} other {# years}}', { interval }),
};
/** Place of a day within its month, from -5 to 5, as in “the second Tuesday”. */
const places: Readonly<Partial<Record<number, (t: Translate) => string>>> = {
  1: (t) => t('first', {}, 'day of the month'),
  2: (t) => t('second', {}, 'day of the month'),
  3: (t) => t('third', {}, 'day of the month'),
  4: (t) => t('fourth', {}, 'day of the month'),
  5: (t) => t('fifth', {}, 'day of the month'),
  [-1]: (t) => t('last', {}, 'day of the month'),
  [-2]: (t) => t('second to last', {}, 'day of the month'),
  [-3]: (t) => t('third to last', {}, 'day of the month'),
  [-4]: (t) => t('fourth to last', {}, 'day of the month'),
  [-5]: (t) => t('fifth to last', {}, 'day of the month'),
};

/** Describes a valid rule; returns an empty string for an invalid one. */
export function ruleInWords(rrule: string, wording: Words): string {
  const rule = readRule(rrule);
  if (typeof rule === 'string') return '';
  const { t, language } = wording;
  const said = withDays(paces[rule.freq](t, rule.interval), rule, wording);
  if (rule.count !== undefined)
    return t('{rule} {count, plural, one {once} other {# times}}', { rule: said, count: rule.count });
  return rule.until === undefined
    ? said
    : t('{rule} until {day}', { rule: said, day: dayInWords(rule.until, language) });
}

/** Describes the rules of recurring tickets in the caller's language. */
export async function schedulesInWords(ctx: Context, ids: readonly number[]): Promise<Map<number, string>> {
  const wording = await callerWording(ctx);
  const rows = await ctx.db.findBy(RecurringTicket, { recurring_id: In([...ids]) });
  return new Map(rows.map(({ recurring_id, rrule }) => [recurring_id, ruleInWords(rrule, wording)]));
}

function withDays(pace: string, { byDay, byMonthDay, bySetPos }: Rule, wording: Words): string {
  const { t } = wording;
  const on = (days: string) => t('{pace} on {days}', { pace, days });
  if (byMonthDay.length > 0)
    return on(
      joined(
        byMonthDay.map((each) => monthDay(each, t)),
        wording,
      ),
    );
  if (byDay.length === 0) return pace;
  const days = byDay.map(({ day }) => day);
  if (bySetPos !== undefined) {
    const values = { place: placeInWords(bySetPos, t), day: setInWords(days, wording) };
    return on(t('the {place} {day}', values));
  }
  if (isWeekdays(days) && byDay.every(({ nth }) => nth === 0)) return t('{pace} on weekdays', { pace });
  return on(
    joined(
      byDay.map(({ day, nth }) =>
        nth === 0 ? names[day](t) : t('the {place} {day}', { place: placeInWords(nth, t), day: names[day](t) }),
      ),
      wording,
    ),
  );
}

function monthDay(day: number, t: Translate): string {
  if (day === -1) return t('the last day');
  const values = { day: Math.abs(day) };
  return day < 0
    ? t('the {day, selectordinal, one {#st} two {#nd} few {#rd} other {#th}} day from the end', values)
    : t('the {day, selectordinal, one {#st} two {#nd} few {#rd} other {#th}}', values);
}

const placeInWords = (nth: number, t: Translate): string => places[nth]?.(t) ?? '';

function setInWords(set: readonly Weekday[], wording: Words): string {
  const { t } = wording;
  if (isWeekdays(set)) return t('weekday');
  if (set.length === 7) return t('day');
  return joined(
    set.map((each) => names[each](t)),
    wording,
    'disjunction',
  );
}

const isWeekdays = (set: readonly Weekday[]): boolean =>
  new Set(set).size === 5 && !set.includes('SA') && !set.includes('SU');

/** Joins texts: `Monday, Tuesday and Friday`. */
function joined(parts: readonly string[], { language }: Words, type: 'conjunction' | 'disjunction' = 'conjunction') {
  return new Intl.ListFormat(language === 'en' ? 'en-GB' : language, { type }).format(parts);
}
