// Manager groups: requests of their members need the approval of a manager (D-07 to D-14).
import {
  by,
  change,
  create,
  invalid,
  IsNull,
  lock,
  normalised,
  notFound,
  param,
  record,
  view,
  type Context,
  type Row,
} from '@keelson/core';
import { matching } from '@keelson/core/list';
import { Companies } from '../companies/companies.ts';
import { ManagerGroup } from '../entities/group.ts';
import { ApproversChanged } from '../events.ts';
import { CompanyNames } from '../names.ts';
import { holdCompany } from '../references.ts';
import { replacePeople, type GroupPeople } from './group-people.ts';

type GroupRow = Row<typeof ManagerGroup>;

export const Groups = record(ManagerGroup, {
  title: 'Manager group',
  call: ({ name }) => name,
  log: { id: ({ code }) => code },
  filters: (its) => ({
    company_number: its.is('company_number'),
    search: its.by(param.search(), (_ctx, text) => matching(text, ['manager_group.name', 'manager_group.code'])),
  }),
  sorts: { name: by('name') },
  order: 'asc',
  taken: ({ code }) => `code ${code} already exists`,
  derive: ({ code }) => ({ code_key: normalised(code) }),
  // Releases tickets that no one else may decide (T-03).
  changed(ctx, changes) {
    for (const { after } of changes) ctx.emit(ApproversChanged, { company_number: after.company_number });
  },
  async removed(ctx, groups) {
    for (const group of groups) {
      await replacePeople(ctx, group, { managers: [], members: [] });
      ctx.emit(ApproversChanged, { company_number: group.company_number });
    }
  },
});

/** A group in lists. The id is used to count its people, and is not exposed. */
export const GroupItem = view(Groups);
/** A group in lists across companies. */
export const CompanyGroupItem = view(Groups, {
  more: (its) => ({ company_name: its.name(CompanyNames, 'company_number') }),
});

export interface GroupChanges extends GroupPeople {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly require_approval?: boolean | undefined;
  readonly approval_job_types?: string[] | undefined;
}
export interface GroupInput extends GroupChanges {
  readonly code?: string | undefined;
  readonly name: string;
}

/** Finds a group of a company, locked inside a transaction. The code ignores case. @throws notFound */
export async function findGroup(ctx: Context, company_number: number, code: string): Promise<GroupRow> {
  const at = { company_number, code_key: normalised(code), deleted_at: IsNull() };
  const group = await ctx.db.findOne(ManagerGroup, { where: at, lock: ctx.tx && { mode: 'pessimistic_write' } });
  if (!group) throw notFound('Manager group');
  return group;
}

/** Creates a group. Without a code, derives one from the name (D-07). */
export async function createGroup(
  ctx: Context,
  company_number: number,
  { managers, members, ...given }: GroupInput,
): Promise<GroupRow> {
  const code = given.code ?? (await freeCode(ctx, company_number, given.name));
  const { approval_job_types = [] } = given;
  return create(
    ctx,
    Groups,
    { ...given, company_number, code, approval_job_types },
    { store: async (group) => void (await replacePeople(ctx, group, { managers, members })) },
  );
}

/** Creates a group in any company. @throws invalid() when the company does not exist */
export async function createCompanyGroup(
  ctx: Context,
  { company_number, ...given }: GroupInput & { readonly company_number: number },
): Promise<GroupRow> {
  await holdCompany(ctx, company_number);
  return createGroup(ctx, company_number, given);
}

/** Changes a locked group. `managers` and `members` replace its people (D-08). The code is immutable (D-07). */
export async function updateGroup(
  ctx: Context,
  group: GroupRow,
  { managers, members, ...wanted }: GroupChanges,
): Promise<GroupRow> {
  const people = await replacePeople(ctx, group, { managers, members });
  return change(ctx, Groups, group, wanted, { extra: people ? { people: ['changed', 'changed'] } : {} });
}

/** Derives a unique code from a name. Locks the company, so that two groups never get the same one. */
async function freeCode(ctx: Context, company_number: number, groupName: string): Promise<string> {
  await lock(ctx, Companies, company_number);
  const plain = groupName.normalize('NFKD').replace(/[^A-Za-z0-9]+/g, '-');
  const base = plain.replace(/^-+|-+$/g, '').slice(0, 28) || 'group';
  const taken = await ctx.db.findBy(ManagerGroup, { company_number, deleted_at: IsNull() });
  const codes = new Set(taken.map((each) => each.code_key));
  for (let i = 1; ; i++) {
    const code = i === 1 ? base : `${base}-${i}`;
    if (!codes.has(normalised(code))) return code;
    if (i > 999) throw invalid('code is required');
  }
}
