import {
  billSubscriptions,
  Invoice,
  InvoiceLine,
  lockSubscription,
  Subscription,
  SubscriptionPeriod,
  updateSubscription,
} from '@keelson/modules/billing';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { periodAt, startOfPeriod } from '../../modules/billing/subscriptions/periods.ts';
import { fc, properties } from '../_random.ts';
import { seedCompany } from '../accounts-seed.ts';
import { seedSubscription } from '../sales-seed.ts';
import { asKey } from '../tickets-seed.ts';

const testProp = properties(test);

const RUNS = Number(process.env['RECURRING_RUNS'] ?? 15);

let app: TestApp;
const clock = testClock();
test.before(async () => {
  app = await openApp({ clock, config: { timeZone: 'Europe/Berlin' } });
});
test.after.always(() => app.close());

const run = () => app.app.scheduler.runNow('billing.recurring');

async function linesOf(company_number: number) {
  const invoices = await app.app.database.find(Invoice, { where: { company_number }, order: { invoice_id: 'ASC' } });
  return Promise.all(
    invoices.map(async ({ invoice_id, total_minor, status, issue_date }) => ({
      total_minor,
      status,
      issue_date,
      lines: (await app.app.database.find(InvoiceLine, { where: { invoice_id }, order: { position: 'ASC' } })).map(
        ({ description, amount_minor, source, source_id, period_start }) => ({
          description,
          amount_minor,
          source,
          source_id,
          period_start,
        }),
      ),
    })),
  );
}

test('Periods start on the same day of the month as the first one, or on the last day of shorter months', (t) => {
  const monthly = { start_date: '2026-01-31', billing_cycle: 'monthly' } as const;
  const starts = [0, 1, 2, 3, 12, 25].map((n) => startOfPeriod(monthly, n));
  t.deepEqual(starts, ['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30', '2027-01-31', '2028-02-29']);
  t.deepEqual(periodAt(monthly, 1), { period_start: '2026-02-28', period_end: '2026-03-30' });
  const leap = { start_date: '2024-02-29', billing_cycle: 'annual' } as const;
  t.deepEqual(
    [1, 4].map((n) => startOfPeriod(leap, n)),
    ['2025-02-28', '2028-02-29'],
  );
  t.is(startOfPeriod({ start_date: '2026-08-31', billing_cycle: 'quarterly' }, 1), '2026-11-30');
});

testProp(
  'Periods follow each other without a gap',
  [
    fc.date({ min: new Date('1990-01-01'), max: new Date('2090-12-31'), noInvalidDate: true }),
    fc.constantFrom('monthly', 'quarterly', 'annual'),
    fc.nat(200),
  ],
  (t, date, billing_cycle, n) => {
    const of = { start_date: date.toISOString().slice(0, 10), billing_cycle } as const;
    const [one, next] = [periodAt(of, n), periodAt(of, n + 1)];
    const day = new Date(`${one.period_end}T00:00:00Z`);
    day.setUTCDate(day.getUTCDate() + 1);
    t.is(day.toISOString().slice(0, 10), next.period_start);
    t.true(one.period_start <= one.period_end);
  },
);

test.serial('One invoice per company and run, with a line per subscription, on the tenant’s date', async (t) => {
  clock.set('2026-01-31T09:00:00.000Z');
  const { company_number } = await seedCompany(app);
  const other = (await seedCompany(app)).company_number;
  const mail = await seedSubscription(app, company_number, { quantity: 3 });
  const backup = await seedSubscription(app, company_number, { name: 'Backup', price_minor: 10_000 });
  await seedSubscription(app, other, { billing_cycle: 'annual' });
  // It is first the 27th in Berlin, and then the 28th.
  clock.set('2026-02-27T22:59:00.000Z');
  await run();
  t.is((await linesOf(company_number)).length, 2, 'the first periods were billed with the purchases');
  clock.set('2026-02-27T23:10:00.000Z');
  await run();
  const period_start = '2026-02-28';
  const source = 'subscription_period';
  t.deepEqual((await linesOf(company_number)).slice(2), [
    {
      total_minor: 17_500,
      status: 'draft',
      issue_date: '2026-02-28',
      lines: [
        {
          description: 'Mail protection, 28 Feb 2026 to 30 Mar 2026',
          amount_minor: 7500,
          source,
          source_id: mail.subscription_id,
          period_start,
        },
        {
          description: 'Backup, 28 Feb 2026 to 30 Mar 2026',
          amount_minor: 10_000,
          source,
          source_id: backup.subscription_id,
          period_start,
        },
      ],
    },
  ]);
  t.is((await linesOf(other)).length, 1, 'a year has not passed');
  await run();
  t.is((await linesOf(company_number)).length, 3, 'again there is nothing to bill');
});

