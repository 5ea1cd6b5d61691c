// Formatting of appointments. Times are in the viewer's time zone.
import { t, locale } from '@keelson/web';
import type { Row } from '@keelson/web';

export type Person = Row<'GET /dispatch/board.php'>;
export type Appointment = Person['appointments'][number];

export const kinds: Readonly<Record<Appointment['kind'], string>> = {
  work: t('Work'),
  visit: t('Visit'),
  call: t('Call'),
  travel: t('Travel'),
};
export const states: Readonly<Record<Appointment['confirmation'], string>> = {
  none: '',
  asked: t('not confirmed yet'),
  confirmed: t('confirmed'),
  declined: t('declined'),
};

export const DAY_MS = 86_400_000;
export const STEP_MINUTES = 30;

/** Returns the local date: `2026-03-02`. */
export const dayOf = (at: Date): string => at.toLocaleDateString('sv');

/** Returns local midnight a number of days after a date. */
export function midnight(day: string, later = 0): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later);
}

/** Returns the Monday of a date's week. */
export function mondayOf(day: string): string {
  const at = midnight(day);
  return dayOf(midnight(day, -((at.getDay() + 6) % 7)));
}

export const timeOf = (at: string): string =>
  new Date(at).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' });

export const titleOf = (each: Appointment): string =>
  each.ticket_number === null
    ? each.note || kinds[each.kind]
    : `${each.ticket_number} ${each.ticket_subject ?? ''}`.trim();

/** Text for screen readers: `Visit: 1004 Cabling, 09:00–10:00, conflict`. */
export const said = (each: Appointment): string =>
  [
    `${kinds[each.kind]}: ${titleOf(each)}`,
    `${timeOf(each.starts_at)}–${timeOf(each.ends_at)}`,
    states[each.confirmation],
    each.conflict ? t('conflict') : '',
  ]
    .filter(Boolean)
    .join(', ');
