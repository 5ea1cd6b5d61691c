import { countMessage, fieldLabel, labelOf } from '@keelson/words/labels';
import { language, locale, t } from './shell/words.ts';
// Formatting of numbers, dates and amounts in the browser's locale.

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;
const short = { year: 'y', month: 'mo', week: 'w', day: 'd', hour: 'h', minute: 'min' } as const;

const relative = new Intl.RelativeTimeFormat(locale, { style: 'short' });

/** Formats a relative time: `4h ago`, `in 3d`, `now`. */
export function ago(at: string | number | Date, now = Date.now()): string {
  const seconds = (now - new Date(at).getTime()) / 1000;
  const size = Math.abs(seconds);
  for (const [unit, length] of units) {
    if (size < length) continue;
    const count = Math.floor(size / length);
    if (language !== 'en') return relative.format(seconds > 0 ? -count : count, unit);
    return seconds > 0 ? `${count}${short[unit]} ago` : `in ${count}${short[unit]}`;
  }
  return t('now');
}

const dateForm = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const dayForm = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
const monthForm = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' });
const momentForm = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
// Quantities and tax rates have up to four decimals.
const most = { maximumFractionDigits: 4 };
const percentForm = new Intl.NumberFormat(locale, { style: 'percent', ...most });
const numberForm = new Intl.NumberFormat(locale, most);

/** Formats a timestamp or a date such as `2026-11-23`, which has no time zone. */
export function date(at: string | number | Date): string {
  if (typeof at === 'string' && /^\d{4}-\d\d-\d\d$/.test(at)) return dayForm.format(new Date(at));
  return dateForm.format(new Date(at));
}

/** Formats the month of a date, or a month such as `2026-11`. */
export const month = (at: string | number): string => monthForm.format(new Date(at));

/** Returns today's date in the person's time zone, not in UTC. */
export function localToday(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

export const moment = (at: string | number | Date): string => momentForm.format(new Date(at));
export const number = (value: number): string => numberForm.format(value);
/** Formats 33 as `33%`, or `33 %` where that is usual. */
export const percent = (value: number): string => percentForm.format(value / 100);

/** Formats a count with its noun: `1 company`, `12 companies`. */
export const counted = (count: number, noun: string): string => t(countMessage(noun), { count });

/** Formats minutes as `1 h 30 min`; negative values as `−30 min`. */
export function minutes(value: number): string {
  if (value < 0) return `−${minutes(-value)}`;
  const hours = Math.floor(value / 60);
  const rest = Math.round(value % 60);
  if (hours === 0) return t('{rest} min', { rest });
  return rest === 0 ? t('{hours} h', { hours }) : t('{hours} h {rest} min', { hours, rest });
}

/** Formats an amount given in currency units: `money(12.5, 'EUR')`. */
export function money(amount: number | string, currency: string | null | undefined): string {
  const value = Number(amount);
  if (!currency) return value.toFixed(2);
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(value);
}

const MOST_PRICE_DECIMALS = 6;

/** Formats a unit price, which may have more decimals than its currency: `unitPrice(0.02925, 'EUR')`. */
export function unitPrice(amount: number | string, currency: string | null | undefined): string {
  const form = {
    maximumFractionDigits: MOST_PRICE_DECIMALS,
    ...(currency && { style: 'currency' as const, currency }),
  };
  return new Intl.NumberFormat(locale, form).format(Number(amount));
}

export function fileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const power = Math.min(4, Math.floor(Math.log2(bytes) / 10));
  return `${numberForm.format(Math.round((bytes / 1024 ** power) * 10) / 10)} ${['B', 'KB', 'MB', 'GB', 'TB'][power]}`;
}

/** Formats `in_progress` as `In progress` and `ticket.created` as `Ticket created`. */
export const words = (name: string, context?: string): string => t(labelOf(name), undefined, context);

/** Returns the label of a field: `Company` for `company_name`, `Last seen` for `last_seen_at`. */
export const titleOf = (name: string): string => t(fieldLabel(name));

/** Returns a timestamp as local time for an input: `2026-03-02T09:00`. */
export function inputTime(at: string | undefined): string | undefined {
  if (!at) return undefined;
  const date = new Date(at);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Returns a name's initials for its avatar. */
export function initials(name: string): string {
  const parts = name.trim().split(/\s+/);
  const first = letterOf(parts[0]) || '?';
  const second = parts.length > 1 ? letterOf(parts.at(-1)) : '';
  return (first + second).toUpperCase();
}

const letterOf = (word = ''): string => String.fromCodePoint(word.codePointAt(0) ?? 32).trim();

/** Formats a primitive as text. Empty string for null and objects. */
export function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

const folded = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns whether a text contains every word of another, ignoring case and accents. */
export function containsWords(text: string, words: string): boolean {
  const own = folded(text);
  return folded(words)
    .split(/[\s/]+/)
    .every((word) => own.includes(word));
}
