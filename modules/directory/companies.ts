import {
  DuplicateKey,
  duplicate,
  invalid,
  normalised,
  notFound,
  tally,
  type Context,
  type New,
  type Row,
} from '@keelson/core';
import { Company } from './entities/company.ts';

export type NewCompany = Omit<New<typeof Company>, 'customer_key' | 'created_at' | 'updated_at' | 'deleted_at'>;

/** A company that is not deleted. @throws notFound */
export async function findCompany(ctx: Context, companyNumber: number): Promise<Row<typeof Company>> {
  const company = await ctx.db.one(Company, { company_number: companyNumber, deleted_at: null });
  if (!company) throw notFound('Company');
  return company;
}

/** Adds a customer; its name must be free (V-27). */
export async function createCompany(ctx: Context, values: NewCompany): Promise<Row<typeof Company>> {
  const row = { ...values, customer_key: normalised(values.customer), created_at: ctx.now, updated_at: ctx.now };
  const companyNumber = await ctx.db.insert(Company, row).catch((error: unknown) => {
    if (error instanceof DuplicateKey) throw duplicate(`customer ${values.customer} already exists`);
    throw error;
  });
  ctx.record({
    action: 'create',
    entity_type: 'company',
    entity_id: companyNumber,
    description: `Company ${values.customer} created`,
  });
  const company = await findCompany(ctx, companyNumber);
  tally(ctx, Company, undefined, company);
  return company;
}

/** Switches modules of a company on and off; the rest stay as they are (D-16). Answers the full map. */
export async function changeModules(
  ctx: Context,
  company: Row<typeof Company>,
  wanted: Readonly<Record<string, boolean>>,
): Promise<Readonly<Record<string, boolean>>> {
  if (Object.keys(wanted).length === 0) throw invalid('No fields to update');
  const before = await ctx.app.switches.of(ctx, company.company_number);
  const unknown = Object.keys(wanted).find((module) => !Object.hasOwn(before, module));
  if (unknown !== undefined) throw invalid(`modules must name only: ${Object.keys(before).join(', ')}`);
  const changed = Object.entries(wanted).filter(([module, enabled]) => before[module] !== enabled);
  if (changed.length === 0) return before;
  if (!ctx.tx) throw new Error('Switches change in a transaction');
  await ctx.app.switches.set(ctx.tx, company.company_number, Object.fromEntries(changed), ctx.now);
  ctx.record({
    action: 'update',
    entity_type: 'company',
    entity_id: company.company_number,
    description: `Modules of ${company.customer} changed`,
    changes: Object.fromEntries(changed.map(([module, enabled]) => [module, [before[module], enabled]])),
  });
  return { ...before, ...Object.fromEntries(changed) };
}
