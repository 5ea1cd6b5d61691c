// Recurring invoices: one per company and run, with a line for each unbilled period that has begun. Missed days and
// months are billed in the next run.
import { changeAll, In, LessThanOrEqual, sql, today, type Context, type Day } from '@keelson/core';
import { sendInvoice } from '../invoices/update.ts';
import { SubscriptionInvoices } from '../settings.ts';
import { duePeriods, invoicePeriods, MOST_PERIOD_LINES, priceAt, type Billing } from './bill.ts';
import { Subscription } from './entities.ts';
import { Subscriptions } from './subscriptions.ts';

const AT_ONCE = 100;

/**
 * Bills all due periods, one transaction per invoice: what was billed stays billed if the run fails later.
 * @throws AggregateError at the end, when companies could not be billed
 */
export async function billSubscriptions(outside: Context<undefined>): Promise<void> {
  const problems: unknown[] = [];
  let last: number | undefined = 0;
  while (last !== undefined) {
    const companies = await companiesDue(outside, last);
    for (const company_number of companies) await billWhole(outside, company_number).catch((e) => problems.push(e));
    last = companies.length < AT_ONCE ? undefined : companies.at(-1);
  }
  while (await outside.transaction(expirePortion));
  if (problems.length > 0) throw new AggregateError(problems, `${problems.length} companies could not be billed`);
}

async function companiesDue(outside: Context, after: number): Promise<number[]> {
  const rows = await outside.db.query<{ company_number: number }>(sql`SELECT DISTINCT company_number FROM subscription
    WHERE status = 'active' AND next_billing_date <= ${today(outside)} AND company_number > ${after}
    ORDER BY company_number LIMIT ${AT_ONCE}`);
  return rows.map((row) => Number(row.company_number));
}

async function billWhole(outside: Context, company_number: number): Promise<void> {
  while (await outside.transaction((ctx) => billPortion(ctx, company_number)));
}

/** Creates one invoice. Returns true if there may be more to bill. */
export async function billPortion(ctx: Context, company_number: number): Promise<boolean> {
  const now = today(ctx);
  const where = { company_number, status: 'active', next_billing_date: LessThanOrEqual(now) } as const;
  const due = await ctx.db.find(Subscription, {
    where,
    order: { subscription_id: 'ASC' },
    take: MOST_PERIOD_LINES,
    lock: { mode: 'pessimistic_write' },
  });
  const [first] = due;
  if (!first) return false;
  const billings = billingsOf(
    due.filter(({ currency }) => currency === first.currency),
    now,
  );
  const invoice = await invoicePeriods(ctx, billings);
  const billed = new Map(billings.map(({ subscription, periods }) => [subscription.subscription_id, periods]));
  await changeAll(
    ctx,
    Subscriptions,
    billings.map(({ subscription }) => subscription),
    (each) => {
      const periods = billed.get(each.subscription_id) ?? [];
      const last = periods.at(-1)?.period_start;
      const price = last === undefined ? each.unit_price_minor : priceAt(each, last);
      const reached = last !== undefined && each.next_price_from !== null && last >= each.next_price_from;
      return {
        periods_billed: each.periods_billed + periods.length,
        unit_price_minor: price,
        ...(reached && { next_price_minor: null, next_price_from: null }),
      };
    },
  );
  const { status } = await ctx.app.settings.get(ctx, SubscriptionInvoices);
  if (status === 'sent') await sendInvoice(ctx, invoice);
  return true;
}

/** Returns the periods of these subscriptions that fit on one invoice, at least one. */
function billingsOf(subscriptions: readonly Subscription[], now: Day): Billing[] {
  const billings: Billing[] = [];
  let room = MOST_PERIOD_LINES;
  for (const subscription of subscriptions) {
    const periods = duePeriods(subscription, now, room);
    if (periods.length > 0) billings.push({ subscription, periods });
    room -= periods.length;
    if (room === 0) break;
  }
  return billings;
}

/** Expires subscriptions after their last day, once fully billed (M-34). Returns true if there may be more. */
async function expirePortion(ctx: Context): Promise<boolean> {
  const ended = await ctx.db.query<{ subscription_id: number }>(sql`SELECT subscription_id FROM subscription
    WHERE status IN ('active', 'paused') AND end_date < ${today(ctx)} AND next_billing_date IS NULL LIMIT ${AT_ONCE}`);
  const ids = ended.map((each) => Number(each.subscription_id));
  if (ids.length === 0) return false;
  const options = { order: { subscription_id: 'ASC' }, lock: { mode: 'pessimistic_write' } } as const;
  const rows = await ctx.db.find(Subscription, {
    where: { subscription_id: In(ids), status: In(['active', 'paused']) },
    ...options,
  });
  // The end may have been moved before the row was locked.
  const over = rows.filter(({ end_date }) => end_date !== null && end_date < today(ctx));
  await changeAll(ctx, Subscriptions, over, { status: 'expired' });
  return ended.length === AT_ONCE;
}
