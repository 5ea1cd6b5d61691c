import { dayIn, instant, type Zone } from '@keelson/core/kit';
import { worded, type Spoken } from '@keelson/core/plugin';
import type { Appointment } from './entities.ts';

/** Formats an appointment's time: `4 Mar 2026, 09:00–10:30 (Europe/Berlin)`. */
export function spanInWords({ starts_at, ends_at }: Pick<Appointment, 'starts_at' | 'ends_at'>, zone: Zone): Spoken {
  const local = (at: string) => instant(Date.parse(at) + zone.offsetAt(Date.parse(at))).slice(11, 16);
  const [first, last] = [dayIn(zone, starts_at), dayIn(zone, ends_at)];
  const values = { day: { day: first }, from: local(starts_at), to: local(ends_at), zone: zone.name };
  if (first === last) return worded('{day}, {from}–{to} ({zone})', values);
  return worded('{day}, {from}–{last}, {to} ({zone})', { ...values, last: { day: last } });
}
