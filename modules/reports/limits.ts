// Limits on reports per person and company, and on scheduled mails per day, because the mail server and job queue are
// shared.
import { conflict, IsNull, MoreThan, today, z, type Admin, type Context, type EmployeeActor } from '@keelson/core';
import { lockedRow } from '@keelson/core/plugin';
import { Report, ReportMailUse } from './entities.ts';

/** Maximum definitions per company or on the administrative surface, because the list is not paginated (P-07). */
const MOST_REPORTS = 1000;
/** Maximum per person or API key. */
const MOST_OWN = 100;
/** Maximum scheduled reports per person or API key, and per company. */
const MOST_OWN_SCHEDULED = 20;
const MOST_SCHEDULED = 200;
/** Maximum mails per day to a company's people, and to technicians. */
const MAILS_OF_COMPANY = 500;
const MAILS_OF_STAFF = 5000;

const ever = MoreThan('2000-01-01T00:00:00.000Z');

type Place = Pick<Report, 'surface' | 'company_number'>;
type Owner = Pick<Report, 'owner_type' | 'owner_id'>;

// Pick the columns explicitly, because callers may pass a whole report.
const partsOf = ({ surface, company_number }: Place, owner?: Owner) => ({
  surface,
  company_number: company_number ?? IsNull(),
  ...(owner && { owner_type: owner.owner_type, owner_id: owner.owner_id }),
});

/** Checks the limits on reports. @throws conflict() naming the limit if the caller or the company has reached it */
export async function requireRoom({ db }: Context, place: Place, owner: Owner): Promise<void> {
  if ((await db.countBy(Report, partsOf(place, owner))) >= MOST_OWN)
    throw conflict(`Limit of ${MOST_OWN} reports reached: delete some first`);
  if ((await db.countBy(Report, partsOf(place))) >= MOST_REPORTS)
    throw conflict(`Limit of ${MOST_REPORTS} reports in total reached: delete some first`);
}

/**
 * Checks the limits on scheduled reports.
 * @throws conflict() naming the limit if the owner or the company has reached it for scheduled reports
 */
export async function requireScheduleRoom({ db }: Context, place: Place, owner: Owner): Promise<void> {
  const scheduled = { ...partsOf(place), next_run_at: ever };
  if ((await db.countBy(Report, { ...scheduled, ...partsOf(place, owner) })) >= MOST_OWN_SCHEDULED)
    throw conflict(`Limit of ${MOST_OWN_SCHEDULED} scheduled reports per person reached: unschedule one first`);
  if ((await db.countBy(Report, scheduled)) >= MOST_SCHEDULED)
    throw conflict(`Limit of ${MOST_SCHEDULED} scheduled reports reached: unschedule one first`);
}

/**
 * Deducts `mails` from the daily budget of a company or of the technicians, in the caller's transaction.
 * @returns false if the budget is insufficient; nothing is deducted then
 */
export async function takeMails(ctx: Context, of: number | null, mails: number): Promise<boolean> {
  const company_number = of ?? 0;
  const day = today(ctx);
  const used = await lockedRow(ctx.db, ReportMailUse, { company_number }, { company_number, day, mails: 0 });
  const before = used.day === day ? used.mails : 0;
  if (before + mails > budgetOf(of)) return false;
  await ctx.db.update(ReportMailUse, { company_number }, { day, mails: before + mails });
  return true;
}

/** Reason shown on a report not mailed because of the budget. */
export const overBudget = (of: number | null): string =>
  `Not mailed: the daily limit of ${budgetOf(of)} report mails was reached`;

export const ReportLimits = z.object({
  reports: z.int(),
  most_reports: z.int(),
  scheduled: z.int(),
  most_scheduled: z.int(),
  mails_today: z.int(),
  mails_per_day: z.int(),
});

/**
 * Returns the caller's usage: their own reports and schedules, and the mails of their company or of all technicians.
 */
export async function readLimits(
  ctx: Context<EmployeeActor | Admin>,
  { company_number }: Place,
  owner: Owner,
): Promise<z.infer<typeof ReportLimits>> {
  const used = await ctx.db.findOneBy(ReportMailUse, { company_number: company_number ?? 0 });
  return {
    reports: await ctx.db.countBy(Report, owner),
    most_reports: MOST_OWN,
    scheduled: await ctx.db.countBy(Report, { ...owner, next_run_at: ever }),
    most_scheduled: MOST_OWN_SCHEDULED,
    mails_today: used?.day === today(ctx) ? used.mails : 0,
    mails_per_day: budgetOf(company_number),
  };
}

const budgetOf = (company_number: number | null): number =>
  company_number === null ? MAILS_OF_STAFF : MAILS_OF_COMPANY;
