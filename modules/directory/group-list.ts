// Lists of manager groups by name, with how many people are in each.
import {
  by,
  defineList,
  invalid,
  is,
  listed,
  matching,
  readPage,
  sql,
  type Context,
  type EmployeeActor,
  type Page,
  type Row,
} from '@keelson/core';
import { Company } from './entities/company.ts';
import { ManagerGroup } from './entities/group.ts';
import { createGroup, readGroup, type GroupInput } from './groups.ts';
import { CompanyNames } from './names.ts';

const GroupList = defineList({
  table: ManagerGroup,
  columns: [
    'group_id',
    'company_number',
    'code',
    'name',
    'description',
    'require_approval',
    'approval_job_types',
    'created_at',
    'updated_at',
  ],
  sorts: { name: by('name') },
});
type Listed = NonNullable<(typeof GroupList)['Row']>;

interface Asked {
  readonly company_number?: number | undefined;
  readonly search?: string | undefined;
  readonly page: number;
  readonly size: number;
}

/** A page of the groups of the signed-in person's company. */
export async function listGroups(ctx: Context<EmployeeActor>, paged: { page: number; size: number }) {
  const { rows, total } = await readGroups(ctx, { ...paged, company_number: ctx.actor.company_number });
  return { rows: await withCounts(ctx, rows), total };
}

/** A page of the groups of all companies. */
export async function listAllGroups(ctx: Context, asked: Asked) {
  const { rows, total } = await readGroups(ctx, asked);
  const names = await ctx.app.names.get(
    ctx.db,
    CompanyNames,
    rows.map((each) => each.company_number),
  );
  const counted = await withCounts(ctx, rows);
  return { rows: counted.map((each) => ({ ...each, company_name: names.get(each.company_number) ?? '' })), total };
}

/** A group with its people and its company. */
export async function readCompanyGroup(ctx: Context, group: Row<typeof ManagerGroup>) {
  const { company_number } = group;
  const names = await ctx.app.names.get(ctx.db, CompanyNames, [company_number]);
  return { ...(await readGroup(ctx, group)), company_name: names.get(company_number) ?? '' };
}

/** Creates a group in any company. @throws invalid() when there is no such company */
export async function createCompanyGroup(
  ctx: Context,
  { company_number, ...values }: GroupInput & { readonly company_number: number },
): Promise<Row<typeof ManagerGroup>> {
  const company = await ctx.db.one(Company, { company_number, deleted_at: null }, { lock: true });
  if (!company) throw invalid('company_number must be an existing company');
  return createGroup(ctx, company_number, values);
}

function readGroups(ctx: Context, { company_number, search, page, size }: Asked): Promise<Page<Listed>> {
  const where = [
    ...(company_number ? [is('company_number', company_number)] : []),
    ...(search ? [matching(search, ['manager_group.name', 'manager_group.code'])] : []),
  ];
  return readPage(ctx.db, GroupList, { where, sort: 'name', direction: 'asc', page, size });
}

interface PeopleCount {
  readonly group_id: number;
  readonly role: string;
  readonly n: number;
}

async function withCounts(ctx: Context, groups: readonly Listed[]) {
  if (groups.length === 0) return [];
  const counts = await ctx.db.query<PeopleCount>(sql`
    SELECT p.group_id, p.role, COUNT(*) AS n FROM manager_group_person p
    JOIN employee e ON e.employee_number = p.employee_number AND e.deleted_at IS NULL
    WHERE p.group_id IN ${listed(groups.map((each) => each.group_id))} GROUP BY p.group_id, p.role`);
  const of = (group: Listed, role: string) =>
    Number(counts.find((each) => each.group_id === group.group_id && each.role === role)?.n ?? 0);
  return groups.map((each) => ({ ...each, manager_count: of(each, 'manager'), member_count: of(each, 'member') }));
}
