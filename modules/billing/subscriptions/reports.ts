// Reports of delivered but unbilled periods: those no longer on an invoice, and those that are due.
import {
  by,
  fromMinor,
  In,
  LessThanOrEqual,
  listed,
  noun,
  reportSource,
  sql,
  today,
  view,
  z,
  type Context,
} from '@keelson/core';
import { CompanyNames } from '@keelson/modules/directory';
import { SubscriptionNames } from '../names.ts';
import { ReadBilling } from '../permissions.ts';
import { duePeriods, priceAt } from './bill.ts';
import { Subscription, SubscriptionPeriod } from './entities.ts';
import type { Period } from './periods.ts';
import { amountPerPeriod } from './subscription-list.ts';

/** Upper bound when counting due periods. The billing job runs hourly, so real counts stay far lower. */
const MOST_PERIODS = 1000;

const monthOf = (day: string | null): string => (day ?? '').slice(0, 7);

/** Periods whose invoice is void, or that were removed from a draft. */
const UnbilledPeriods = view(
  noun(SubscriptionPeriod, { title: 'Period of a subscription', sorts: { period_id: by('period_id') } }),
  {
    only: ['period_id', 'subscription_id', 'period_start', 'period_end', 'invoice_id', 'quantity'],
    more: (its) => ({
      company_number: its.column('company_number'),
      company_name: its.name(CompanyNames, 'company_number'),
      name: its.name(SubscriptionNames, 'subscription_id'),
      month: its.from(z.string(), ['period_start'], ({ period_start }) => monthOf(period_start)),
      amount: its.from(z.number(), ['amount_minor'], ({ amount_minor }) => fromMinor(amount_minor)),
      currency: its.lookup(z.string(), 'subscription_id', readCurrencies, ''),
    }),
    visible: () => [
      sql`NOT EXISTS (SELECT 1 FROM invoice_line JOIN invoice ON invoice.invoice_id = invoice_line.invoice_id
        WHERE invoice_line.invoice_id = subscription_period.invoice_id
        AND invoice_line.source = 'subscription_period' AND invoice_line.source_id = subscription_period.subscription_id
        AND invoice_line.period_start = subscription_period.period_start AND invoice.status <> 'void')`,
    ],
  },
);

/** Subscriptions with periods that have begun but could not be billed. */
const DueSubscriptions = view(
  noun(Subscription, { title: 'Subscription', sorts: { subscription_id: by('subscription_id') } }),
  {
    only: ['subscription_id', 'company_number', 'name', 'quantity', 'currency', 'billing_cycle', 'next_billing_date'],
    more: (its) => ({
      company_name: its.name(CompanyNames, 'company_number'),
      month: its.from(z.string(), ['next_billing_date'], (row) => monthOf(row.next_billing_date)),
      periods_due: its.lookup(
        z.int(),
        'subscription_id',
        async (ctx, ids) => readDue(ctx, ids, (periods) => periods.length),
        0,
      ),
      amount_due: its.lookup(
        z.number(),
        'subscription_id',
        async (ctx, ids) => readDue(ctx, ids, (periods, each) => fromMinor(amountOfPeriods(periods, each))),
        0,
      ),
    }),
    visible: (ctx) => [sql`subscription.status = 'active'`, sql`subscription.next_billing_date <= ${today(ctx)}`],
  },
);

async function readCurrencies({ db }: Context, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db.query<{ subscription_id: number; currency: string }>(
    sql`SELECT subscription_id, currency FROM subscription WHERE subscription_id IN ${listed(ids)}`,
  );
  return new Map(rows.map((each) => [Number(each.subscription_id), each.currency]));
}

async function readDue(
  ctx: Context,
  ids: readonly number[],
  figureOf: (periods: readonly Period[], subscription: Subscription) => number,
): Promise<Map<number, number>> {
  const rows = await ctx.db.findBy(Subscription, {
    subscription_id: In([...ids]),
    next_billing_date: LessThanOrEqual(today(ctx)),
  });
  return new Map(
    rows.map((each) => [each.subscription_id, figureOf(duePeriods(each, today(ctx), MOST_PERIODS), each)]),
  );
}

/** Returns what the periods cost, each at the price of its first day. */
function amountOfPeriods(periods: readonly Period[], of: Subscription): number {
  const amounts = periods.map(({ period_start }) =>
    amountPerPeriod({ ...of, unit_price_minor: priceAt(of, period_start) }),
  );
  return amounts.reduce((sum, each) => sum + each, 0);
}

const company = { company_number: 'Company number', company_name: 'Company' } as const;
const month = (column: string) => ({ label: 'Month', column, period: 'month' }) as const;

export default [
  reportSource('admin', 'unbilled_periods', {
    title: 'Unbilled subscription periods',
    access: ReadBilling,
    view: UnbilledPeriods,
    fields: {
      period_id: 'Period ID',
      ...company,
      month: month('period_start'),
      name: 'Subscription',
      subscription_id: 'Subscription ID',
      period_start: 'From',
      period_end: 'To',
      quantity: 'Quantity',
      amount: { label: 'Amount', type: 'money', column: 'amount_minor' },
      currency: 'Currency',
      invoice_id: 'Previous invoice ID',
    },
  }),
  reportSource('admin', 'due_subscriptions', {
    title: 'Subscriptions due for billing',
    access: ReadBilling,
    view: DueSubscriptions,
    fields: {
      subscription_id: 'Subscription ID',
      ...company,
      month: month('next_billing_date'),
      name: 'Subscription',
      next_billing_date: 'Due since',
      billing_cycle: 'Billing cycle',
      quantity: 'Quantity',
      periods_due: 'Periods due',
      amount_due: { label: 'Amount due', type: 'money' },
      currency: 'Currency',
    },
  }),
];
