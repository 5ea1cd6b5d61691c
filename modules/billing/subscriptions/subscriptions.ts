// What follows the writes of subscriptions, and how technicians change them (NW-13).
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

/** A subscription that is to be changed. @throws notFound() */
export const lockSubscription = (ctx: Context, id: number): Promise<Subscription> => lock(ctx, Subscriptions, id);

/** What is final when a subscription is no longer active (M-34). */
const terms = ['status', 'quantity', 'end_date'] as const;

type Course = Pick<Subscription, 'status' | 'start_date' | 'billing_cycle' | 'periods_billed' | 'end_date'>;

/** The first day of the first period without an invoice; null when there is none. A period is billed whole, in advance. */
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
 * Changes a subscription that was locked in the same transaction. A quantity counts from the next invoice on. One that is
 * cancelled ends with the last period that was billed, which stays billed.
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

/** The last day that has been billed, or the day it ends if that comes before. */
function lastDayBilled(of: Subscription): Day {
  const last = dayBefore(startOfPeriod(of, of.periods_billed));
  return of.end_date !== null && of.end_date < last ? of.end_date : last;
}
