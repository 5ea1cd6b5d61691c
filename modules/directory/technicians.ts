import {
  by,
  changed,
  changesBetween,
  conflict,
  defineList,
  DuplicateKey,
  duplicate,
  is,
  matching,
  normalised,
  notFound,
  readPage,
  type Context,
  type Db,
  type Filter,
  type Row,
  type Timestamp,
} from '@keelson/core';
import { type Role } from '@keelson/core/system';
import { Technician } from './entities/technician.ts';
import { TechnicianNames } from './names.ts';

type TechnicianRow = Row<typeof Technician>;

export interface NewTechnician {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  /** Hashed outside the transaction (core/security/password.ts); null until an invitation is accepted. */
  readonly password_hash: string | null;
}

/** Adds a member of the provider's staff; the e-mail address is the login name. */
export async function createTechnician(ctx: Context, values: NewTechnician): Promise<TechnicianRow> {
  const row = { ...values, email_key: normalised(values.email), created_at: ctx.now, updated_at: ctx.now };
  const userId = await ctx.db.insert(Technician, row).catch(refuseTaken);
  record(ctx, 'create', userId, `Technician ${values.name} created`);
  return findTechnician(ctx, userId);
}

/** @throws notFound() when there is none, or it was deleted */
export async function findTechnician(ctx: Context, user_id: number): Promise<TechnicianRow> {
  const technician = await ctx.db.one(Technician, { user_id, deleted_at: null }, { lock: ctx.tx !== undefined });
  if (!technician) throw notFound('Technician');
  return technician;
}

export interface TechnicianChanges {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly role?: Role | undefined;
  readonly active?: boolean | undefined;
}

/**
 * Changes a technician. Another role, or none at all any more, ends every session at once (NW-01).
 * @throws conflict() for the last active administrator; duplicate() when the e-mail address is taken
 */
export async function updateTechnician(
  ctx: Context,
  before: TechnicianRow,
  wanted: TechnicianChanges,
): Promise<TechnicianRow> {
  const changes = changesBetween(before, { ...before, ...given(wanted) });
  if (Object.keys(changes).length === 0) return before;
  const { user_id } = before;
  const after = { ...before, ...given(wanted), updated_at: ctx.now };
  await keepAnAdministrator(ctx, before, after);
  const ends = after.role !== before.role || (before.active && !after.active);
  const access_version = before.access_version + (ends ? 1 : 0);
  const email_key = normalised(after.email);
  const set = { ...given(wanted), email_key, access_version, updated_at: ctx.now };
  await ctx.db.update(Technician, { user_id }, set).catch(refuseTaken);
  record(ctx, 'update', user_id, `Technician ${before.name} changed`, changes);
  changed(ctx, Technician);
  if (ctx.tx && after.name !== before.name) await ctx.app.names.changed(ctx.tx, TechnicianNames, user_id);
  return { ...after, email_key, access_version };
}

/** Deletes a technician; what they did keeps their name. @throws conflict() for the last active administrator */
export async function deleteTechnician(ctx: Context, before: TechnicianRow): Promise<void> {
  const { user_id, name, access_version } = before;
  await keepAnAdministrator(ctx, before, { ...before, active: false });
  const gone = { active: false, email_key: null, password_hash: null, access_version: access_version + 1 };
  await ctx.db.update(Technician, { user_id }, { ...gone, updated_at: ctx.now, deleted_at: ctx.now });
  record(ctx, 'delete', user_id, `Technician ${name} deleted`);
  changed(ctx, Technician);
}

/** Sets what the technician says by hand (D-22). */
export async function setBusy(ctx: Context, before: TechnicianRow, busy: boolean): Promise<TechnicianRow> {
  if (before.busy === busy) return before;
  const { user_id, name } = before;
  await ctx.db.update(Technician, { user_id }, { busy, updated_at: ctx.now });
  const description = `Technician ${name} is ${busy ? 'busy' : 'available'}`;
  record(ctx, 'update', user_id, description, { busy: [before.busy, busy] });
  return { ...before, busy, updated_at: ctx.now };
}

export interface TechnicianFilter {
  readonly search?: string | undefined;
  readonly role?: Role | undefined;
  readonly active?: boolean | undefined;
  readonly page: number;
  readonly size: number;
}

/** A page of the staff by name. */
export function listTechnicians(ctx: Context, { search, role, active, page, size }: TechnicianFilter) {
  const where: Filter[] = [];
  if (role !== undefined) where.push(is('role', role));
  if (active !== undefined) where.push(is('active', active ? 1 : 0));
  const words = ['technician.name', 'technician.email'];
  if (search) where.push(matching(search, words));
  return readPage(ctx.db, TechnicianList, { where, sort: 'name', direction: 'asc', page, size });
}

/** The technician's availability follows from the last request (D-22); noted beside the request, not in it. */
export async function touchTechnician(db: Db, userId: number, at: Timestamp): Promise<void> {
  await db.update(Technician, { user_id: userId }, { last_activity_at: at });
}

const TechnicianList = defineList({
  table: Technician,
  columns: [
    'user_id',
    'name',
    'email',
    'role',
    'active',
    'busy',
    'password_hash',
    'last_activity_at',
    'created_at',
    'updated_at',
  ],
  sorts: { name: by('name') },
});

/** All administrators are locked, so that of two who remove each other one is refused. */
async function keepAnAdministrator(ctx: Context, before: TechnicianRow, after: TechnicianRow): Promise<void> {
  if (!governs(before) || governs(after)) return;
  const all = await ctx.db.find(Technician, { role: 'administrator', active: true, deleted_at: null }, { lock: true });
  if (all.some((each) => each.user_id !== before.user_id && governs(each))) return;
  throw conflict('The last active administrator must remain one');
}

/** Whoever was only invited cannot sign in yet. */
function governs({ role, active, password_hash }: TechnicianRow): boolean {
  return role === 'administrator' && active && password_hash !== null;
}

function given(wanted: TechnicianChanges) {
  const { name, email, role, active } = wanted;
  return {
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(role !== undefined && { role }),
    ...(active !== undefined && { active }),
  };
}

function refuseTaken(error: unknown): never {
  if (error instanceof DuplicateKey) throw duplicate('email is already in use');
  throw error;
}

function record(
  ctx: Context,
  action: 'create' | 'update' | 'delete',
  entity_id: number,
  description: string,
  changes: ReturnType<typeof changesBetween> = {},
): void {
  ctx.record({ action, entity_type: 'technician', entity_id, description, changes });
}
