import { atMost, change, job, plus, type Context } from '@keelson/core';
import { commentOnTicket, Ticket } from '@keelson/modules/tickets';
import { Claims } from './claims.ts';
import { Claim } from './entities.ts';

const PATIENCE = { days: -7 };
const BATCH = 100;

/** Reminds us, once, of every vendor that has been silent for a week: an internal comment on the claim's ticket. */
async function chaseVendors(ctx: Context): Promise<void> {
  const silent = { state: 'sent', chased_at: null, created_at: atMost(plus(ctx.now, PATIENCE)) } as const;
  for (;;) {
    const claims = await ctx.db.find(Claim, silent, { order: [['created_at', 'ASC']], limit: BATCH });
    // A transaction each: a long run never keeps others waiting, and what is done stays done.
    for (const claim of claims) await ctx.transaction((each) => chase(each, claim));
    if (claims.length < BATCH) return;
  }
}

async function chase(ctx: Context, { claim_id, ticket_id, vendor }: Claim): Promise<void> {
  // An answer that came meanwhile makes it needless, and so does another process that was first.
  const claim = await ctx.db.one(Claim, { claim_id, state: 'sent', chased_at: null }, { lock: true });
  if (!claim) return;
  await change(ctx, Claims, claim, { chased_at: ctx.now });
  const ticket = await ctx.db.one(Ticket, { ticket_id, deleted_at: null }, { lock: true });
  if (ticket)
    await commentOnTicket(ctx, ticket, { comment: `${vendor} has not answered for a week`, is_internal: true });
}

export default [job('warranty.chase', '0 7 * * *', chaseVendors)];
