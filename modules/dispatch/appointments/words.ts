import { dayIn, dayInWords, instant, type Zone } from '@keelson/core/kit';
import type { Appointment } from './entities.ts';

/** Writes when an appointment is: `4 March 2026, 09:00–10:30 (Europe/Berlin)`. */
export function spanInWords({ starts_at, ends_at }: Pick<Appointment, 'starts_at' | 'ends_at'>, zone: Zone): string {
  const local = (at: string) => instant(Date.parse(at) + zone.offsetAt(Date.parse(at))).slice(11, 16);
  const [first, last] = [dayIn(zone, starts_at), dayIn(zone, ends_at)];
  const end = first === last ? local(ends_at) : `${dayInWords(last)}, ${local(ends_at)}`;
  return `${dayInWords(first)}, ${local(starts_at)}–${end} (${zone.name})`;
}
