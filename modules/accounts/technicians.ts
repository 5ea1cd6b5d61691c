// The provider's technicians and their accounts (NW-01). The directory owns the rows.
import { conflict, forbidden, notFound, type Admin, type Context, type Row } from '@keelson/core';
import { adminSurface, type Role } from '@keelson/core/system';
import {
  availabilityOf,
  createTechnician,
  deleteTechnician,
  findTechnician,
  listTechnicians,
  setBusy,
  updateTechnician,
  type Technician,
  type TechnicianChanges,
  type TechnicianFilter,
} from '@keelson/modules/directory';
import { TechnicianIdentity } from './entities.ts';
import { removeFactor } from './factors/second-factor.ts';
import { keyPermissions } from './keys/key-kinds.ts';
import { removeIdentities } from './oauth/identities.ts';
import { technicianPerson, voidLinks } from './passwords/account-link.ts';
import { inviteTechnician } from './passwords/invitation.ts';
import { endTechnicianSessions } from './sessions/own-sessions.ts';

type TechnicianRow = Row<typeof Technician>;
type Shown = Pick<
  TechnicianRow,
  | 'user_id'
  | 'name'
  | 'email'
  | 'role'
  | 'active'
  | 'busy'
  | 'password_hash'
  | 'last_activity_at'
  | 'created_at'
  | 'updated_at'
>;

/** Returns a technician for display. Reveals only whether there is a password. */
export function showTechnician({ now }: Context, row: Shown) {
  const { busy: _, password_hash, ...rest } = row;
  return { ...rest, status: availabilityOf(row, now), invitation_pending: row.active && password_hash === null };
}

/** Lists a page of technicians by name. */
export async function readTechnicians(ctx: Context, filter: TechnicianFilter) {
  const { rows, total } = await listTechnicians(ctx, filter);
  return { rows: rows.map((row) => showTechnician(ctx, row)), total };
}

/** Adds a technician without a password, and mails an invitation. @throws forbidden(), duplicate() */
export async function addTechnician(ctx: Context<Admin>, values: { name: string; email: string; role: Role }) {
  requireManageable(ctx, values.role);
  const technician = await createTechnician(ctx, { ...values, password_hash: null });
  await inviteTechnician(ctx, technician);
  return showTechnician(ctx, technician);
}

/** Changes a technician. A new address or role voids links sent before. @throws forbidden(), conflict() */
export async function changeTechnician(ctx: Context<Admin>, before: TechnicianRow, changes: TechnicianChanges) {
  requireManageable(ctx, before.role);
  if (changes.role) requireManageable(ctx, changes.role);
  const after = await updateTechnician(ctx, before, changes);
  if (after.email !== before.email || after.access_version !== before.access_version) {
    await voidLinks(ctx, [technicianPerson(after)]);
    if (after.active && after.password_hash === null) await inviteTechnician(ctx, after);
  }
  return showTechnician(ctx, after);
}

/** Deletes a technician. @throws forbidden(), conflict() for the last active administrator */
export async function removeTechnician(ctx: Context<Admin>, technician: TechnicianRow): Promise<void> {
  requireManageable(ctx, technician.role);
  await deleteTechnician(ctx, technician);
  await voidLinks(ctx, [technicianPerson(technician)]);
  await ctx.db.delete(TechnicianIdentity, { user_id: technician.user_id });
}

/** Sends the invitation again. @throws conflict() if the technician has a password or is inactive */
export async function inviteAgain(ctx: Context<Admin>, technician: TechnicianRow) {
  requireManageable(ctx, technician.role);
  if (technician.password_hash !== null) throw conflict('The invitation has already been accepted');
  if (!technician.active) throw conflict('The technician is not active');
  await inviteTechnician(ctx, technician);
  return showTechnician(ctx, technician);
}

/**
 * Removes a second factor whose phone and recovery codes are lost (SF-31).
 * @throws forbidden(), notFound() without one
 */
export async function resetTechnicianFactor(ctx: Context<Admin>, { user_id, role }: TechnicianRow): Promise<void> {
  requireManageable(ctx, role);
  const owner = { kind: 'technician', id: user_id } as const;
  if (!(await removeFactor(ctx, owner))) throw notFound('Second factor');
  await removeIdentities(ctx, owner);
}

/** Removes all of a technician's identities at providers. @throws forbidden(); notFound() without any */
export async function unlinkTechnician(ctx: Context<Admin>, { user_id, role }: TechnicianRow): Promise<void> {
  requireManageable(ctx, role);
  if (!(await removeIdentities(ctx, { kind: 'technician', id: user_id }))) throw notFound('Identity');
}

/** Ends all sessions of a technician whose account may be compromised. @throws forbidden() */
export async function signTechnicianOut(ctx: Context<Admin>, { user_id, role }: TechnicianRow): Promise<void> {
  requireManageable(ctx, role);
  await endTechnicianSessions(ctx, user_id);
}

/** Sets the caller's own status (D-22). @throws forbidden() for a key */
export async function setOwnStatus(ctx: Context<Admin>, status: 'available' | 'busy') {
  const { user_id } = requireTechnician(ctx);
  return showTechnician(ctx, await setBusy(ctx, await findTechnician(ctx, user_id), status === 'busy'));
}

/** Returns the calling technician. @throws forbidden() for a key */
export function requireTechnician({ actor }: Context<Admin>) {
  if (actor.kind === 'key') throw forbidden('A technician must be signed in');
  return actor;
}

/**
 * Changing an address is a way to take over an account, so no caller may manage people with more rights than its own
 * . A key may not manage administrators, and may manage technicians only if it has all their permissions.
 * @throws forbidden()
 */
function requireManageable({ app, actor }: Context<Admin>, role: Role): void {
  if (actor.kind === 'technician') return;
  const sample = { ...nobody, role };
  const needed = keyPermissions(app, 'admin').filter((each) => adminSurface.holds(sample, each));
  const fits = role === 'technician' && needed.every((each) => actor.permissions.has(each));
  if (!fits) throw forbidden('A key cannot manage technicians with more permissions than its own');
}

const nobody = { kind: 'technician', user_id: 0, name: '', email: '', session_id: 0 } as const;
