import {
  admin,
  administrators,
  all,
  anyCredential,
  helpdesk,
  input,
  IsNull,
  notFound,
  nothing,
  signedIn,
  z,
  type Context,
} from '@keelson/core';
import { AccessContacts, Employee, findTechnician, WriteContacts } from '@keelson/modules/directory';
import { WriteSettings } from '@keelson/modules/system';
import type { OwnerId } from '../factors/factor.ts';
import { listIdentities, removeIdentity } from '../oauth/identities.ts';
import { confirmTechnician } from '../sessions/confirm.ts';
import {
  endEmployeeSessions,
  endOwnEmployeeSession,
  endOwnTechnicianSession,
  endTechnicianSessions,
  listEmployeeSessions,
  listTechnicianSessions,
} from '../sessions/own-sessions.ts';
import { requireTechnician, signTechnicianOut, unlinkTechnician } from '../technicians.ts';

const moment = z.iso.datetime();
const Session = z.object({
  session_id: z.int(),
  ip_address: z.string(),
  created_at: moment,
  last_used_at: moment,
  expires_at: moment,
  current: z.boolean(),
});

const Identity = z.object({
  identity_id: z.int(),
  provider: z.string().nullable(),
  issuer: z.string(),
  created_at: moment,
  last_used_at: moment,
});

export default [
  helpdesk.get('/auth/sessions', {
    title: 'List your sessions',
    addition: true,
    access: signedIn,
    returns: all(Session, 'sessions'),
    handle: (ctx) => listEmployeeSessions(ctx),
  }),
  helpdesk.delete('/auth/sessions', {
    title: 'End all your other sessions',
    addition: true,
    access: signedIn,
    returns: nothing(),
    handle: (ctx) => endEmployeeSessions(ctx, ctx.actor.employee_number, ctx.actor.session_id),
  }),
  helpdesk.delete('/auth/sessions/{session_id}', {
    title: 'End one of your sessions',
    addition: true,
    access: signedIn,
    returns: nothing(),
    handle: (ctx, { params: { session_id } }) => endOwnEmployeeSession(ctx, session_id),
  }),
  helpdesk.get('/auth/identities', {
    title: 'List your linked identities',
    addition: true,
    access: signedIn,
    returns: all(Identity, 'identities'),
    handle: (ctx) => listIdentities(ctx, employee(ctx.actor)),
  }),
  helpdesk.delete('/auth/identities/{identity_id}', {
    title: 'Unlink one of your identities',
    addition: true,
    access: signedIn,
    returns: nothing(),
    handle: (ctx, { params: { identity_id } }) => removeIdentity(ctx, employee(ctx.actor), identity_id),
  }),
  admin.get('/contacts.php?action=identities&id={id}', {
    title: 'List a contact’s linked identities',
    addition: true,
    access: administrators(WriteContacts),
    returns: all(Identity),
    load: (ctx, { id }) => findContact(ctx, id),
    handle: (ctx, { item }) => listIdentities(ctx, employee(item)),
  }),
  admin.delete('/contacts.php?action=identities&id={id}&identity_id={identity_id}', {
    title: 'Unlink a contact’s identity',
    addition: true,
    access: administrators(AccessContacts),
    returns: nothing(),
    load: (ctx, { id }) => findContact(ctx, id),
    handle: (ctx, { item, params: { identity_id } }) => removeIdentity(ctx, employee(item), identity_id),
  }),
  admin.post('/technicians.php?action=confirm', {
    title: 'Re-authenticate before revealing stored passwords',
    operationId: 'reauthenticate',
    addition: true,
    slow: true,
    access: anyCredential,
    body: z.object({ password: input.optional(input.secret()), code: input.optional(input.text(64)) }),
    returns: nothing(),
    handle: (ctx, { body }) => confirmTechnician(ctx, requireTechnician(ctx), body),
  }),
  admin.get('/technicians.php?action=sessions', {
    title: 'List your technician sessions',
    addition: true,
    access: anyCredential,
    returns: all(Session),
    handle: (ctx) => listTechnicianSessions(ctx, requireTechnician(ctx)),
  }),
  admin.delete('/technicians.php?action=sessions', {
    title: 'End all your other technician sessions',
    addition: true,
    access: anyCredential,
    returns: nothing(),
    handle: (ctx) => {
      const { user_id, session_id } = requireTechnician(ctx);
      return endTechnicianSessions(ctx, user_id, session_id);
    },
  }),
  admin.delete('/technicians.php?action=sessions&session_id={session_id}', {
    title: 'End one of your technician sessions',
    addition: true,
    access: anyCredential,
    returns: nothing(),
    handle: (ctx, { params: { session_id } }) => endOwnTechnicianSession(ctx, requireTechnician(ctx), session_id),
  }),
  admin.get('/technicians.php?action=identities', {
    title: 'List your linked technician identities',
    addition: true,
    access: anyCredential,
    returns: all(Identity),
    handle: (ctx) => listIdentities(ctx, technician(requireTechnician(ctx))),
  }),
  admin.delete('/technicians.php?action=identities&identity_id={identity_id}', {
    title: 'Unlink one of your technician identities',
    addition: true,
    access: anyCredential,
    returns: nothing(),
    handle: (ctx, { params: { identity_id } }) => removeIdentity(ctx, technician(requireTechnician(ctx)), identity_id),
  }),
  admin.get('/technicians.php?action=linked-identities&id={id}', {
    title: 'List a technician’s linked identities',
    addition: true,
    access: administrators(WriteSettings),
    returns: all(Identity),
    load: (ctx, { id }) => findTechnician(ctx, id),
    handle: (ctx, { item }) => listIdentities(ctx, technician(item)),
  }),
  admin.delete('/technicians.php?action=linked-identities&id={id}', {
    title: 'Unlink all identities of a technician',
    addition: true,
    access: administrators(WriteSettings),
    returns: nothing(),
    load: (ctx, { id }) => findTechnician(ctx, id),
    handle: (ctx, { item }) => unlinkTechnician(ctx, item),
  }),
  admin.delete('/technicians.php?action=all-sessions&id={id}', {
    title: 'End all sessions of a technician',
    addition: true,
    access: administrators(WriteSettings),
    returns: nothing(),
    load: (ctx, { id }) => findTechnician(ctx, id),
    handle: (ctx, { item: technician }) => signTechnicianOut(ctx, technician),
  }),
  admin.delete('/contacts.php?action=all-sessions&id={id}', {
    title: 'End all sessions of a contact',
    addition: true,
    access: administrators(WriteContacts),
    returns: nothing(),
    load: (ctx, { id }) => findContact(ctx, id),
    handle: (ctx, { item: { employee_number } }) => endEmployeeSessions(ctx, employee_number),
  }),
];

const employee = ({ employee_number }: { readonly employee_number: number }): OwnerId => ({
  kind: 'employee',
  id: employee_number,
});

const technician = ({ user_id }: { readonly user_id: number }): OwnerId => ({ kind: 'technician', id: user_id });

async function findContact(ctx: Context, employee_number: number) {
  const contact = await ctx.db.findOneBy(Employee, { employee_number, deleted_at: IsNull() });
  if (!contact) throw notFound('Contact');
  return contact;
}
