import {
  DuplicateKey,
  duplicate,
  invalid,
  joined,
  matching,
  normalised,
  notFound,
  sql,
  type Context,
  type Page,
  type Row,
} from '@keelson/core';
import { lockCompany } from './companies.ts';
import { ManagerGroup } from './entities/group.ts';
import { ApproversChanged } from './events.ts';
import { replacePeople } from './group-people.ts';

type GroupRow = Row<typeof ManagerGroup>;

export interface GroupInput {
  readonly code?: string | undefined;
  readonly name: string;
  readonly description?: string | undefined;
  readonly require_approval?: boolean | undefined;
  readonly approval_job_types?: readonly string[] | undefined;
  readonly managers?: readonly number[] | undefined;
  readonly members?: readonly number[] | undefined;
}

/** A group of a company; the code is compared without case. @throws notFound */
export async function findGroup(ctx: Context, companyNumber: number, code: string): Promise<GroupRow> {
  const group = await ctx.db.one(ManagerGroup, {
    company_number: companyNumber,
    code_key: normalised(code),
    deleted_at: null,
  });
  if (!group) throw notFound('Manager group');
  return group;
}

/** A group with its people. */
export async function readGroup(ctx: Context, group: GroupRow) {
  const people = await ctx.db.query<PersonRow>(sql`
    SELECT p.role, e.employee_number, e.first_name, e.last_name, e.email
    FROM manager_group_person p JOIN employee e ON e.employee_number = p.employee_number
    WHERE p.group_id = ${group.group_id} AND e.deleted_at IS NULL
    ORDER BY e.last_name, e.first_name, e.employee_number`);
  const managers = people.filter((each) => each.role === 'manager');
  const members = people.filter((each) => each.role === 'member');
  return { ...group, managers, members, manager_count: managers.length, member_count: members.length };
}

/** Creates a group; its code is made from the name when none is given (D-07). */
export async function createGroup(ctx: Context, companyNumber: number, values: GroupInput): Promise<GroupRow> {
  const code = values.code ?? (await freeCode(ctx, companyNumber, values.name));
  const row = {
    company_number: companyNumber,
    code,
    code_key: normalised(code),
    name: values.name,
    description: values.description ?? '',
    require_approval: values.require_approval ?? true,
    approval_job_types: [...(values.approval_job_types ?? [])],
    created_at: ctx.now,
    updated_at: ctx.now,
  };
  const groupId = await ctx.db.insert(ManagerGroup, row).catch((error: unknown) => {
    if (error instanceof DuplicateKey) throw duplicate(`code ${code} already exists`);
    throw error;
  });
  const group: GroupRow = { ...row, group_id: groupId, deleted_at: null };
  await replacePeople(ctx, group, values);
  recordGroup(ctx, 'create', group, `Manager group ${group.name} created`);
  return group;
}

/** Changes a group; `managers` and `members` replace who is in it (D-08). The code is fixed (D-07). */
export async function updateGroup(ctx: Context, group: GroupRow, values: Partial<GroupInput>): Promise<GroupRow> {
  const wanted = {
    name: values.name ?? group.name,
    description: values.description ?? group.description,
    require_approval: values.require_approval ?? group.require_approval,
    approval_job_types: values.approval_job_types ? [...values.approval_job_types] : group.approval_job_types,
  };
  const fields = ['name', 'description', 'require_approval', 'approval_job_types'] as const;
  const changed = fields.filter((field) => JSON.stringify(wanted[field]) !== JSON.stringify(group[field]));
  const people = await replacePeople(ctx, group, values);
  if (changed.length === 0 && !people) return group;
  const next: GroupRow = { ...group, ...wanted, updated_at: ctx.now };
  await ctx.db.update(ManagerGroup, { group_id: group.group_id }, { ...wanted, updated_at: ctx.now });
  const changes = Object.fromEntries(changed.map((field) => [field, [group[field], wanted[field]] as const]));
  recordGroup(ctx, 'update', group, `Manager group ${next.name} changed`, changes);
  ctx.emit(ApproversChanged, { company_number: group.company_number });
  return next;
}

/** Deletes a group: its people leave it, and tickets that nobody else may decide are released (T-03). */
export async function deleteGroup(ctx: Context, group: GroupRow): Promise<void> {
  await replacePeople(ctx, group, { managers: [], members: [] });
  await ctx.db.update(ManagerGroup, { group_id: group.group_id }, { deleted_at: ctx.now, code_key: null });
  recordGroup(ctx, 'delete', group, `Manager group ${group.name} deleted`);
  ctx.emit(ApproversChanged, { company_number: group.company_number });
}

/** Active employees of the company in neither role of the group (D-13), by name. */
export async function listAvailable(
  ctx: Context,
  group: GroupRow,
  query: { search?: string | undefined; page: number; size: number },
): Promise<Page<AvailableRow>> {
  const where = joined([
    sql`e.company_number = ${group.company_number} AND e.status = 'Active' AND e.deleted_at IS NULL`,
    sql`NOT EXISTS (SELECT 1 FROM manager_group_person p
      WHERE p.group_id = ${group.group_id} AND p.employee_number = e.employee_number)`,
    ...(query.search ? [matching(query.search, ['e.first_name', 'e.last_name', 'e.email'])] : []),
  ]);
  const rows = await ctx.db.query<AvailableRow>(sql`
    SELECT e.employee_number, e.first_name, e.last_name, e.email, e.department, e.title FROM employee e WHERE ${where}
    ORDER BY e.last_name, e.first_name, e.employee_number
    LIMIT ${query.size} OFFSET ${(query.page - 1) * query.size}`);
  const [total] = await ctx.db.query<{ n: number }>(sql`SELECT COUNT(*) AS n FROM employee e WHERE ${where}`);
  return { rows, total: Number(total?.n ?? 0) };
}

interface PersonRow {
  readonly role: 'manager' | 'member';
  readonly employee_number: number;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
}

interface AvailableRow {
  readonly employee_number: number;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly department: string;
  readonly title: string;
}

async function freeCode(ctx: Context, companyNumber: number, groupName: string): Promise<string> {
  // Another group of this name that is made at the same time must be seen.
  await lockCompany(ctx, companyNumber);
  const plain = groupName.normalize('NFKD').replace(/[^A-Za-z0-9]+/g, '-');
  const base = plain.replace(/^-+|-+$/g, '').slice(0, 28) || 'group';
  const taken = await ctx.db.find(ManagerGroup, { company_number: companyNumber, deleted_at: null });
  const codes = new Set(taken.map((each) => each.code_key));
  for (let i = 1; ; i++) {
    const code = i === 1 ? base : `${base}-${i}`;
    if (!codes.has(normalised(code))) return code;
    if (i > 999) throw invalid('code is required');
  }
}

function recordGroup(
  ctx: Context,
  action: 'create' | 'update' | 'delete',
  group: GroupRow,
  description: string,
  changes: Record<string, readonly [unknown, unknown]> = {},
): void {
  ctx.record({ action, entity_type: 'manager_group', entity_id: group.code, description, changes });
}
