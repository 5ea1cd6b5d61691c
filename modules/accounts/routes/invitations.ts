import { admin, helpdesk, input, item, itAdmin, z } from '@keelson/core';
import { AccessContacts, findColleague, findEmployee, ReadContacts } from '@keelson/modules/directory';
import { findImport, findOwnImport } from '@keelson/modules/system';
import {
  ImportInvitations,
  inviteEmployees,
  inviteImported,
  Invitations,
  PortalAccess,
  readPortalAccess,
} from '../passwords/employee-invitation.ts';

const people = z.object({ employee_numbers: input.ids() });
/** `after` is `next` of the previous response, because people are invited in batches. */
const imported = z.object({ import_id: input.id(), after: input.optional(input.int(0, 2_147_483_647)) });

export default [
  admin.get('/contacts.php?action=portal-access&id={id}', {
    title: 'Read a contact’s portal access',
    addition: true,
    access: ReadContacts,
    returns: item(PortalAccess),
    load: (ctx, { id }) => findEmployee(ctx, id),
    handle: (ctx, { item: employee }) => readPortalAccess(ctx, employee),
  }),
  admin.post('/contacts.php?action=invite', {
    title: 'Invite contacts to the portal',
    addition: true,
    access: AccessContacts,
    body: people,
    returns: item(Invitations),
    handle: (ctx, { body }) => inviteEmployees(ctx, body),
  }),
  admin.post('/contacts.php?action=invite-imported', {
    title: 'Invite the contacts of an import to the portal',
    operationId: 'inviteImportedContacts',
    addition: true,
    access: AccessContacts,
    body: imported,
    returns: item(ImportInvitations),
    handle: async (ctx, { body: { import_id, after } }) => inviteImported(ctx, await findImport(ctx, import_id), after),
  }),
  helpdesk.get('/employees/{id}/portal-access', {
    title: 'Read an employee’s portal access',
    addition: true,
    access: itAdmin,
    returns: item(PortalAccess),
    load: (ctx, { id }) => findColleague(ctx, id),
    handle: (ctx, { item: employee }) => readPortalAccess(ctx, employee),
  }),
  helpdesk.post('/employees/invite', {
    title: 'Invite employees to the portal',
    addition: true,
    access: itAdmin,
    body: people,
    returns: item(Invitations),
    handle: (ctx, { body }) => inviteEmployees(ctx, { ...body, company_number: ctx.actor.company_number }),
  }),
  helpdesk.post('/employees/invite-imported', {
    title: 'Invite the employees of an import to the portal',
    operationId: 'inviteImportedEmployees',
    addition: true,
    access: itAdmin,
    body: imported,
    returns: item(ImportInvitations),
    handle: async (ctx, { body: { import_id, after } }) =>
      inviteImported(ctx, await findOwnImport(ctx, import_id), after, ctx.actor.company_number),
  }),
];
