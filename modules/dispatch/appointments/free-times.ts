// Times to which a customer can move an appointment. Only the times leave: nothing of what keeps the technician busy.
import { In, IsNull, LessThan, MoreThan, Not, plus, z, type Context } from '@keelson/core';
import { instant } from '@keelson/core/kit';
import { Technician } from '@keelson/modules/directory';
import { readOpenSpans } from '@keelson/modules/levels';
import { readAbsencesBetween } from '@keelson/modules/teams';
import { meet, readCalendars } from '../board/people.ts';
import { ContactsMoveAppointments } from '../settings.ts';
import { Appointment } from './entities.ts';

export const FreeTime = z.object({ starts_at: z.iso.datetime(), ends_at: z.iso.datetime() });
export type FreeTime = z.infer<typeof FreeTime>;

/** How often customers can move an appointment. */
export const MOST_MOVES = 2;
/** How long before its start, and how long before the new one. */
const NOTICE = { hours: 24 } as const;
const OFFERED_DAYS = 14;
const STEP_MS = 30 * 60_000;

/** Returns whether customers can move an appointment: a predicate, because it depends on a setting. */
export async function movability(ctx: Context): Promise<(appointment: Appointment) => boolean> {
  const allowed = await ctx.app.settings.get(ctx, ContactsMoveAppointments);
  const earliest = plus(ctx.now, NOTICE);
  return ({ employee_number, starts_at, customer_moves }) =>
    allowed && employee_number !== null && customer_moves < MOST_MOVES && starts_at >= earliest;
}

/**
 * Returns free times of the technician in the next two weeks, each as long as the appointment: within business hours,
 * and without an absence or another appointment. None without business hours.
 */
export async function readFreeTimes(ctx: Context, appointment: Appointment): Promise<FreeTime[]> {
  const { db, now, app } = ctx;
  if (!(await movability(ctx))(appointment)) return [];
  const { appointment_id, user_id } = appointment;
  if (!(await db.existsBy(Technician, { user_id, active: true, deleted_at: IsNull() }))) return [];
  const from = plus(now, NOTICE);
  const until = plus(from, { days: OFFERED_DAYS });
  const calendar = (await readCalendars(ctx, [user_id])).get(user_id) ?? null;
  const [open, absences, others] = await Promise.all([
    readOpenSpans(ctx, [calendar], from, until),
    readAbsencesBetween(ctx, [user_id], from, until),
    db.findBy(Appointment, {
      user_id: In([user_id]),
      appointment_id: Not(appointment_id),
      starts_at: LessThan(until),
      ends_at: MoreThan(from),
    }),
  ]);
  const busy = [...absences, ...others];
  const length = Date.parse(appointment.ends_at) - Date.parse(appointment.starts_at);
  const offered: FreeTime[] = [];
  for (const span of open.get(calendar) ?? []) {
    const last = Date.parse(span.ends_at) - length;
    for (let at = nextStep(Date.parse(span.starts_at), app.zone.offsetAt); at <= last; at += STEP_MS) {
      const time = { starts_at: instant(at), ends_at: instant(at + length) };
      if (time.starts_at === appointment.starts_at || busy.some((each) => meet(each, time))) continue;
      offered.push(time);
    }
  }
  return offered;
}

/** Rounds up to a full or half hour of local time. */
function nextStep(ms: number, offsetAt: (ms: number) => number): number {
  const offset = offsetAt(ms);
  return Math.ceil((ms + offset) / STEP_MS) * STEP_MS - offset;
}
