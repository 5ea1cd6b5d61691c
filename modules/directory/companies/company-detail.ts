// A company with its related data (F-23). The module that owns the rows provides each statistic.
import { fromMinor, IsNull, show, view, z, type Context, type Row } from '@keelson/core';
import { readStatistics } from '@keelson/core/list';
import { Company } from '../entities/company.ts';
import { Site } from '../entities/site.ts';
import { Sites } from '../sites/sites.ts';
import { CompanyItem, shownStatus } from './companies.ts';

const CompanySite = view(Sites, {
  only: ['site_number', 'site_name', 'address', 'city', 'state', 'zip', 'country', 'phone', 'status', 'is_primary'],
});
const statistics = [
  'open_tickets',
  'total_tickets',
  'asset_count',
  'contact_count',
  'active_contracts',
  'unpaid_invoices',
] as const;

export const CompanyDetail = CompanyItem.shape.extend({
  modules: z.record(z.string(), z.boolean()),
  sites: z.array(CompanySite.shape),
  statistics: z.object({
    open_tickets: z.int(),
    total_tickets: z.int(),
    asset_count: z.int(),
    contact_count: z.int(),
    active_contracts: z.int(),
    unpaid_invoices: z.int(),
    balance_due: z.number(),
  }),
});

/** Reads the rows directly, so that one statement covers all statistics, including those of the list item. */
export async function readCompany(ctx: Context, company: Row<typeof Company>) {
  const { company_number } = company;
  const asked = ['site_count', 'balance_due', ...statistics] as const;
  const { site_count, balance_due, ...counts } = (await readStatistics(ctx, Company, [company_number], asked))(
    company_number,
  );
  const order = { site_name: 'ASC', site_number: 'ASC' } as const;
  const sites = await ctx.db.find(Site, { where: { company_number, deleted_at: IsNull() }, order });
  return {
    ...company,
    status: shownStatus(company),
    site_count,
    open_tickets: counts.open_tickets,
    modules: await ctx.app.switches.of(ctx, company_number),
    sites: await show(ctx, CompanySite, sites),
    statistics: { ...counts, balance_due: fromMinor(balance_due) },
  };
}
