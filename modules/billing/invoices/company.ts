import { invalid, type Context } from '@keelson/core';
import { Company } from '@keelson/modules/directory';

/** Keeps a company from being deleted until the transaction ends. @throws invalid() when there is none (V-21) */
export async function holdCompany(ctx: Context, company_number: number): Promise<void> {
  if (!(await ctx.db.one(Company, { company_number, deleted_at: null }, { lock: true })))
    throw invalid('company_number must be an existing company');
}
