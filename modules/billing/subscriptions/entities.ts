import { big, choice, day, id, int, ref, table, text, when, type Row } from '@keelson/core';
import { Company } from '@keelson/modules/directory';
import { Invoice } from '../invoices/entities.ts';
import { billingCycles, Product } from '../products/entities.ts';

export const subscriptionStatuses = ['active', 'paused', 'cancelled', 'expired'] as const;

/** A recurring purchase of a company (F-34). Name, price and cycle are the product's at the time of purchase. */
export const Subscription = table(
  'subscription',
  {
    subscription_id: id(),
    product_id: ref(Product).nullable(),
    name: text(255),
    company_number: ref(Company),
    quantity: int(),
    unit_price_minor: big(),
    /** The lines' own rate; null where that of subscription invoices applies. */
    tax_ppm: int().nullable(),
    /** An upcoming price, and the date from which periods use it. */
    next_price_minor: big().nullable(),
    next_price_from: day().nullable(),
    currency: text(3),
    billing_cycle: choice(...billingCycles),
    status: choice(...subscriptionStatuses).default('active'),
    /** The first day of the first period; all periods are counted from it. */
    start_date: day(),
    /** The first day of the first unbilled period; null when none follows. */
    next_billing_date: day().nullable(),
    /** The last day; null while it is open-ended. */
    end_date: day().nullable(),
    periods_billed: int().default(0),
    /** Number of periods that began during a pause. */
    periods_skipped: int().default(0),
    created_at: when(),
    updated_at: when(),
  },
  [
    ['company_number', 'status', 'created_at', 'subscription_id'],
    ['company_number', 'created_at', 'subscription_id'],
    ['status', 'created_at', 'subscription_id'],
    ['created_at', 'subscription_id'],
    ['product_id', 'subscription_id'],
    // For subscriptions to bill and those that have ended.
    ['status', 'next_billing_date', 'company_number'],
    ['status', 'end_date', 'subscription_id'],
  ],
);
export type Subscription = Row<typeof Subscription>;

/** Billed periods. A unique key prevents billing a period twice. */
export const SubscriptionPeriod = table(
  'subscription_period',
  {
    period_id: id(),
    subscription_id: ref(Subscription),
    company_number: ref(Company),
    period_start: day(),
    period_end: day(),
    invoice_id: ref(Invoice),
    quantity: int(),
    unit_price_minor: big(),
    amount_minor: big(),
    billed_at: when(),
  },
  [
    ['invoice_id', 'subscription_id'],
    ['company_number', 'period_start', 'period_id'],
  ],
  { unique: [['subscription_id', 'period_start']] },
);
export type SubscriptionPeriod = Row<typeof SubscriptionPeriod>;
