import { admin, type Access, type Admin } from '@keelson/core';
import { WriteTickets } from '@keelson/modules/tickets';

export const ReadClaims = admin.permission('warranty:read', 'View warranty claims');
export const WriteClaims = admin.permission('warranty:write', 'File and answer warranty claims');

/** Filing a claim creates a ticket, so it requires that permission too. */
export const FileClaims: Access<Admin> = Object.freeze({
  title: 'warranty:write and tickets:write',
  allows: (actor: Admin) => WriteClaims.allows(actor) && WriteTickets.allows(actor),
});
