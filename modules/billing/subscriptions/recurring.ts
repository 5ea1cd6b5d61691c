// Recurring invoices: one per company and run, with a line for each unbilled period that has begun. Missed days and
// months are billed in the next run.
import {
  changeAll,
  In,
  IsNull,
  LessThan,
  LessThanOrEqual,
  lockAll,
  Not,
  Problem,
  sql,
  today,
  type Context,
  type Day,
} from '@keelson/core';
import { batchesApart, eachApart, partsApart, type Part } from '@keelson/core/kit';
import { sendInvoice } from '../invoices/update.ts';
import { SubscriptionInvoices } from '../settings.ts';
import { duePeriods, invoicePeriods, MOST_PERIOD_LINES, priceAt, type Billing } from './bill.ts';
import { Subscription } from './entities.ts';
import { Subscriptions } from './subscriptions.ts';

const AT_ONCE = 100;

/**
 * Bills all due periods, one transaction per invoice: what was billed stays billed if the run fails later.
 * @throws AggregateError naming the companies and subscriptions that failed, once the others are done
 */
export async function billSubscriptions(outside: Context<undefined>): Promise<void> {
  await partsApart(readTasks(outside));
}

async function* readTasks(outside: Context<undefined>): AsyncGenerator<Part> {
  for (let last: number | undefined = 0; last !== undefined;) {
    const companies: number[] = await companiesDue(outside, last);
    for (const company_number of companies)
      yield { name: `company ${company_number}`, run: () => billWhole(outside, company_number) };
    last = companies.length < AT_ONCE ? undefined : companies.at(-1);
  }
  yield { name: 'ended subscriptions', run: () => expireEnded(outside) };
}

async function companiesDue(outside: Context, after: number): Promise<number[]> {
  const rows = await outside.db.query<{ company_number: number }>(sql`SELECT DISTINCT company_number FROM subscription
    WHERE status = 'active' AND next_billing_date <= ${today(outside)} AND company_number > ${after}
    ORDER BY company_number LIMIT ${AT_ONCE}`);
  return rows.map((row) => Number(row.company_number));
}

/** Bills a company's subscriptions on joint invoices or, if one of them fails, each on its own. */
async function billWhole(outside: Context<undefined>, company_number: number): Promise<void> {
  const bill = async (subscription_id?: number) => {
    while (await outside.transaction((ctx) => billPortion(ctx, { company_number, subscription_id })));
  };
  try {
    await bill();
  } catch (error) {
    // The next run creates the joint invoice.
    if (error instanceof Problem && error.kind === 'unavailable') throw error;
    await eachApart(await subscriptionsDue(outside, company_number), nameOf, bill);
  }
}

async function subscriptionsDue(outside: Context, company_number: number): Promise<number[]> {
  const rows = await outside.db.query<{ subscription_id: number }>(sql`SELECT subscription_id FROM subscription
    WHERE status = 'active' AND next_billing_date <= ${today(outside)} AND company_number = ${company_number}
    ORDER BY subscription_id`);
  return rows.map((row) => Number(row.subscription_id));
}

const nameOf = (subscription_id: number): string => `subscription ${subscription_id}`;

interface ToBill {
  readonly company_number: number;
  /** All of the company unless given. */
  readonly subscription_id?: number | undefined;
}

/** Creates one invoice. Returns true if there may be more to bill. */
async function billPortion(ctx: Context, { company_number, subscription_id }: ToBill): Promise<boolean> {
  const now = today(ctx);
  const where = { company_number, status: 'active', next_billing_date: LessThanOrEqual(now) } as const;
  const due = await ctx.db.find(Subscription, {
    where: { ...where, ...(subscription_id !== undefined && { subscription_id }) },
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

/** Expires subscriptions after their last day, once fully billed (M-34). */
async function expireEnded(outside: Context<undefined>): Promise<void> {
  const ended = { status: In(['active', 'paused']), end_date: LessThan(today(outside)), next_billing_date: IsNull() };
  await batchesApart<number>({
    size: AT_ONCE,
    async read(failed) {
      const where = { ...ended, subscription_id: Not(In(failed)) };
      const rows = await outside.db.find(Subscription, { where, take: AT_ONCE });
      return rows.map((each) => each.subscription_id);
    },
    nameOf,
    work: (ids) => outside.transaction((ctx) => expireAll(ctx, ids)),
  });
}

async function expireAll(ctx: Context, ids: readonly number[]): Promise<void> {
  // The end may have been moved before the row was locked.
  const over = (await lockAll(ctx, Subscriptions, ids)).filter(
    ({ status, end_date }) =>
      (status === 'active' || status === 'paused') && end_date !== null && end_date < today(ctx),
  );
  await changeAll(ctx, Subscriptions, over, { status: 'expired' });
}
