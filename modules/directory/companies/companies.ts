// Companies: the provider's customers, which own sites, people and tickets.
import {
  announceChange,
  by,
  create,
  findOr404,
  In,
  IsNull,
  normalised,
  record,
  searched,
  sql,
  view,
  z,
  type Context,
  type Given,
  type Row,
} from '@keelson/core';
import { changed } from '@keelson/core/plugin';
import { Company } from '../entities/company.ts';
import { Employee } from '../entities/employee.ts';
import { ManagerGroup } from '../entities/group.ts';
import { CompanyNames } from '../names.ts';
import { enumerated } from '../wording.ts';

export const Companies = record(Company, {
  title: 'Company',
  call: ({ customer }) => customer,
  filters: (its) => ({
    status: its.is('status'),
    search: searched(Company),
  }),
  sorts: { customer: by('customer') },
  order: 'asc',
  names: CompanyNames,
  taken: ({ customer }) => `customer ${customer} already exists`,
  held: (_company, by) => `Company still has ${enumerated(by)}; set it inactive instead`,
  derive: ({ customer }) => ({ customer_key: normalised(customer) }),
  async changed(ctx, changes) {
    for (const { before, after } of changes)
      if (before.status === 'active' && after.status === 'inactive') await endAccess(ctx, after.company_number);
  },
  /** Deletes its groups. They have no people left, so they need no log entry and release no ticket. */
  async removed(ctx, companies) {
    const company_number = companies.map((each) => each.company_number);
    const gone = { deleted_at: ctx.now, code_key: null };
    const groups = await ctx.db.findBy(ManagerGroup, { company_number: In(company_number), deleted_at: IsNull() });
    if (groups.length === 0) return;
    await ctx.db.update(ManagerGroup, { company_number: In(company_number), deleted_at: IsNull() }, gone);
    for (const row of groups) announceChange(ctx, { of: ManagerGroup, row, kind: 'removed' });
  },
});

/** A company in lists. */
export const CompanyItem = view(Companies, {
  except: ['status'],
  more: (its) => ({
    /** Stored in lower case, shown capitalised (N-09). */
    status: its.from(z.enum(['Active', 'Inactive']), ['status'], shownStatus),
    site_count: its.statistic('site_count'),
    open_tickets: its.statistic('open_tickets'),
  }),
});

export function shownStatus({ status }: Pick<Row<typeof Company>, 'status'>): 'Active' | 'Inactive' {
  return status === 'active' ? 'Active' : 'Inactive';
}

/** Finds a company that is not deleted. @throws notFound() */
export const findCompany = (ctx: Context, company_number: number) => findOr404(ctx, Companies, company_number);

/** Creates a customer; its name must be unique (V-27). */
export const createCompany = (ctx: Context, given: Given<typeof Companies>) => create(ctx, Companies, given);

/**
 * Signs out the employees of an inactive company (D-18, M-36). Ended sessions stay ended when it becomes active again.
 */
async function endAccess(ctx: Context, company_number: number): Promise<void> {
  await ctx.db.run(sql`UPDATE employee SET access_version = access_version + 1
    WHERE company_number = ${company_number} AND deleted_at IS NULL`);
  changed(ctx, Employee);
}

/** Returns the numbers of the next customers, in order. */
export async function companiesAfter(ctx: Context<unknown>, after: number, limit: number): Promise<number[]> {
  const rows = await ctx.db.query<{ company_number: number }>(sql`SELECT company_number FROM company
    WHERE company_number > ${after} AND deleted_at IS NULL ORDER BY company_number LIMIT ${limit}`);
  return rows.map(({ company_number }) => Number(company_number));
}
