// The list of companies, and one with what belongs to it. Their figures are kept by whichever module has the rows.
import {
  by,
  defineList,
  fromMinor,
  is,
  matching,
  readStatistics,
  readPage,
  type Context,
  type Page,
  type Row,
} from '@keelson/core';
import type { CompanyDetail, CompanyItem } from './company-shapes.ts';
import { Company, CompanyCount } from './entities/company.ts';
import { Site } from './entities/site.ts';

const CompanyList = defineList({
  table: Company,
  columns: [
    'company_number',
    'customer',
    'address',
    'city',
    'state',
    'zip',
    'country',
    'phone',
    'email',
    'website',
    'industry',
    'notes',
    'status',
    'created_at',
    'updated_at',
  ],
  counters: [CompanyCount],
  sorts: { customer: by('customer') },
});

interface Asked {
  readonly status?: 'active' | 'inactive' | undefined;
  readonly search?: string | undefined;
  readonly page: number;
  readonly size: number;
}

/** A page of companies by name. */
export async function listCompanies(ctx: Context, { status, search, page, size }: Asked): Promise<Page<CompanyItem>> {
  const where = [
    ...(status ? [is('status', status)] : []),
    ...(search ? [matching(search, ['company.customer', 'company.phone', 'company.city'])] : []),
  ];
  const { rows, total } = await readPage(ctx.db, CompanyList, {
    where,
    sort: 'customer',
    direction: 'asc',
    page,
    size,
  });
  const numbers = rows.map((each) => each.company_number);
  const figuresOf = await readStatistics(ctx, Company, numbers, ['site_count', 'open_tickets']);
  const items = rows.map((each) => ({ ...each, status: shown(each.status), ...figuresOf(each.company_number) }));
  return { rows: items, total };
}

const statistics = [
  'open_tickets',
  'total_tickets',
  'asset_count',
  'contact_count',
  'active_contracts',
  'unpaid_invoices',
  'balance_due',
] as const;

/** A company with its modules, sites and statistics (F-23). */
export async function readCompany(ctx: Context, company: Row<typeof Company>): Promise<CompanyDetail> {
  const { company_number } = company;
  const figuresOf = await readStatistics(ctx, Company, [company_number], ['site_count', ...statistics]);
  const { site_count, balance_due, ...counts } = figuresOf(company_number);
  const sites = await ctx.db.find(
    Site,
    { company_number, deleted_at: null },
    {
      order: [
        ['site_name', 'ASC'],
        ['site_number', 'ASC'],
      ],
    },
  );
  return {
    ...company,
    status: shown(company.status),
    site_count,
    open_tickets: counts.open_tickets,
    modules: await ctx.app.switches.of(ctx, company_number),
    sites,
    statistics: { ...counts, balance_due: fromMinor(balance_due) },
  };
}

function shown(status: Row<typeof Company>['status']): 'Active' | 'Inactive' {
  return status === 'active' ? 'Active' : 'Inactive';
}
