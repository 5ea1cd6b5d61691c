// Subscription records, the effects of their changes, and updates by technicians (NW-13).
import {
  change,
  conflict,
  eventData,
  eventDataFor,
  invalid,
  lock,
  record,
  today,
  type Context,
  type Day,
} from '@keelson/core';
import { holdCompany } from '@keelson/modules/directory';
import { SubscriptionCancelled, SubscriptionCreated, SubscriptionExpired } from '../events.ts';
import { isShown } from '../money.ts';
import { SubscriptionNames } from '../names.ts';
import type { Subscription } from './entities.ts';
import { dayBefore, startOfPeriod } from './periods.ts';
import { amountPerPeriod, SubscriptionItem, SubscriptionNoun } from './subscription-list.ts';

const endings = { cancelled: SubscriptionCancelled, expired: SubscriptionExpired } as const;

export const Subscriptions = record(SubscriptionNoun, {
  call: ({ name }) => name,
  names: SubscriptionNames,
  log: { created: ['quantity', 'unit_price_minor', 'billing_cycle'], omit: ['periods_billed'] },
  follow: (_ctx, before, wanted) => ({ next_billing_date: nextBillingDate({ ...before, ...wanted }) }),
  async prepare(ctx, after, before) {
    if (!before) await holdCompany(ctx, after.company_number);
    else if (before.status !== 'active' && terms.some((each) => after[each] !== before[each]))
      throw conflict(`Subscription is ${before.status}`);
    if (!isShown(amountPerPeriod(after))) throw invalid('quantity must be smaller: the amount is too large');
  },
  async created(ctx, subscription) {
    ctx.emit(SubscriptionCreated, await eventData(ctx, SubscriptionItem, subscription));
  },
  async changed(ctx, changes) {
    const ended = changes.filter(({ before, after }) => before.status !== after.status).map(({ after }) => after);
    const dataOf = await eventDataFor(ctx, SubscriptionItem, ended);
    for (const each of ended) if (each.status !== 'active') ctx.emit(endings[each.status], dataOf(each));
  },
});

/** Locks a subscription for a change. @throws notFound() */
export const lockSubscription = (ctx: Context, id: number): Promise<Subscription> => lock(ctx, Subscriptions, id);

/** Fields that are final once a subscription is inactive (M-34). */
const terms = ['status', 'quantity', 'end_date'] as const;

type Course = Pick<Subscription, 'status' | 'start_date' | 'billing_cycle' | 'periods_billed' | 'end_date'>;

/** Returns the first day of the first unbilled period, or null without one. Periods are billed whole, in advance. */
export function nextBillingDate(of: Course): Day | null {
  if (of.status !== 'active') return null;
  const next = startOfPeriod(of, of.periods_billed);
  return of.end_date !== null && next > of.end_date ? null : next;
}

export interface SubscriptionUpdate {
  readonly quantity?: number | undefined;
  readonly status?: 'active' | 'cancelled' | undefined;
  readonly end_date?: Day | null | undefined;
}

/**
 * Changes a subscription that was locked in the same transaction. A new quantity applies from the next invoice. A
 * cancelled subscription ends with its last billed period.
 * @throws conflict() when it is no longer active; invalid() for an end in the past
 */
export async function updateSubscription(
  ctx: Context,
  subscription: Subscription,
  { end_date, ...wanted }: SubscriptionUpdate,
): Promise<Subscription> {
  if (wanted.status === 'cancelled' && subscription.status === 'active') {
    if (end_date !== undefined) throw invalid('end_date cannot be chosen for a subscription that is cancelled');
    return change(ctx, Subscriptions, subscription, { ...wanted, end_date: lastDayBilled(subscription) });
  }
  const chosen = end_date !== undefined && end_date !== null && end_date !== subscription.end_date;
  if (chosen && end_date < today(ctx)) throw invalid('end_date must not be in the past');
  return change(ctx, Subscriptions, subscription, { ...wanted, end_date });
}

/** Returns the last billed day, or the end date if earlier. */
function lastDayBilled(of: Subscription): Day {
  const last = dayBefore(startOfPeriod(of, of.periods_billed));
  return of.end_date !== null && of.end_date < last ? of.end_date : last;
}
