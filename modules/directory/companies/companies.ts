// Companies: the provider's customers, to which sites, people and tickets belong.
import {
  announceChange,
  by,
  create,
  findOr404,
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
  /** Nobody is left in its groups, so they need no log line and release no ticket. */
  async removed(ctx, companies) {
    const company_number = companies.map((each) => each.company_number);
    const gone = { deleted_at: ctx.now, code_key: null };
    const groups = await ctx.db.find(ManagerGroup, { company_number, deleted_at: null });
    if (groups.length === 0) return;
    await ctx.db.update(ManagerGroup, { company_number, deleted_at: null }, gone);
    for (const row of groups) announceChange(ctx, { of: ManagerGroup, row, kind: 'removed' });
  },
});

/** A company as lists show it. */
export const CompanyItem = view(Companies, {
  except: ['status'],
  more: (its) => ({
    /** Stored in small letters, shown with a capital (N-09). */
    status: its.from(z.enum(['Active', 'Inactive']), ['status'], shownStatus),
    site_count: its.statistic('site_count'),
    open_tickets: its.statistic('open_tickets'),
  }),
});

export function shownStatus({ status }: Pick<Row<typeof Company>, 'status'>): 'Active' | 'Inactive' {
  return status === 'active' ? 'Active' : 'Inactive';
}

/** A company that is not deleted. @throws notFound() */
export const findCompany = (ctx: Context, company_number: number) => findOr404(ctx, Companies, company_number);

/** Adds a customer; its name must be free (V-27). */
export const createCompany = (ctx: Context, given: Given<typeof Companies>) => create(ctx, Companies, given);

/** Signs the people of an inactive company out (D-18, M-36): what ended stays ended when it is active again. */
async function endAccess(ctx: Context, company_number: number): Promise<void> {
  await ctx.db.run(sql`UPDATE employee SET access_version = access_version + 1
    WHERE company_number = ${company_number} AND deleted_at IS NULL`);
  changed(ctx, Employee);
}

/** The numbers of the next customers, in their order. */
export async function companiesAfter(ctx: Context<unknown>, after: number, limit: number): Promise<number[]> {
  const rows = await ctx.db.query<{ company_number: number }>(sql`SELECT company_number FROM company
    WHERE company_number > ${after} AND deleted_at IS NULL ORDER BY company_number LIMIT ${limit}`);
  return rows.map(({ company_number }) => Number(company_number));
}