test.serial(
  'Read subscription invoice settings; Update subscription invoice settings: sent, and with tax',
  async (t) => {
    const path = '/billing/subscription-invoices.php';
    const send = await asKey(app, ['billing:read', 'billing:write']);
    const reader = await asKey(app, ['billing:read']);
    t.deepEqual((await reader('GET', path)).body, { success: true, data: { status: 'draft', tax_rate: 0 } });
    t.is((await reader('PUT', path, { status: 'sent' })).status, 403);
    t.is((await (await asKey(app, ['tickets:read']))('GET', path)).status, 403);
    t.is((await app.request('GET', `/admin/api/v1${path}`)).status, 401);
    t.is((await send('PUT', path, {})).body.error, 'No fields to update');
    t.is((await send('PUT', path, { status: 'paid' })).body.error, 'status must be one of: draft, sent');
    t.is((await send('PUT', path, { tax_rate: 101 })).body.error, 'tax_rate must be between 0 and 100');
    clock.set('2026-03-31T09:00:00.000Z');
    const { company_number } = await seedCompany(app);
    await seedSubscription(app, company_number, { price_minor: 10_000 });
    t.deepEqual((await send('PUT', path, { status: 'sent' })).body.data, { status: 'sent', tax_rate: 0 });
    t.deepEqual((await send('PUT', path, { tax_rate: 19 })).body.data, { status: 'sent', tax_rate: 19 });
    clock.set('2026-04-30T09:00:00.000Z');
    await run();
    const told = (await linesOf(company_number)).map(({ status, total_minor }) => [status, total_minor]);
    t.deepEqual(told, [
      ['draft', 10_000],
      ['sent', 11_900],
    ]);
    await seedSubscription(app, company_number, { price_minor: 10_000 });
    t.like((await linesOf(company_number)).at(-1), { status: 'draft', total_minor: 11_900 });
    await send('PUT', path, { status: 'draft', tax_rate: 0 });
  },
);

test.serial('Missed periods are billed in the next run, at most 100 lines per invoice', async (t) => {
  clock.set('2025-01-31T09:00:00.000Z');
  const { company_number } = await seedCompany(app);
  const euros = await seedSubscription(app, company_number, { currency: 'EUR' });
  for (let i = 0; i < 9; i++) await seedSubscription(app, company_number);
  clock.set('2026-01-31T09:00:00.000Z');
  await run();
  const made = (await linesOf(company_number)).slice(10);
  t.deepEqual(
    made.map((each) => each.lines.length),
    [12, 100, 8],
  );
  t.true(
    made[0]?.lines.every((each) => each.source_id === euros.subscription_id),
    'a currency has its own invoice',
  );
  t.is(made[0]?.lines.at(-1)?.period_start, '2026-01-31');
  const [one] = await app.app.database.findBy(Subscription, { subscription_id: euros.subscription_id });
  t.is(one?.next_billing_date, '2026-02-28');
});

test.serial('Two concurrent runs bill each period once', async (t) => {
  clock.set('2026-03-10T09:00:00.000Z');
  const companies = await Promise.all(Array.from({ length: 6 }, () => seedCompany(app)));
  for (const { company_number } of companies) for (let i = 0; i < 3; i++) await seedSubscription(app, company_number);
  clock.set('2026-05-10T09:00:00.000Z');
  await Promise.all(Array.from({ length: 4 }, () => billSubscriptions(app.app.system())));
  for (const { company_number } of companies) {
    const made = (await linesOf(company_number)).slice(3);
    t.deepEqual(
      made.map((each) => each.lines.length),
      [6],
    );
  }
});

test.serial('A company that cannot be billed does not block others and is reported by the job', async (t) => {
  clock.set('2026-06-01T09:00:00.000Z');
  const bad = (await seedCompany(app)).company_number;
  const good = (await seedCompany(app)).company_number;
  const broken = await seedSubscription(app, bad);
  await seedSubscription(app, good);
  const { subscription_id } = broken;
  // Simulates a period that was billed without an update to its subscription.
  const [first] = await app.app.database.findBy(SubscriptionPeriod, { subscription_id });
  if (first)
    await app.app.database.insert(SubscriptionPeriod, { ...first, period_id: undefined, period_start: '2026-07-01' });
  clock.set('2026-07-01T09:00:00.000Z');
  const message = new RegExp(`^company ${bad}: subscription ${subscription_id}: `);
  await t.throwsAsync(billSubscriptions(app.app.system()), { instanceOf: AggregateError, message });
  t.is((await linesOf(good)).length, 2);
  t.is((await linesOf(bad)).length, 1, 'the key has refused it, and its invoice is gone');
  await app.run(async (ctx) =>
    updateSubscription(ctx, await lockSubscription(ctx, subscription_id), { status: 'cancelled' }),
  );
});

