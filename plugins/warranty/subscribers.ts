import { changeAll, subscriber } from '@keelson/core';
import { TicketClosed } from '@keelson/modules/tickets';
import { Claims } from './claims.ts';
import { Claim } from './entities.ts';

export default [
  // A closed ticket ends the wait for the vendor. A repeated delivery finds no open claims.
  subscriber('warranty.give-up', TicketClosed, async (ctx, { data: { ticket_id } }) => {
    const open = await ctx.db.find(Claim, { where: { ticket_id, state: 'sent' }, lock: { mode: 'pessimistic_write' } });
    await changeAll(ctx, Claims, open, { state: 'refused', answered_at: ctx.now });
  }),
];
