// Mails a due report with its owner's current permissions.
import {
  change,
  DuplicateKey,
  In,
  IsNull,
  Problem,
  sendMail,
  type Admin,
  type Context,
  type EmployeeActor,
  type Timestamp,
} from '@keelson/core';
import { storeAttachment } from '@keelson/core/mail';
import { worded } from '@keelson/core/plugin';
import { contextAs } from '@keelson/modules/accounts';
import { Employee, Technician } from '@keelson/modules/directory';
import { Reports } from '../definitions.ts';
import { isTooSlow } from '../engine/rows.ts';
import { Report, type Schedule } from '../entities.ts';
import { exportReport } from '../export.ts';
import { overBudget, takeMails } from '../limits.ts';
import { ScheduledReportMail } from '../mail-templates.ts';
import { ReadReports } from '../permissions.ts';

/** Maximum attachment size; larger files must be exported manually. */
const LARGEST = 5 * 1024 * 1024;
const TOO_LARGE = worded('The file is too large to attach. Export the report from the console or portal.');

interface Due {
  readonly report_id: number;
  readonly due_at: Timestamp;
}

export async function mailReport(outside: Context, { report_id, due_at }: Due): Promise<void> {
  const report = await outside.db.findOneBy(Report, { report_id });
  if (!report?.schedule) return;
  const { schedule } = report;
  const owner = await contextAs(outside.app, { type: report.owner_type, id: report.owner_id });
  if (!owner) return endSchedule(outside, report_id);
  if (!(await mayRun(owner))) return tellProblem(outside, report_id, 'Not mailed: its owner may no longer run reports');
  const people = await recipientsOf(outside, report, schedule);
  if (people.length === 0) return tellProblem(outside, report_id, 'Not mailed: no recipient is active');
  const file = await wholeFile(owner, report, schedule.format).catch((error: unknown) => {
    if (!(error instanceof Problem) || mayPass(error)) throw error;
    outside.log.warn({ report_id, problem: error.message }, 'reports: could not generate a scheduled report');
    return error;
  });
  if (file instanceof Problem) return tellProblem(outside, report_id, `Could not be generated: ${file.message}`);
  await outside
    .transaction(async (ctx) => {
      const { name, type, bytes } = file;
      // Unique key: a retry stops here if the first attempt was stored.
      const attachment_id = `report-${report_id}-${Date.parse(due_at)}`;
      const fits = bytes.length <= LARGEST;
      await storeAttachment(ctx, { attachment_id, name, type, bytes: fits ? bytes : Buffer.alloc(0) });
      if (!(await takeMails(ctx, report.company_number, people.length))) {
        ctx.log.warn({ report_id, company_number: report.company_number }, 'reports: daily mail limit reached');
        await ctx.db.update(Report, { report_id }, { last_problem: overBudget(report.company_number) });
        return;
      }
      const data = {
        report_name: report.name,
        due_at: { at: due_at, zone: outside.app.zone.name },
        owner_name: report.created_by,
        note: fits ? '' : TOO_LARGE,
      };
      for (const to of people) sendMail(ctx, ScheduledReportMail, { to, data, ...(fits && { attachment_id }) });
      await ctx.db.update(Report, { report_id }, { last_run_at: ctx.now, last_problem: null });
    })
    .catch((error: unknown) => {
      if (!(error instanceof DuplicateKey)) throw error;
    });
}

/** Stores on the report why it was not mailed. */
async function tellProblem(outside: Context, report_id: number, problem: string): Promise<void> {
  await outside.transaction((ctx) => ctx.db.update(Report, { report_id }, { last_problem: problem.slice(0, 255) }));
}

/** Returns whether the owner may currently run reports, by permission or by the company's module switch. */
async function mayRun(owner: Context<EmployeeActor | Admin>): Promise<boolean> {
  const { actor, app } = owner;
  return 'company_number' in actor
    ? app.switches.enabled(owner, actor.company_number, 'reports')
    : ReadReports.allows(actor);
}

async function endSchedule(outside: Context, report_id: number): Promise<void> {
  await outside.transaction(async (ctx) => {
    const report = await ctx.db.findOne(Report, { where: { report_id }, lock: { mode: 'pessimistic_write' } });
    if (report) await change(ctx, Reports, report, { schedule: null, next_run_at: null });
  });
}

/** Returns a report's file once all of it has been read. */
async function wholeFile(owner: Context<EmployeeActor | Admin>, report: Report, format: Schedule['format']) {
  const { name, type, body } = await exportReport(owner, report, format);
  if (typeof body === 'string' || Buffer.isBuffer(body)) return { name, type, bytes: Buffer.from(body) };
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(Buffer.from(chunk));
  return { name, type, bytes: Buffer.concat(chunks) };
}

/** Returns whether a retry may succeed: not without permission, and not for a report that is too large or too slow. */
function mayPass(error: Problem): boolean {
  return ['unavailable', 'too-many'].includes(error.kind) && !isTooSlow(error);
}

/** Returns the recipients who are still active. */
async function recipientsOf(ctx: Context, { company_number }: Report, { recipients }: Schedule) {
  if (company_number === null) {
    const staff = await ctx.db.findBy(Technician, { user_id: In(recipients), active: true, deleted_at: IsNull() });
    return staff.map(({ name, email: address }) => ({ name, address }));
  }
  const there = { employee_number: In(recipients), company_number, status: 'Active', deleted_at: IsNull() } as const;
  const people = await ctx.db.findBy(Employee, there);
  return people.map(({ first_name, last_name, email }) => ({ name: `${first_name} ${last_name}`, address: email }));
}
