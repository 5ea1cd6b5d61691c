// Report schedules and recipients.
import { In, invalid, IsNull, type Admin, type Context, type EmployeeActor } from '@keelson/core';
import { cronFault, isTooOften, nextTime } from '@keelson/core/events';
import { Employee, Technician } from '@keelson/modules/directory';
import type { Schedule } from '../entities.ts';

/**
 * Validates a schedule. Recipients that it already had may have become inactive; they get no mail.
 * @throws invalid() for an invalid or too frequent cron expression, or unknown recipients
 */
export async function checkSchedule(
  ctx: Context<EmployeeActor | Admin>,
  schedule: Schedule | null,
  before: Schedule | null = null,
): Promise<void> {
  if (!schedule) return;
  const { cron } = schedule;
  const recipients = schedule.recipients.filter((each) => !before?.recipients.includes(each));
  const fault = cronFault(cron);
  if (fault !== undefined) throw invalid(`schedule.cron ${fault}`);
  if (isTooOften(cron, ctx.app.zone, ctx.now)) throw invalid('schedule.cron must not be due more than once an hour');
  if (nextTime(cron, ctx.app.zone, ctx.now) === undefined) throw invalid('schedule.cron is never due');
  const { actor } = ctx;
  if ('company_number' in actor) {
    const { company_number } = actor;
    const there = { employee_number: In(recipients), company_number, status: 'Active', deleted_at: IsNull() } as const;
    if ((await ctx.db.countBy(Employee, there)) < recipients.length)
      throw invalid('schedule.recipients must be active employees of the company');
    return;
  }
  if (
    (await ctx.db.countBy(Technician, { user_id: In(recipients), active: true, deleted_at: IsNull() })) <
    recipients.length
  )
    throw invalid('schedule.recipients must be active technicians');
}

/** Returns the next due time. */
export const nextRun = ({ app, now }: Context, { cron }: Schedule) => nextTime(cron, app.zone, now) ?? null;
