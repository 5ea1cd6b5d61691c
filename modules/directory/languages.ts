// The languages of people and companies. A person without one has their company's, then the provider's.
import { change, IsNull, normalised, type Admin, type Context, type EmployeeActor, type Row } from '@keelson/core';
import { firstLanguage, type Speaker } from '@keelson/core/plugin';
import { Companies } from './companies/companies.ts';
import { Employees, findEmployee } from './employees/employees.ts';
import { Company } from './entities/company.ts';
import { EmployeeAddress } from './entities/employee-address.ts';
import { Employee } from './entities/employee.ts';
import { Technician } from './entities/technician.ts';
import { findTechnician, setLanguage } from './technicians/technicians.ts';

interface Chosen {
  readonly language: string | null;
}
type Wanted = { readonly language?: string | null | undefined };

const shown = (ctx: Context, { language }: Chosen, then?: Chosen) => ({
  language: firstLanguage(language),
  effective: firstLanguage(language, then?.language, ctx.app.language),
});

/** Returns the language of a person or their company; null if neither has one. */
export async function languageOfPerson({ db }: Pick<Context, 'db'>, person: Speaker): Promise<string | null> {
  if ('company_number' in person) return ofCompany(db, person.company_number);
  const isHere = { deleted_at: IsNull() };
  const byAddress = 'address' in person ? { email_key: normalised(person.address), ...isHere } : undefined;
  const ofStaff = byAddress ?? ('user_id' in person ? { user_id: person.user_id } : undefined);
  const technician = ofStaff && (await db.findOneBy(Technician, ofStaff));
  if (technician) return technician.language;
  const number = 'employee_number' in person ? person.employee_number : await numberOf(db, byAddress?.email_key);
  const employee = number === undefined ? undefined : await db.findOneBy(Employee, { employee_number: number });
  if (!employee || employee.language !== null) return employee?.language ?? null;
  return ofCompany(db, employee.company_number);
}

const ofCompany = async (db: Context['db'], company_number: number): Promise<string | null> =>
  (await db.findOneBy(Company, { company_number }))?.language ?? null;

/** Returns the number of the employee with this address. */
async function numberOf(db: Context['db'], email_key: string | undefined): Promise<number | undefined> {
  if (email_key === undefined) return undefined;
  const first = await db.findOneBy(Employee, { email_key, deleted_at: IsNull() });
  return (first ?? (await db.findOneBy(EmployeeAddress, { email_key })))?.employee_number;
}

/** Returns the caller's own language and the one that applies to them. */
export async function readOwnLanguage(ctx: Context<EmployeeActor>) {
  const { employee_number, company_number } = ctx.actor;
  const chosen = await ctx.db.findOneBy(Employee, { employee_number });
  const company = await ctx.db.findOneBy(Company, { company_number });
  return shown(ctx, chosen ?? { language: null }, company ?? undefined);
}

/** Changes the caller's own language. */
export async function changeOwnLanguage(ctx: Context<EmployeeActor>, { language = null }: Wanted) {
  const { employee_number } = ctx.actor;
  await change(ctx, Employees, await findEmployee(ctx, employee_number), { language });
  return readOwnLanguage(ctx);
}

/** Returns a technician's language and the one that applies to them. A key has none. */
export async function readTechnicianLanguage(ctx: Context, user_id: number | undefined) {
  const chosen = user_id === undefined ? undefined : await ctx.db.findOneBy(Technician, { user_id });
  return shown(ctx, chosen ?? { language: null });
}

/** Changes a technician's language. */
export async function changeTechnicianLanguage(ctx: Context<Admin>, user_id: number, { language = null }: Wanted) {
  await setLanguage(ctx, await findTechnician(ctx, user_id), language);
  return readTechnicianLanguage(ctx, user_id);
}

type CompanyRow = Row<typeof Company>;

/** Returns a company's language and the one that applies to its people who have not chosen any. */
export const showCompanyLanguage = (ctx: Context, company: CompanyRow) => shown(ctx, company);

/** Changes a company's language. */
export async function changeCompanyLanguage(ctx: Context, before: CompanyRow, { language = null }: Wanted) {
  await change(ctx, Companies, before, { language });
  return shown(ctx, { language });
}
