// List views of subscriptions (F-34), on both surfaces.
import {
  by,
  fromMinor,
  is,
  noun,
  param,
  restrict,
  searched,
  view,
  z,
  type Context,
  type EmployeeActor,
  type OutOf,
} from '@keelson/core';
import { CompanyNames } from '@keelson/modules/directory';
import { amountOf, fromRate, priceOf, toParts, unitOf } from '../money.ts';
import { ownCompany } from '../visible.ts';
import { Subscription, subscriptionStatuses } from './entities.ts';

export const SubscriptionNoun = noun(Subscription, {
  title: 'Subscription',
  filters: (its) => ({
    company_number: its.is('company_number'),
    /** Defaults to active subscriptions (B-11). */
    status: its.by(param.choice([...subscriptionStatuses, 'all']), (_ctx, status) =>
      status === 'all' ? undefined : is('status', status),
    ),
    search: searched(Subscription),
  }),
  sorts: { created_at: by('created_at') },
});

type Priced = Pick<Subscription, 'quantity' | 'unit_price_minor' | 'currency'>;

/** Returns the price of one period, in minor units. */
export function amountPerPeriod({ quantity, unit_price_minor, currency }: Priced): number {
  return amountOf({ quantity_parts: toParts(quantity), unit_price: priceOf(unit_price_minor) }, unitOf(currency));
}

export const SubscriptionItem = view(SubscriptionNoun, {
  except: ['unit_price_minor', 'next_price_minor', 'tax_ppm', 'periods_billed', 'periods_skipped'],
  more: (its) => ({
    company_name: its.name(CompanyNames, 'company_number'),
    unit_price: its.from(z.number(), ['unit_price_minor'], ({ unit_price_minor }) => fromMinor(unit_price_minor)),
    tax_rate: its.from(z.number().nullable(), ['tax_ppm'], ({ tax_ppm }) =>
      tax_ppm === null ? null : fromRate(tax_ppm),
    ),
    next_price: its.from(z.number().nullable(), ['next_price_minor'], ({ next_price_minor }) =>
      next_price_minor === null ? null : fromMinor(next_price_minor),
    ),
    amount: its.from(z.number(), ['quantity', 'unit_price_minor', 'currency'], (row) =>
      fromMinor(amountPerPeriod(row)),
    ),
  }),
});
export type SubscriptionItem = OutOf<typeof SubscriptionItem>;

/** Default filter of lists without a status. */
export const active = is('status', 'active');

/** A subscription as its company sees it; active ones only (B-11). */
export const PortalSubscription = restrict(SubscriptionItem, (ctx: Context<EmployeeActor>) => [
  ...ownCompany(ctx),
  active,
]);
