import { all, helpdesk, signedIn } from '@keelson/core';
import { findVisibleTicket } from '@keelson/modules/tickets';
import { PortalLevel, readPortalLevels } from '../clocks/portal-levels.ts';

export default [
  helpdesk.get('/tickets/{id}/service-levels', {
    title: 'List the targets of a ticket',
    addition: true,
    access: signedIn,
    returns: all(PortalLevel, 'service_levels'),
    load: (ctx, { id }) => findVisibleTicket(ctx, id),
    handle: (ctx, { item: ticket }) => readPortalLevels(ctx, ticket),
  }),
];