// Whatever is bought, changed, ended, run, repeated or interrupted: each period that has started is billed once, at the
// price valid when it is billed.
const step = fc.oneof(
  fc.record({
    type: fc.constant('buy'),
    price_minor: fc.nat(10_000).map((cents) => cents * 10),
    cycle: fc.constantFrom('monthly', 'quarterly'),
  }),
  fc.record({ type: fc.constant('quantity'), which: fc.nat(9), quantity: fc.integer({ min: 1, max: 50 }) }),
  fc.record({ type: fc.constant('cancel'), which: fc.nat(9) }),
  fc.record({ type: fc.constant('end'), which: fc.nat(9), days: fc.nat(90) }),
  fc.record({ type: fc.constant('wait'), days: fc.integer({ min: 1, max: 70 }) }),
  fc.record({ type: fc.constant('run'), times: fc.integer({ min: 1, max: 3 }) }),
);

testProp.serial(
  'Whatever happens, each period that has begun is billed once',
  [fc.array(step, { minLength: 3, maxLength: 25 })],
  async (t, steps) => {
    let day = Date.parse('2026-01-31T09:00:00.000Z');
    const at = () => clock.set(new Date(day).toISOString());
    at();
    const { company_number } = await seedCompany(app);
    const bought: number[] = [];
    const changeOne = async (which: number, wanted: (now: string) => Parameters<typeof updateSubscription>[2]) => {
      const subscription_id = bought[which % Math.max(1, bought.length)];
      if (subscription_id === undefined) return;
      await app.run(async (ctx) => {
        const subscription = await lockSubscription(ctx, subscription_id);
        if (subscription.status !== 'active') return;
        await updateSubscription(ctx, subscription, wanted(ctx.now.slice(0, 10)));
      });
    };
    for (const each of steps) {
      if (each.type === 'buy') {
        const { price_minor, cycle: billing_cycle } = each;
        bought.push((await seedSubscription(app, company_number, { price_minor, billing_cycle })).subscription_id);
      }
      if (each.type === 'quantity') await changeOne(each.which, () => ({ quantity: each.quantity }));
      if (each.type === 'cancel') await changeOne(each.which, () => ({ status: 'cancelled' }));
      if (each.type === 'end') {
        const end_date = new Date(day + each.days * 86_400_000).toISOString().slice(0, 10);
        await changeOne(each.which, () => ({ end_date }));
      }
      if (each.type === 'wait') {
        day += each.days * 86_400_000;
        at();
      }
      if (each.type === 'run')
        await Promise.all(Array.from({ length: each.times }, () => billSubscriptions(app.app.system())));
    }
    await billSubscriptions(app.app.system());
    await checkBilled(t, company_number, new Date(day).toISOString().slice(0, 10));
  },
  { numRuns: RUNS },
);

const byText = (a: string, b: string) => a.localeCompare(b);

async function checkBilled(t: { deepEqual: Function; is: Function }, company_number: number, now: string) {
  const subscriptions = await app.app.database.findBy(Subscription, { company_number });
  const invoices = (await linesOf(company_number)).flatMap((each) => each.lines);
  t.is(
    invoices.length,
    subscriptions.reduce((sum, each) => sum + each.periods_billed, 0),
  );
  for (const each of subscriptions) {
    const { subscription_id, status, end_date, periods_billed } = each;
    const lines = invoices.filter((line) => line.source_id === subscription_id).map((line) => line.period_start);
    const periods = await app.app.database.findBy(SubscriptionPeriod, { subscription_id });
    const expected = Array.from({ length: periods_billed }, (_, n) => startOfPeriod(each, n));
    t.deepEqual(lines.map(String).toSorted(byText), expected, 'lines');
    t.deepEqual(periods.map((period) => period.period_start).toSorted(byText), expected, 'periods');
    const next = startOfPeriod(each, periods_billed);
    if (status === 'active') t.is(next > now || (end_date !== null && next > end_date), true, 'all that has begun');
    for (const { period_start, quantity, unit_price_minor } of periods) {
      const line = invoices.find((one) => one.source_id === subscription_id && one.period_start === period_start);
      t.is(line?.amount_minor, quantity * unit_price_minor);
    }
  }
}
