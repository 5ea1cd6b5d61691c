// Labels for clocks.
import { t, locale } from '@keelson/web';
import type { Data } from '@keelson/web';

export type Ticket = Data<'GET /tickets.php?id={id}'>;
export type Level = Ticket['service_levels'][number];
export type Kind = Level['kind'];

export const titles: Readonly<Record<Kind, string>> = {
  response: t('First response'),
  next_response: t('Next response'),
  resolution: t('Resolution'),
};

/** The event that ends each clock. */
export const ends: Readonly<Record<Kind, string>> = {
  response: t('first reply'),
  next_response: t('reply'),
  resolution: t('resolved'),
};

/** What pauses a clock. */
export const causes: Readonly<Record<NonNullable<Level['paused_by']>, string>> = {
  on_hold: t('on hold'),
  customer: t('waiting for the customer'),
  approval: t('waiting for approval'),
  outage: t('outage'),
};

/** Formats the time until or since an instant: `2 d 3 h`, `1 h 20 min`. */
export function distance(at: string, now: number): string {
  const minutes = Math.round(Math.abs(new Date(at).getTime() - now) / 60_000);
  const [days, hours, rest] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60];
  if (days > 0) return hours > 0 ? t('{days} d {hours} h', { days, hours }) : t('{days} d', { days });
  if (hours > 0) return rest > 0 ? t('{hours} h {rest} min', { hours, rest }) : t('{hours} h', { hours });
  return rest > 0 ? t('{rest} min', { rest }) : t('less than a minute');
}

/** Formats a time in its largest unit, for lists: `2 d`, `1 h`. */
export function coarse(at: string, now: number): string {
  const minutes = Math.floor(Math.abs(new Date(at).getTime() - now) / 60_000);
  const unit = minutes >= 1440 ? 1440 : minutes >= 60 ? 60 : 1;
  return distance(new Date(now + Math.floor(minutes / unit) * unit * 60_000).toISOString(), now);
}

const timeForm = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const dayForm = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' });

/** Formats an instant, without the date if it is today. */
export function moment(at: string, now: number): string {
  const date = new Date(at);
  const time = timeForm.format(date);
  return date.toDateString() === new Date(now).toDateString() ? time : `${dayForm.format(date)}, ${time}`;
}
