import { change, IsNull, job, LessThanOrEqual, plus, type Context } from '@keelson/core';
import { commentOnTicket, Ticket } from '@keelson/modules/tickets';
import { Claims } from './claims.ts';
import { Claim } from './entities.ts';

const PATIENCE = { days: -7 };
const BATCH = 100;

/** Adds an internal note, once, to the ticket of every claim whose vendor has not responded for a week. */
async function chaseVendors(ctx: Context): Promise<void> {
  const silent = { state: 'sent', chased_at: IsNull(), created_at: LessThanOrEqual(plus(ctx.now, PATIENCE)) } as const;
  for (;;) {
    const claims = await ctx.db.find(Claim, { where: silent, order: { created_at: 'ASC' }, take: BATCH });
    // One transaction per claim, so that a long run blocks no one and completed work is kept.
    for (const claim of claims) await ctx.transaction((each) => chase(each, claim));
    if (claims.length < BATCH) return;
  }
}

async function chase(ctx: Context, { claim_id, ticket_id, vendor }: Claim): Promise<void> {
  // Skip if the vendor has responded or another process was first.
  const claim = await ctx.db.findOne(Claim, {
    where: { claim_id, state: 'sent', chased_at: IsNull() },
    lock: { mode: 'pessimistic_write' },
  });
  if (!claim) return;
  await change(ctx, Claims, claim, { chased_at: ctx.now });
  const ticket = await ctx.db.findOne(Ticket, {
    where: { ticket_id, deleted_at: IsNull() },
    lock: { mode: 'pessimistic_write' },
  });
  if (ticket)
    await commentOnTicket(ctx, ticket, { comment: `${vendor} has not responded for a week`, is_internal: true });
}

export default [job('warranty.chase', '0 7 * * *', chaseVendors, { title: 'Remind of claims without a response' })];
