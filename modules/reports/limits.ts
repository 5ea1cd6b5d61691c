// How many reports one person and one company may have, and how many mails their schedules may write in a day: the mail server
// and the jobs are everybody's.
import { above, conflict, today, z, type Admin, type Context, type EmployeeActor } from '@keelson/core';
import { lockedRow } from '@keelson/core/plugin';
import { Report, ReportMailUse } from './entities.ts';

/** Definitions of a company, or of the administrative surface: a list without pages shows as many (P-07). */
const MOST_REPORTS = 1000;
/** Of one person or key. */
const MOST_OWN = 100;
/** With a schedule: of one person or key, and of a company. */
const MOST_OWN_SCHEDULED = 20;
const MOST_SCHEDULED = 200;
/** Mails of one day: to the people of a company, and to technicians. */
const MAILS_OF_COMPANY = 500;
const MAILS_OF_STAFF = 5000;

const ever = above('2000-01-01T00:00:00.000Z');

type Place = Pick<Report, 'surface' | 'company_number'>;
type Owner = Pick<Report, 'owner_type' | 'owner_id'>;

// A report is a place and an owner as well, so the columns are named.
const partsOf = ({ surface, company_number }: Place, owner?: Owner) => ({
  surface,
  company_number,
  ...(owner && { owner_type: owner.owner_type, owner_id: owner.owner_id }),
});

/** @throws conflict() naming the limit when the caller, or the company, has as many reports already */
export async function requireRoom({ db }: Context, place: Place, owner: Owner): Promise<void> {
  if ((await db.count(Report, partsOf(place, owner))) >= MOST_OWN)
    throw conflict(`You have ${MOST_OWN} reports already; delete some first`);
  if ((await db.count(Report, partsOf(place))) >= MOST_REPORTS)
    throw conflict(`There are ${MOST_REPORTS} reports already; delete some first`);
}

/** @throws conflict() naming the limit when the owner, or the company, has as many scheduled reports already */
export async function requireScheduleRoom({ db }: Context, place: Place, owner: Owner): Promise<void> {
  const scheduled = { ...partsOf(place), next_run_at: ever };
  if ((await db.count(Report, { ...scheduled, ...partsOf(place, owner) })) >= MOST_OWN_SCHEDULED)
    throw conflict(`One person may have ${MOST_OWN_SCHEDULED} reports with a schedule; end another one first`);
  if ((await db.count(Report, scheduled)) >= MOST_SCHEDULED)
    throw conflict(`There are ${MOST_SCHEDULED} reports with a schedule already; end another one first`);
}

/**
 * Takes `mails` out of the day's budget of a company, or of the technicians, in the caller's transaction.
 * @returns false when so many are not left; nothing is taken then
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

/** What is said where a report was not mailed because of it. */
export const overBudget = (of: number | null): string =>
  `Not mailed: the ${budgetOf(of)} mails that reports may send in a day were sent already`;

export const ReportLimits = z.object({
  reports: z.int(),
  most_reports: z.int(),
  scheduled: z.int(),
  most_scheduled: z.int(),
  mails_today: z.int(),
  mails_per_day: z.int(),
});

/** What the caller has of it: their own reports and schedules, and the mails of their company or of all technicians. */
export async function readLimits(
  ctx: Context<EmployeeActor | Admin>,
  { company_number }: Place,
  owner: Owner,
): Promise<z.infer<typeof ReportLimits>> {
  const used = await ctx.db.one(ReportMailUse, { company_number: company_number ?? 0 });
  return {
    reports: await ctx.db.count(Report, owner),
    most_reports: MOST_OWN,
    scheduled: await ctx.db.count(Report, { ...owner, next_run_at: ever }),
    most_scheduled: MOST_OWN_SCHEDULED,
    mails_today: used?.day === today(ctx) ? used.mails : 0,
    mails_per_day: budgetOf(company_number),
  };
}

const budgetOf = (company_number: number | null): number =>
  company_number === null ? MAILS_OF_STAFF : MAILS_OF_COMPANY;
