import {
  changed,
  changesBetween,
  DuplicateKey,
  duplicate,
  findHolders,
  inUse,
  normalised,
  notFound,
  sql,
  updateCounters,
  type Activity,
  type Context,
  type New,
  type Row,
} from '@keelson/core';
import { Company } from './entities/company.ts';
import { Employee } from './entities/employee.ts';
import { ManagerGroup } from './entities/group.ts';
import { CompanyNames } from './names.ts';
import { enumerated } from './wording.ts';

type CompanyRow = Row<typeof Company>;
export type NewCompany = Omit<
  New<typeof Company>,
  'company_number' | 'customer_key' | 'open_tickets' | 'created_at' | 'updated_at' | 'deleted_at'
>;

/** A company that is not deleted. @throws notFound */
export async function findCompany(ctx: Context, companyNumber: number): Promise<CompanyRow> {
  const company = await ctx.db.one(Company, { company_number: companyNumber, deleted_at: null });
  if (!company) throw notFound('Company');
  return company;
}

/** The same for somebody who is about to change it: whoever comes second waits, and sees what the first one did. */
export async function lockCompany(ctx: Context, companyNumber: number): Promise<CompanyRow> {
  const company = await ctx.db.one(Company, { company_number: companyNumber, deleted_at: null }, { lock: true });
  if (!company) throw notFound('Company');
  return company;
}

/** Adds a customer; its name must be free (V-27). */
export async function createCompany(ctx: Context, values: NewCompany): Promise<CompanyRow> {
  const row = { ...values, customer_key: normalised(values.customer), created_at: ctx.now, updated_at: ctx.now };
  const companyNumber = await ctx.db.insert(Company, row).catch((error: unknown) => taken(error, values.customer));
  const company = await findCompany(ctx, companyNumber);
  updateCounters(ctx, Company, undefined, company);
  record(ctx, 'create', company, `Company ${company.customer} created`);
  return company;
}

/**
 * Changes a company that was locked in the same transaction; answers it as it is then. A change of nothing changes
 * nothing (V-16). When it becomes inactive, its people are signed out for good (D-18, M-36).
 */
export async function updateCompany(
  ctx: Context,
  before: CompanyRow,
  wanted: Partial<NewCompany>,
): Promise<CompanyRow> {
  const { company_number } = before;
  const changes = changesBetween(before, wanted);
  if (Object.keys(changes).length === 0) return before;
  const { customer = before.customer } = wanted;
  const set = { ...wanted, customer_key: normalised(customer), updated_at: ctx.now };
  await ctx.db.update(Company, { company_number }, set).catch((error: unknown) => taken(error, customer));
  const after = await findCompany(ctx, company_number);
  if (before.status === 'active' && after.status === 'inactive') await signOutPeople(ctx, company_number);
  updateCounters(ctx, Company, before, after);
  await tell(ctx, company_number);
  record(ctx, 'update', after, `Company ${after.customer} changed`, changes);
  return after;
}

/**
 * Deletes a company that was locked in the same transaction, and the groups nobody is in any more.
 * @throws inUse() while anything belongs to it (V-26)
 */
export async function deleteCompany(ctx: Context, company: CompanyRow): Promise<void> {
  const { company_number, customer } = company;
  const held = await findHolders(ctx, Company, company_number);
  if (held.length > 0) throw inUse(`Company still has ${enumerated(held)}; set it inactive instead`);
  const gone = { deleted_at: ctx.now };
  await ctx.db.update(Company, { company_number }, { ...gone, customer_key: null });
  await ctx.db.update(ManagerGroup, { company_number, deleted_at: null }, { ...gone, code_key: null });
  updateCounters(ctx, Company, company, undefined);
  await tell(ctx, company_number);
  record(ctx, 'delete', company, `Company ${customer} deleted`);
}

/** Sessions and tokens stay ended when the company becomes active again. */
async function signOutPeople(ctx: Context, companyNumber: number): Promise<void> {
  await ctx.db.run(sql`UPDATE employee SET access_version = access_version + 1
    WHERE company_number = ${companyNumber} AND deleted_at IS NULL`);
  changed(ctx, Employee);
}

/** Tells the caches of this process at once, and the others within two seconds. */
async function tell(ctx: Context, companyNumber: number): Promise<void> {
  changed(ctx, Company);
  if (ctx.tx) await ctx.app.names.changed(ctx.tx, CompanyNames, companyNumber);
}

function taken(error: unknown, customer: string): never {
  if (error instanceof DuplicateKey) throw duplicate(`customer ${customer} already exists`);
  throw error;
}

function record(
  ctx: Context,
  action: Activity['action'],
  { company_number }: CompanyRow,
  description: string,
  changes: Activity['changes'] = {},
): void {
  ctx.record({ action, entity_type: 'company', entity_id: company_number, description, changes });
}
