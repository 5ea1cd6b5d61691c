import { admin, helpdesk, input, item, itAdmin, z } from '@keelson/core';
import { AccessContacts, findColleague, findEmployee, ReadContacts } from '@keelson/modules/directory';
import { inviteEmployees, Invitations, PortalAccess, readPortalAccess } from '../passwords/employee-invitation.ts';

const people = z.object({ employee_numbers: input.ids() });

export default [
  admin.get('/contacts.php?action=portal-access&id={id}', {
    title: 'Read whether a contact can sign in to the portal',
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
  helpdesk.get('/employees/{id}/portal-access', {
    title: 'Read whether an employee can sign in to the portal',
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
];
