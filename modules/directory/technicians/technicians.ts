// Technicians: the provider's staff (NW-01). The accounts module manages their accounts.
import {
  by,
  change,
  conflict,
  create,
  findOr404,
  is,
  IsNull,
  lock,
  normalised,
  record,
  remove,
  type Context,
  type Given,
  type Row,
  type Timestamp,
  type Wanted,
} from '@keelson/core';
import type { Db } from '@keelson/core/database';
import { defineList, matching, readPage, type Filter } from '@keelson/core/list';
import { worded } from '@keelson/core/plugin';
import type { Role } from '@keelson/core/system';
import { claim, release } from '../address-claims.ts';
import { Technician } from '../entities/technician.ts';
import { TechnicianLeft } from '../events.ts';
import { TechnicianNames } from '../names.ts';
import { addressChange, tellTechnician } from '../sign-in/told.ts';

type TechnicianRow = Row<typeof Technician>;
/** `password_hash` is null until an invitation is accepted. */
type NewTechnician = Pick<Given<typeof Technicians>, 'name' | 'email' | 'role' | 'password_hash'>;
export type TechnicianChanges = Pick<Wanted<typeof Technicians>, 'name' | 'email' | 'role' | 'active'>;

const Technicians = record(Technician, {
  title: 'Technician',
  call: ({ name }) => name,
  names: TechnicianNames,
  // The email address is the login name.
  taken: () => 'email is already in use',
  derive: (after, before) => ({
    email_key: normalised(after.email),
    access_version: before && losesAccess(before, after) ? before.access_version + 1 : after.access_version,
  }),
  erased: { active: false, password_hash: null },
  async prepare(ctx, after, before) {
    if (before) await keepAnAdministrator(ctx, before, after);
  },
  changed(ctx, changes) {
    for (const { before, after } of changes) {
      if (after.password_hash !== null) tellChange(ctx, before, after);
      if (before.active && !after.active) ctx.emit(TechnicianLeft, { user_id: after.user_id });
    }
  },
  removed(ctx, technicians) {
    for (const { user_id } of technicians) ctx.emit(TechnicianLeft, { user_id });
  },
});

/** Creates a member of the provider's staff. @throws duplicate() when the email address is in use */
export async function createTechnician(ctx: Context, given: NewTechnician) {
  await claim(ctx, normalised(given.email), 'technician');
  return create(ctx, Technicians, given);
}

/** Finds a technician, locked inside a transaction. @throws notFound() */
export const findTechnician = (ctx: Context, user_id: number) =>
  ctx.tx ? lock(ctx, Technicians, user_id) : findOr404(ctx, Technicians, user_id);

/**
 * Changes a technician.
 * @throws conflict() for the last active administrator; duplicate() when the email address is in use
 */
export async function updateTechnician(ctx: Context, technician: TechnicianRow, wanted: TechnicianChanges) {
  const { email_key } = technician;
  const isMoved = wanted.email !== undefined && normalised(wanted.email) !== email_key;
  if (isMoved) await claim(ctx, normalised(wanted.email ?? ''), 'technician');
  const after = await change(ctx, Technicians, technician, wanted);
  if (isMoved) await release(ctx, [email_key], 'technician');
  return after;
}

/** Deletes a technician; their past actions keep their name. @throws conflict() for the last active administrator */
export async function deleteTechnician(ctx: Context, technician: TechnicianRow): Promise<void> {
  await keepAnAdministrator(ctx, technician, { ...technician, active: false });
  await remove(ctx, Technicians, technician);
  await release(ctx, [technician.email_key], 'technician');
}

/** Sets a technician's own status (D-22). */
export const setBusy = (ctx: Context, technician: TechnicianRow, busy: boolean) =>
  change(ctx, Technicians, technician, { busy });

/** Sets a technician's language; null removes it. */
export const setLanguage = (ctx: Context, technician: TechnicianRow, language: string | null) =>
  change(ctx, Technicians, technician, { language });

/** Stores the time of a technician's request (D-22), in the background and without a log entry. */
export async function touchTechnician(db: Db, user_id: number, last_activity_at: Timestamp): Promise<void> {
  await db.update(Technician, { user_id }, { last_activity_at });
}

export interface TechnicianFilter {
  readonly search?: string | undefined;
  readonly role?: Role | undefined;
  readonly active?: boolean | undefined;
  readonly page: number;
  readonly size: number;
}

/** Lists a page of technicians by name. Not a view: availability depends on the time of the request. */
export function listTechnicians(ctx: Context, { search, role, active, page, size }: TechnicianFilter) {
  const where: Filter[] = [];
  if (role !== undefined) where.push(is('role', role));
  if (active !== undefined) where.push(is('active', active ? 1 : 0));
  if (search) where.push(matching(search, ['technician.name', 'technician.email']));
  return readPage(ctx.db, TechnicianList, { where, sort: 'name', direction: 'asc', page, size });
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

/** Notifies a technician of what others changed about the account; both mailboxes of an address change. */
function tellChange(ctx: Context, before: TechnicianRow, after: TechnicianRow): void {
  const { name } = ctx.author;
  if (before.email_key !== after.email_key) {
    const change = addressChange(before.email, after.email);
    for (const each of [before, after]) tellTechnician(ctx, each, change);
  }
  if (!before.active && after.active) tellTechnician(ctx, after, worded('{name} reactivated your account.', { name }));
  if (before.role !== after.role) tellTechnician(ctx, after, worded('{name} changed your role.', { name }));
}

/** A role change or deactivation ends every session immediately (NW-01). */
function losesAccess(before: TechnicianRow, after: TechnicianRow): boolean {
  return after.role !== before.role || (before.active && !after.active);
}

/** Locks all administrators, so that of two who remove each other, one is refused. */
async function keepAnAdministrator(ctx: Context, before: TechnicianRow, after: TechnicianRow): Promise<void> {
  if (!canAdminister(before) || canAdminister(after)) return;
  const all = await ctx.db.find(Technician, {
    where: { role: 'administrator', active: true, deleted_at: IsNull() },
    lock: { mode: 'pessimistic_write' },
  });
  if (all.some((each) => each.user_id !== before.user_id && canAdminister(each))) return;
  throw conflict('The last active administrator must stay active and an administrator');
}

/** Without an accepted invitation, an administrator cannot sign in yet. */
function canAdminister({ role, active, password_hash }: TechnicianRow): boolean {
  return role === 'administrator' && active && password_hash !== null;
}
