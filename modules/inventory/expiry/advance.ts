// Status changes after midnight in the tenant's time zone: contracts start and end, licenses and domains expire.
import { changeAll, IsNull, LessThan, LessThanOrEqual, today, type Context } from '@keelson/core';
import { Contracts } from '../contracts/contracts.ts';
import { Contract } from '../contracts/entities.ts';
import { renewedUntil } from '../contracts/term.ts';
import { Domains } from '../domains/domains.ts';
import { Domain } from '../domains/entities.ts';
import { License } from '../licenses/entities.ts';
import { Licenses } from '../licenses/licenses.ts';
import { contractStatus } from './status.ts';

const options = { take: 100, lock: { mode: 'pessimistic_write' } } as const;

/** Updates all due records, in batches per kind. */
export async function advanceStatuses(outside: Context<undefined>): Promise<void> {
  while (await outside.transaction(advancePortion));
}

/** Processes one batch. Returns whether there may be more. */
async function advancePortion(ctx: Context): Promise<boolean> {
  const now = today(ctx);
  const begun = await ctx.db.find(Contract, {
    where: { status: 'pending', start_date: LessThanOrEqual(now), deleted_at: IsNull() },
    ...options,
  });
  const ended = await ctx.db.find(Contract, {
    where: { status: 'active', end_date: LessThan(now), deleted_at: IsNull() },
    ...options,
  });
  // Include contracts that expired although they should have renewed.
  const late = { status: 'expired', auto_renew: true, end_date: LessThan(now), deleted_at: IsNull() } as const;
  const renewed = await ctx.db.find(Contract, { where: late, ...options });
  await changeAll(ctx, Contracts, [...begun, ...ended, ...renewed], (each) => {
    const dates = { ...each, ...renewedUntil(each, now) };
    const { term_start, end_date, renewal_date } = dates;
    return { status: contractStatus(dates, now), term_start, end_date, renewal_date };
  });
  const over = { status: 'active', expires_at: LessThan(now), deleted_at: IsNull() } as const;
  const licenses = await ctx.db.find(License, { where: over, ...options });
  await changeAll(ctx, Licenses, licenses, { status: 'expired' });
  const domains = await ctx.db.find(Domain, { where: over, ...options });
  await changeAll(ctx, Domains, domains, { status: 'expired' });
  return [begun, ended, renewed, licenses, domains].some((each) => each.length === options.take);
}
