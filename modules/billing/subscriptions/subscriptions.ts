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
import { checkAmount, isShown } from '../money.ts';
import { SubscriptionNames } from '../names.ts';
import type { Subscription } from './entities.ts';
import { dayBefore, startOfPeriod } from './periods.ts';
import { amountPerPeriod, SubscriptionItem, SubscriptionNoun } from './subscription-list.ts';

const endings = { cancelled: SubscriptionCancelled, expired: SubscriptionExpired } as const;

export const Subscriptions = record(SubscriptionNoun, {
  call: ({ name }) => name,
  names: SubscriptionNames,
  log: { created: ['quantity', 'unit_price_minor', 'billing_cycle'], omit: ['periods_billed', 'periods_skipped'] },
  follow: (_ctx, before, wanted) => ({ next_billing_date: nextBillingDate({ ...before, ...wanted }) }),
  async prepare(ctx, after, before) {
    if (!before) await holdCompany(ctx, after.company_number);
    else if (!isLive(before) && terms.some((each) => after[each] !== before[each]))
      throw conflict(`Subscription is ${before.status}`);
    const { unit_price_minor, next_price_minor } = after;
    const prices = [unit_price_minor, next_price_minor ?? unit_price_minor];
    if (!prices.every((each) => isShown(amountPerPeriod({ ...after, unit_price_minor: each }))))
      throw invalid('quantity must be smaller: the amount is too large');
  },
  async created(ctx, subscription) {
    ctx.emit(SubscriptionCreated, await eventData(ctx, SubscriptionItem, subscription));
  },
  async changed(ctx, changes) {
    const ended = changes.filter(({ before, after }) => before.status !== after.status).map(({ after }) => after);
    const dataOf = await eventDataFor(ctx, SubscriptionItem, ended);
    for (const each of ended)
      if (each.status === 'cancelled' || each.status === 'expired') ctx.emit(endings[each.status], dataOf(each));
  },
});

/** Locks a subscription for a change. @throws notFound() */
export const lockSubscription = (ctx: Context, id: number): Promise<Subscription> => lock(ctx, Subscriptions, id);

/** Fields that are final once a subscription has ended (M-34). */
const terms = [
  'status',
  'quantity',
  'unit_price_minor',
  'next_price_minor',
  'next_price_from',
  'tax_ppm',
  'end_date',
] as const;

type Course = Pick<
  Subscription,
  'status' | 'start_date' | 'billing_cycle' | 'periods_billed' | 'periods_skipped' | 'end_date'
>;

/** Returns the number of periods that are over or billed: the index of the next one. */
export const periodsDone = ({
  periods_billed,
  periods_skipped,
}: Pick<Course, 'periods_billed' | 'periods_skipped'>): number => periods_billed + periods_skipped;

/** Returns the first day of the first unbilled period, or null without one. Periods are billed whole, in advance. */
export function nextBillingDate(of: Course): Day | null {
  if (of.status !== 'active') return null;
  const next = startOfPeriod(of, periodsDone(of));
  return of.end_date !== null && next > of.end_date ? null : next;
}

export interface SubscriptionUpdate {
  readonly quantity?: number | undefined;
  readonly status?: 'active' | 'paused' | 'cancelled' | undefined;
  readonly end_date?: Day | null | undefined;
  /** In minor units. */
  readonly unit_price_minor?: number | undefined;
  /** Applies the price to periods that begin on this day or later; defaults to the next period. */
  readonly price_from?: Day | undefined;
  /** The upcoming price and its date as they were read: with them, the current price is sent back, not set anew. */
  readonly next_price_minor?: number | null | undefined;
  readonly next_price_from?: Day | null | undefined;
  readonly tax_ppm?: number | null | undefined;
}

/**
 * Changes a subscription that was locked in the same transaction. A new quantity applies from the next invoice. A
 * cancelled subscription ends with its last billed period. Periods that begin while it is paused are never billed.
 * @throws conflict() if it has ended, or if it is paused while a period that has begun is still unbilled; invalid() for
 * an end in the past
 */
export async function updateSubscription(
  ctx: Context,
  subscription: Subscription,
  { end_date, unit_price_minor, price_from, next_price_minor, next_price_from, ...wanted }: SubscriptionUpdate,
): Promise<Subscription> {
  if (wanted.status === 'cancelled' && isLive(subscription)) {
    if (end_date !== undefined) throw invalid('end_date cannot be set on a cancelled subscription');
    return change(ctx, Subscriptions, subscription, { ...wanted, end_date: lastDayBilled(subscription) });
  }
  const due = subscription.next_billing_date;
  if (wanted.status === 'paused' && subscription.status === 'active' && due !== null && due <= today(ctx))
    throw conflict(
      'A period that has begun has not been billed yet: pause the subscription after the next billing run',
    );
  const chosen = end_date !== undefined && end_date !== null && end_date !== subscription.end_date;
  if (chosen && end_date < today(ctx)) throw invalid('end_date must not be in the past');
  if (unit_price_minor === undefined && price_from !== undefined) throw invalid('price_from requires unit_price');
  if (unit_price_minor !== undefined) checkAmount('unit_price', unit_price_minor, subscription.currency);
  const resumed = subscription.status === 'paused' && wanted.status === 'active';
  const asRead =
    price_from === undefined &&
    unit_price_minor === subscription.unit_price_minor &&
    next_price_minor === subscription.next_price_minor &&
    next_price_from === subscription.next_price_from;
  const price = unit_price_minor === undefined || asRead ? {} : pricedFrom(subscription, unit_price_minor, price_from);
  const skipped = resumed && { periods_skipped: skippedUntil(subscription, today(ctx)) };
  return change(ctx, Subscriptions, subscription, { ...wanted, ...price, ...skipped, end_date });
}

/** Returns true if the subscription has not ended. */
export const isLive = ({ status }: Pick<Subscription, 'status'>): boolean => status === 'active' || status === 'paused';

/** Returns the new price if the next period uses it; otherwise the upcoming price. */
function pricedFrom(of: Subscription, price: number, from: Day | undefined) {
  const next = startOfPeriod(of, periodsDone(of));
  if (from === undefined || from <= next)
    return { unit_price_minor: price, next_price_minor: null, next_price_from: null };
  return { next_price_minor: price, next_price_from: from };
}

/** Counts the periods that are never billed because they began during the pause. */
function skippedUntil(of: Subscription, day: Day): number {
  let index = periodsDone(of);
  while (startOfPeriod(of, index) < day) index++;
  return index - of.periods_billed;
}

/** Returns the last billed day, or the end date if earlier. */
function lastDayBilled(of: Subscription): Day {
  const last = dayBefore(startOfPeriod(of, periodsDone(of)));
  return of.end_date !== null && of.end_date < last ? of.end_date : last;
}
