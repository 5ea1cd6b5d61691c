// Unbilled work and deliveries per company and month.
import { Subscription } from '@keelson/modules/billing';
import { lockTicket, logTime } from '@keelson/modules/tickets';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { lockSubscription, updateSubscription } from '../../modules/billing/subscriptions/subscriptions.ts';
import { seedCompany } from '../accounts-seed.ts';
import { seedSubscription } from '../sales-seed.ts';
import { asKey, seedTicket } from '../tickets-seed.ts';

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
const clock = testClock();
test.before(async () => {
  app = await openApp({ clock });
  send = await asKey(app, ['billing:read', 'billing:write', 'reports:read', 'reports:write']);
});
test.after.always(() => app.close());

async function report(source: string, more: object): Promise<any[]> {
  const { body } = await send('POST', '/reports.php', { name: source, source, ...more });
  const { status, body: run } = await send('POST', `/reports.php?action=run&id=${body.data.report_id}`);
  if (status !== 200) throw new Error(run.error);
  return run.data.rows;
}

const of = (company_number: number) => ({
  filters: [{ field: 'company_number', operator: 'eq', value: company_number }],
});

test.serial('time is listed by month and by company', async (t) => {
  const { company_number, customer } = await seedCompany(app);
  const { ticket_id } = await seedTicket(app, { company_number });
  for (const [work_date, duration_minutes] of [
    ['2026-01-31', 30],
    ['2026-02-01', 45],
    ['2026-02-28', 15],
  ] as const)
    await app.run(async (ctx) => logTime(ctx, await lockTicket(ctx, ticket_id), { work_date, duration_minutes }));
  const sum = { aggregates: [{ function: 'sum', field: 'duration_minutes' }] };
  const sort = [{ field: 'month', order: 'asc' }];
  t.deepEqual(await report('unbilled_time', { ...of(company_number), ...sum, sort, group_by: 'month' }), [
    { month: '2026-01', sum_duration_minutes: 30 },
    { month: '2026-02', sum_duration_minutes: 60 },
  ]);
  t.deepEqual(await report('unbilled_time', { ...of(company_number), ...sum, group_by: 'company_name' }), [
    { company_name: customer, sum_duration_minutes: 90 },
  ]);
  const fields = ['company_number', 'month'];
  const rows = await report('unbilled_time', { ...of(company_number), fields });
  t.is(rows.length, 3);
  t.true(rows.some((each) => each.company_number === company_number && each.month === '2026-01'));
});

test.serial('periods whose invoice was voided or whose line was removed are unbilled', async (t) => {
  const { company_number, customer } = await seedCompany(app);
  await seedSubscription(app, company_number, { name: 'Mail', price_minor: 5000, quantity: 3 });
  clock.set('2026-04-02T09:00:00.000Z');
  await app.app.scheduler.runNow('billing.recurring');
  const rows = () => report('unbilled_periods', of(company_number));
  t.deepEqual(await rows(), []);
  const { body } = await send('GET', `/billing/invoices.php?company_number=${company_number}`);
  const [recurring, first] = body.data;
  await send('PUT', `/billing/invoices.php?id=${first.invoice_id}`, { status: 'void' });
  const [lost, ...others] = await rows();
  t.like(lost, {
    company_name: customer,
    name: 'Mail',
    month: '2026-03',
    period_start: '2026-03-02',
    quantity: 3,
    amount: 15,
    currency: 'USD',
    invoice_id: first.invoice_id,
  });
  t.deepEqual(others, []);
  const line_items = [{ description: 'Something else', unit_price: 1 }];
  await send('PUT', `/billing/invoices.php?id=${recurring.invoice_id}`, { line_items });
  const grouped = { group_by: 'month', aggregates: [{ function: 'sum', field: 'amount' }] };
  const sort = [{ field: 'month', order: 'asc' }];
  t.deepEqual(await report('unbilled_periods', { ...of(company_number), ...grouped, sort }), [
    { month: '2026-03', currency: 'USD', sum_amount: 15 },
    { month: '2026-04', currency: 'USD', sum_amount: 15 },
  ]);
});

test.serial('unbilled periods in several currencies are not added', async (t) => {
  clock.set('2026-03-02T09:00:00.000Z');
  const { company_number } = await seedCompany(app);
  for (const currency of ['USD', 'THB'])
    await seedSubscription(app, company_number, { name: `Mail ${currency}`, price_minor: 5000, quantity: 3, currency });
  clock.set('2026-03-02T10:00:00.000Z');
  await app.app.scheduler.runNow('billing.recurring');
  const { body } = await send('GET', `/billing/invoices.php?company_number=${company_number}`);
  for (const { invoice_id } of body.data)
    await send('PUT', `/billing/invoices.php?id=${invoice_id}`, { status: 'void' });
  const grouped = { group_by: 'month', aggregates: [{ function: 'sum', field: 'amount' }] };
  const rows = await report('unbilled_periods', { ...of(company_number), ...grouped });
  t.deepEqual(
    rows.toSorted((a, b) => a.currency.localeCompare(b.currency)),
    ['THB', 'USD'].map((currency) => ({ month: '2026-03', currency, sum_amount: 15 })),
  );
});

test.serial('subscriptions due for billing', async (t) => {
  const { company_number } = await seedCompany(app);
  clock.set('2026-01-31T09:00:00.000Z');
  const { subscription_id } = await seedSubscription(app, company_number, { price_minor: 2500, quantity: 2 });
  t.deepEqual(await report('due_subscriptions', of(company_number)), []);
  clock.set('2026-03-31T09:00:00.000Z');
  const [due, ...others] = await report('due_subscriptions', of(company_number));
  t.like(due, { subscription_id, month: '2026-02', next_billing_date: '2026-02-28', periods_due: 2, amount_due: 10 });
  t.deepEqual(others, []);
  t.deepEqual(await report('due_subscriptions', { ...of(company_number), group_by: 'month' }), [
    { month: '2026-02', count: 1 },
  ]);
  await app.app.scheduler.runNow('billing.recurring');
  t.deepEqual(await report('due_subscriptions', of(company_number)), []);
  t.is((await app.app.database.findOneBy(Subscription, { subscription_id }))?.periods_billed, 3);
});

test.serial('subscriptions due for billing: periods after an announced price cost that price', async (t) => {
  const { company_number } = await seedCompany(app);
  clock.set('2026-01-31T09:00:00.000Z');
  const { subscription_id } = await seedSubscription(app, company_number, { price_minor: 2500, quantity: 2 });
  await app.run(async (ctx) =>
    updateSubscription(ctx, await lockSubscription(ctx, subscription_id), {
      unit_price_minor: 3000,
      price_from: '2026-03-01',
    }),
  );
  clock.set('2026-03-31T09:00:00.000Z');
  t.like(await report('due_subscriptions', of(company_number)), [{ periods_due: 2, amount_due: 11 }]);
});
