import { liveRecord, signedIn } from '@keelson/core';
import { Ticket } from './entities.ts';
import { ReadTickets } from './permissions.ts';
import { visibleTickets } from './ticket/visible.ts';

export default [
  liveRecord(Ticket, {
    admin: ReadTickets,
    helpdesk: { access: signedIn, visible: (ctx) => visibleTickets(ctx, 'seen') },
  }),
];
