// Mail recipients: only active people of active companies.
import { listed, sql, type Context, type Sql } from '@keelson/core';
import { employeeName } from '@keelson/core/surfaces';

export interface Recipient {
  readonly employee_number: number;
  readonly name: string;
  readonly address: string;
  readonly company_name: string;
}

/** Maximum people of a company who receive the same mail. */
const MOST = 100;
/** Maximum companies of a list. */
const MOST_COMPANIES = 500;

const inCharge = sql`(employee.ismgr = 1 OR employee.it_privileges = 1)`;
const mayReceive = sql`employee.status = 'Active' AND employee.deleted_at IS NULL`;
const activeCompanies = sql`company.status = 'active' AND company.deleted_at IS NULL`;

/** Returns an employee as a recipient, or undefined if they do not exist or may not receive mail. */
export async function readRecipient(ctx: Context, employeeNumber: number | null): Promise<Recipient | undefined> {
  if (employeeNumber === null) return undefined;
  return (await recipientsWhere(ctx, sql`employee.employee_number = ${employeeNumber}`, 1))[0];
}

/**
 * Returns the managers and IT admins of companies, by number. `companies` builds the condition from an expression with
 * the company's number.
 */
export function readPeopleInCharge(
  ctx: Context,
  companies: (company: Sql) => Sql,
  { after = 0, most = MOST }: { readonly after?: number; readonly most?: number } = {},
): Promise<Recipient[]> {
  const which = sql`employee.employee_number > ${after} AND ${inCharge} AND ${companies(sql`company.company_number`)}`;
  return recipientsWhere(ctx, which, most);
}

/** Number of managers and IT admins who get a mail. */
export interface Reached {
  readonly company_number: number;
  readonly company_name: string;
  readonly people: number;
}

/** Returns the active companies that match, by name, each with its number of managers and IT admins; 500 at most. */
export async function readCompaniesInCharge(ctx: Context, companies: (company: Sql) => Sql): Promise<Reached[]> {
  const number = sql`company.company_number`;
  const rows = await ctx.db.query<{ company_number: number; company_name: string; people: number }>(sql`
    SELECT ${number}, company.customer AS company_name, (SELECT COUNT(*) FROM employee
      WHERE employee.company_number = ${number} AND ${inCharge} AND ${mayReceive}) AS people
    FROM company WHERE ${activeCompanies} AND ${companies(number)} ORDER BY company.customer, ${number} LIMIT ${MOST_COMPANIES}`);
  return rows.map((row) => ({ ...row, company_number: Number(row.company_number), people: Number(row.people) }));
}

/** Returns how many active companies match, and how many managers and IT admins they have together. */
export async function countInCharge(
  ctx: Context,
  companies: (company: Sql) => Sql,
): Promise<{ readonly companies: number; readonly people: number }> {
  const which = sql`${activeCompanies} AND ${companies(sql`company.company_number`)}`;
  const [row] = await ctx.db.query<{ companies: number; people: number }>(sql`
    SELECT (SELECT COUNT(*) FROM company WHERE ${which}) AS companies,
      (SELECT COUNT(*) FROM employee JOIN company ON company.company_number = employee.company_number
        WHERE ${which} AND ${inCharge} AND ${mayReceive}) AS people`);
  return { companies: Number(row?.companies ?? 0), people: Number(row?.people ?? 0) };
}

/** Returns the managers of a company as recipients; with `can_view_billing`, only those who can, or who cannot. */
export function readManagers(
  ctx: Context,
  company_number: number,
  { can_view_billing }: { readonly can_view_billing?: boolean } = {},
): Promise<Recipient[]> {
  const which =
    can_view_billing === undefined ? sql`` : sql`AND employee.can_view_billing = ${Number(can_view_billing)}`;
  return recipientsWhere(ctx, sql`employee.company_number = ${company_number} AND employee.ismgr = 1 ${which}`);
}

/** Returns the employees of a company who can view billing, by number. */
export function readBillingPeople(ctx: Context, company_number: number): Promise<Recipient[]> {
  return recipientsWhere(ctx, sql`employee.company_number = ${company_number} AND employee.can_view_billing = 1`);
}

/** Returns the given people of a company, by number; without a list all of them, at most 100. */
export async function readPeople(
  ctx: Context,
  company_number: number,
  employee_numbers?: readonly number[],
): Promise<Recipient[]> {
  if (employee_numbers?.length === 0) return [];
  const chosen = employee_numbers ? sql`AND employee.employee_number IN ${listed(employee_numbers)}` : sql``;
  return recipientsWhere(ctx, sql`employee.company_number = ${company_number} ${chosen}`);
}

/** SQL for the name of an active company, null for any other, for address lists of other modules. */
export const activeCompany = (company: Sql): Sql =>
  sql`(SELECT company.customer FROM company WHERE company.company_number = ${company}
    AND ${activeCompanies})`;

/** SQL for whether an address is a manager's or IT admin's of a company, for address lists of other modules. */
export const isInCharge = (company: Sql, emailKey: Sql): Sql =>
  sql`EXISTS (SELECT 1 FROM employee WHERE employee.email_key = ${emailKey} AND employee.company_number = ${company}
    AND ${inCharge} AND ${mayReceive})`;

/** Returns the employees that match a condition on `employee` and `company`, as recipients. */
export async function recipientsWhere(ctx: Context, which: Sql, most = MOST): Promise<Recipient[]> {
  const rows = await ctx.db.query<{
    employee_number: number;
    first_name: string;
    last_name: string;
    email: string;
    customer: string;
  }>(sql`SELECT employee.employee_number, employee.first_name, employee.last_name, employee.email, company.customer
    FROM employee JOIN company ON company.company_number = employee.company_number
      AND ${activeCompanies}
    WHERE ${which} AND ${mayReceive}
    ORDER BY employee.employee_number LIMIT ${most}`);
  return rows.map((row) => ({
    employee_number: Number(row.employee_number),
    name: employeeName(row),
    address: row.email,
    company_name: row.customer,
  }));
}
