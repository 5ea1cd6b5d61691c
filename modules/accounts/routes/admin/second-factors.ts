import { admin, administrators, item, nothing, notFound, IsNull, type Context } from '@keelson/core';
import { AccessContacts, Employee, findTechnician, WriteContacts } from '@keelson/modules/directory';
import { WriteSettings } from '@keelson/modules/system';
import type { OwnerId } from '../../factors/factor.ts';
import { factorState, removeFactor } from '../../factors/second-factor.ts';
import { removeIdentities } from '../../oauth/identities.ts';
import { SecondFactorState } from '../../shapes.ts';
import { resetTechnicianFactor } from '../../technicians.ts';

// For people who lost the phone and the recovery codes. Until they set up a new factor, the password alone is enough.

export default [
  admin.get('/contacts.php?action=second-factor&id={id}', {
    title: 'Read a contact’s two-factor status',
    addition: true,
    access: administrators(WriteContacts),
    returns: item(SecondFactorState),
    load: (ctx, { id }) => findContact(ctx, id),
    handle: (ctx, { item: owner }) => factorState(ctx, owner),
  }),
  admin.delete('/contacts.php?action=second-factor&id={id}', {
    title: 'Reset a contact’s two-factor authentication',
    addition: true,
    access: administrators(AccessContacts),
    returns: nothing(),
    load: (ctx, { id }) => findContact(ctx, id),
    handle: (ctx, { item: owner }) => resetFactor(ctx, owner),
  }),
  admin.get('/technicians.php?action=second-factor&id={id}', {
    title: 'Read a technician’s two-factor status',
    addition: true,
    access: administrators(WriteSettings),
    returns: item(SecondFactorState),
    load: (ctx, { id }) => findTechnician(ctx, id),
    handle: (ctx, { item: { user_id } }) => factorState(ctx, { kind: 'technician', id: user_id }),
  }),
  admin.delete('/technicians.php?action=second-factor&id={id}', {
    title: 'Reset a technician’s two-factor authentication',
    addition: true,
    access: administrators(WriteSettings),
    returns: nothing(),
    load: (ctx, { id }) => findTechnician(ctx, id),
    handle: (ctx, { item: technician }) => resetTechnicianFactor(ctx, technician),
  }),
];

async function resetFactor(ctx: Context, owner: OwnerId): Promise<void> {
  if (!(await removeFactor(ctx, owner))) throw notFound('Second factor');
  await removeIdentities(ctx, owner);
}

async function findContact(ctx: Context, id: number): Promise<OwnerId> {
  if (!(await ctx.db.existsBy(Employee, { employee_number: id, deleted_at: IsNull() }))) throw notFound('Contact');
  return { kind: 'employee', id };
}
