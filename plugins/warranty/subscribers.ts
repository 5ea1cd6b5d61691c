import { changeAll, subscriber } from '@keelson/core';
import { TicketClosed } from '@keelson/modules/tickets';
import { Claims } from './claims.ts';
import { Claim } from './entities.ts';

export default [
  // Nobody waits for the vendor any more once the ticket is closed. Delivered twice, the second finds nothing open.
  subscriber('warranty.give-up', TicketClosed, async (ctx, { data: { ticket_id } }) => {
    const open = await ctx.db.find(Claim, { ticket_id, state: 'sent' }, { lock: true });
    await changeAll(ctx, Claims, open, { state: 'refused', answered_at: ctx.now });
  }),
];
