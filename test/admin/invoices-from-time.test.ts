import { Company } from '@keelson/modules/directory';
import { createContract } from '@keelson/modules/inventory';
import { deleteTicket, lockTicket, logTime, TicketTimeEntry, type NewTimeEntry } from '@keelson/modules/tickets';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { InvoiceLineEntry } from '../../modules/billing/invoices/entities.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { seedCompany } from '../accounts-seed.ts';
import { seedAsset } from '../assets-seed.ts';
import { asKey, seedTicket } from '../tickets-seed.ts';

const path = '/billing/invoices.php';

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
const clock = testClock();
test.before(async () => {
  app = await openApp({ clock });
  send = await asKey(app, ['billing:read', 'billing:write', 'reports:read', 'reports:write', 'tickets:write']);
});
test.after.always(() => app.close());

const worked = (ticket_id: number, entry: NewTimeEntry) =>
  app.run(async (ctx) => logTime(ctx, await lockTicket(ctx, ticket_id), entry));
const bill = (company_number: number, more: object = {}) =>
  send('POST', `${path}?action=from-time`, { company_number, period: '2026-02', hourly_rate: 90, ...more });

/** Creates two tickets with billable time in February, and other time that is not billable. */
async function work() {
  const { company_number } = await seedCompany(app);
  const first = await seedTicket(app, { company_number, subject: 'Printer' });
  const second = await seedTicket(app, { company_number, subject: 'Mail' });
  const one = await worked(first.ticket_id, { duration_minutes: 20, work_date: '2026-02-01' });
  const two = await worked(first.ticket_id, { duration_minutes: 70, work_date: '2026-02-28' });
  const three = await worked(second.ticket_id, { duration_minutes: 20, work_date: '2026-02-10' });
  await worked(first.ticket_id, { duration_minutes: 500, work_date: '2026-02-10', billable: false });
  await worked(first.ticket_id, { duration_minutes: 60, work_date: '2026-03-01' });
  const gone = await seedTicket(app, { company_number });
  await worked(gone.ticket_id, { duration_minutes: 60, work_date: '2026-02-10' });
  await app.run(async (ctx) => deleteTicket(ctx, await lockTicket(ctx, gone.ticket_id)));
  return { company_number, first, second, entries: [one, two, three].map((each) => each.time_entry_id) };
}

test.serial('Bill worked time: a line per ticket, each entry once', async (t) => {
  const { company_number, first, second, entries } = await work();
  const [one, two, three] = entries;
  const answer = await bill(company_number, { tax_rate: 10, notes: 'February' });
  t.is(answer.status, 201);
  const { data } = answer.body;
  t.like(data, { status: 'draft', subtotal: 165, tax: 16.5, total: 181.5, notes: 'February' });
  t.deepEqual(data.line_items, [
    {
      line_item_id: data.line_items[0].line_item_id,
      description: `Ticket ${first.ticket_number}: Printer`,
      quantity: 1.5,
      unit_price: 90,
      amount: 135,
      taxable: true,
      tax_rate: 10,
      source: 'entry',
      period_start: null,
      period_end: null,
      hours_worked: 1.5,
      hours_covered: 0,
      source_id: null,
      time_entry_ids: [one, two],
      coverage: [],
    },
    {
      line_item_id: data.line_items[1].line_item_id,
      description: `Ticket ${second.ticket_number}: Mail`,
      // 20 minutes in hours, to four decimals.
      quantity: 0.3333,
      unit_price: 90,
      amount: 30,
      taxable: true,
      tax_rate: 10,
      source: 'entry',
      period_start: null,
      period_end: null,
      hours_worked: 0.3333,
      hours_covered: 0,
      source_id: null,
      time_entry_ids: [three],
      coverage: [],
    },
  ]);
  const again = await bill(company_number);
  t.is(again.status, 400);
  t.is(again.body.error, 'There is no unbilled billable time in this period');
  t.is((await bill(company_number, { period: undefined, from: '2026-03-01', to: '2026-03-31' })).body.data.total, 90);
});

test.serial('Bill worked time: removing a line or voiding an invoice frees its time', async (t) => {
  const { company_number, entries } = await work();
  const { data } = (await bill(company_number)).body;
  const [kept] = data.line_items;
  const at = `${path}?id=${data.invoice_id}`;
  const edited = (await send('PUT', at, { line_items: [{ ...kept, quantity: 1 }] })).body.data;
  t.like(edited.line_items, [
    { line_item_id: kept.line_item_id, source: 'entry', time_entry_ids: kept.time_entry_ids },
  ]);
  const rest = (await bill(company_number)).body.data;
  t.deepEqual(rest.line_items[0].time_entry_ids, entries.slice(2));
  const voided = (await send('PUT', at, { status: 'void' })).body.data;
  t.deepEqual(voided.line_items[0].time_entry_ids, kept.time_entry_ids);
  t.deepEqual((await bill(company_number)).body.data.line_items[0].time_entry_ids, kept.time_entry_ids);
});

const contract = (company_number: number, minutes: number, more: object = {}) =>
  app.run((ctx) =>
    createContract(ctx, {
      company_number,
      name: 'Support',
      start_date: '2026-01-15',
      included_minutes: minutes,
      ...more,
    }),
  );

test.serial('Bill worked time: included hours are deducted once per period', async (t) => {
  const { company_number, first } = await work();
  const { contract_id } = await contract(company_number, 60);
  const { data } = (await bill(company_number)).body;
  // In date order: 20 of the first ticket, 20 of the second, and 20 of the 70 on the last day.
  t.like(data.line_items, [
    { quantity: 0.8333, hours_worked: 1.5, hours_covered: 0.6667, coverage: [{ contract_id, hours: 0.6667 }] },
    { quantity: 0, amount: 0, hours_worked: 0.3333, hours_covered: 0.3333 },
  ]);
  t.is(data.total, 75);
  const at = `${path}?id=${data.invoice_id}`;
  const { status, body } = await send('PUT', at, { line_items: data.line_items, notes: 'As it was' });
  t.is(status, 200);
  t.deepEqual(body.data.line_items, data.line_items);
  t.is((await send('PUT', at, { line_items: [{ description: 'x', quantity: 0, unit_price: 1 }] })).status, 400);

  await worked(first.ticket_id, { duration_minutes: 90, work_date: '2026-02-20' });
  t.is((await bill(company_number)).body.data.line_items[0].hours_covered, 0, 'the hours of February are used');
  const march = (await bill(company_number, { period: '2026-03' })).body.data;
  t.like(march, { status: 'draft', total: 0 });
  t.is(march.line_items[0].hours_covered, 1, 'March has hours of its own');
  await send('PUT', at, { status: 'void' });
  const again = (await bill(company_number)).body.data;
  t.is(again.total, 75, 'what a void invoice used can be used again');
  const taken = `${path}?id=${again.invoice_id}`;
  await send('PUT', taken, { line_items: [again.line_items[0]] });
  t.is((await bill(company_number)).body.data.line_items[0].hours_covered, 0.3333, 'and what was taken out');
});

test.serial('Bill worked time: quarterly contracts, contracts for single assets, and inactive ones', async (t) => {
  const { company_number } = await seedCompany(app);
  const { asset_id } = await seedAsset(app, { company_number });
  const about = await seedTicket(app, { company_number, asset_ids: [asset_id] });
  const other = await seedTicket(app, { company_number });
  await contract(company_number, 600, { end_date: '2026-01-31' });
  await contract(company_number, 600, { start_date: '2026-04-01' });
  const quarter = await contract(company_number, 90, { billing_cycle: 'quarterly', asset_ids: [asset_id] });
  await worked(about.ticket_id, { duration_minutes: 60, work_date: '2026-02-10' });
  await worked(other.ticket_id, { duration_minutes: 60, work_date: '2026-02-10' });
  await worked(about.ticket_id, { duration_minutes: 60, work_date: '2026-03-02' });
  const february = (await bill(company_number)).body.data;
  t.like(february.line_items, [
    { quantity: 0, coverage: [{ contract_id: quarter.contract_id, hours: 1 }] },
    { quantity: 1, hours_covered: 0, coverage: [] },
  ]);
  const march = (await bill(company_number, { period: '2026-03' })).body.data;
  t.like(march.line_items, [{ quantity: 0.5, hours_covered: 0.5 }], 'a quarter has 90 minutes, not each month');
});

test.serial('Bill worked time: unbilled time is found behind 5,000 billed entries', async (t) => {
  const { company_number } = await seedCompany(app);
  const { ticket_id } = await seedTicket(app, { company_number });
  const { body } = await send('POST', '/billing/invoices.php', {
    company_number,
    line_items: [{ description: 'All time', unit_price: 1 }],
  });
  const {
    invoice_id,
    line_items: [{ line_item_id }],
  } = body.data;
  await app.run(async (ctx) => {
    const rows = Array.from({ length: 5001 }, () => ({
      ticket_id,
      user_id: null,
      user_name: 'x',
      duration_minutes: 5,
      work_date: '2026-01-15',
      created_at: ctx.now,
      company_number,
      corrects_id: null,
    }));
    for (let at = 0; at < rows.length; at += 500) await ctx.db.insert(TicketTimeEntry, rows.slice(at, at + 500));
    const stored = await ctx.db.findBy(TicketTimeEntry, { company_number });
    const lines = stored.map(({ time_entry_id }) => ({
      line_item_id,
      invoice_id,
      time_entry_id,
      billing_id: time_entry_id,
    }));
    for (let at = 0; at < lines.length; at += 500) await ctx.db.insert(InvoiceLineEntry, lines.slice(at, at + 500));
  });
  await app.run(async (ctx) =>
    logTime(ctx, await lockTicket(ctx, ticket_id), { duration_minutes: 60, work_date: '2026-03-01' }),
  );
  const { body: open } = await send('GET', `/billing/open-time.php?company_number=${company_number}`);
  t.like(open.data, [{ work_date: '2026-03-01' }]);
  const billed = await bill(company_number, { period: undefined, from: '2026-01-01', to: '2026-03-31' });
  t.is(billed.status, 201, billed.text);
  t.is(billed.body.data.line_items[0].hours_worked, 1);
});

test.serial('Bill worked time: of ten concurrent requests one succeeds', async (t) => {
  const { company_number } = await work();
  const answers = await Promise.all(Array.from({ length: 10 }, () => bill(company_number)));
  t.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, ...Array(9).fill(400)],
  );
});

test.serial('Bill worked time: invalid input is reported', async (t) => {
  const { company_number } = await seedCompany(app);
  const refused = async (body: object) => {
    const answer = await bill(company_number, body);
    t.is(answer.status, 400);
    return answer.body.error;
  };
  t.is(await refused({ hourly_rate: undefined }), 'hourly_rate is required');
  t.is(await refused({ hourly_rate: -1 }), 'hourly_rate must be at least 0');
  t.is(await refused({ period: '2026-13' }), 'period must be a month (YYYY-MM)');
  t.is(await refused({ period: undefined, from: '2026-01-01' }), 'period is required, or from and to');
  t.is(await refused({ period: undefined, from: '2026-01-02', to: '2026-01-01' }), 'to must not be before from');
  t.is(await refused({ company_number: 999_999 }), 'company_number must be an existing company');
});

test.serial('a report lists unbilled time by company and month', async (t) => {
  const { company_number } = await work();
  const company = await app.app.database.findOneBy(Company, { company_number });
  const report = async () => {
    const body = {
      name: 'Never billed',
      source: 'unbilled_time',
      group_by: 'company_name',
      aggregates: [{ field: 'duration_minutes', function: 'sum' }],
      filters: [{ field: 'work_date', operator: 'between', value: ['2026-02-01', '2026-02-28'] }],
    };
    const made = await send('POST', '/reports.php', body);
    t.is(made.status, 201, made.text);
    const ran = await send('POST', `/reports.php?action=run&id=${made.body.data.report_id}`);
    return ran.body.data.rows.find((row: { company_name: string }) => row.company_name === company?.customer);
  };
  t.is((await report())?.sum_duration_minutes, 110);
  await bill(company_number);
  t.is(await report(), undefined);
});

test.serial('Update an unbilled time entry; Delete an unbilled time entry', async (t) => {
  const { company_number } = await seedCompany(app);
  const { ticket_id, ticket_number } = await seedTicket(app, { company_number });
  const all = await asKey(app, ['billing:read', 'billing:write', 'tickets:read', 'tickets:write']);
  const entries = `/tickets.php?action=time-entries&id=${ticket_id}`;
  const log = async (duration_minutes: number) =>
    (await all('POST', entries, { duration_minutes, work_date: '2026-02-10' })).body.data.time_entry_id;
  const [typo, gone] = [await log(600), await log(5)];
  const at = (id: number) => `${entries}&time_entry_id=${id}`;
  const changed = await all('PUT', at(typo), { duration_minutes: 60, description: 'Cables' });
  t.like(changed.body.data, { duration_minutes: 60, description: 'Cables', billable: true, work_date: '2026-02-10' });
  t.is((await all('PUT', at(typo), { duration_minutes: 0 })).status, 400);
  t.is((await all('DELETE', at(gone))).status, 204);
  t.is((await all('DELETE', at(gone))).status, 404);
  const lines = await app.app.database.findBy(ActivityLine, { entity_type: 'ticket_time_entry' });
  t.deepEqual(lines.find((each) => each.action === 'update' && each.entity_id === String(typo))?.changes, {
    duration_minutes: [600, 60],
    description: ['', 'Cables'],
  });
  t.true(lines.some((each) => each.description === `5 minutes on ticket ${ticket_number} deleted`));

  const bill = { company_number, hourly_rate: 90, from: '2026-02-01', to: '2026-02-28' };
  const invoice = (await all('POST', '/billing/invoices.php?action=from-time', bill)).body.data;
  t.is(invoice.total, 90);
  const refused = `The time is on invoice ${invoice.invoice_number}: add a correction, or remove its line from the draft or void the invoice first`;
  for (const answer of [await all('PUT', at(typo), { duration_minutes: 30 }), await all('DELETE', at(typo))])
    t.deepEqual([answer.status, answer.body.error], [400, refused]);
  await all('PUT', `/billing/invoices.php?id=${invoice.invoice_id}`, { status: 'void' });
  t.is((await all('PUT', at(typo), { duration_minutes: 30 })).body.data.duration_minutes, 30);
});

/**
 * Creates a billed ticket with 120 minutes in February, 60 covered by the contract; returns helpers to correct them.
 */
async function billed() {
  const { company_number } = await seedCompany(app);
  const { ticket_id, ticket_number } = await seedTicket(app, { company_number });
  await contract(company_number, 60);
  const all = await asKey(app, ['billing:read', 'billing:write', 'tickets:read', 'tickets:write']);
  const { time_entry_id } = await worked(ticket_id, { duration_minutes: 120, work_date: '2026-02-10' });
  const february = (await bill(company_number)).body.data;
  const correct = (duration_minutes: number, id = time_entry_id) =>
    all('POST', `/tickets.php?action=time-corrections&id=${ticket_id}&time_entry_id=${id}`, {
      duration_minutes,
      description: 'Wrong ticket',
    });
  const entries = `/tickets.php?action=time-entries&id=${ticket_id}`;
  return { company_number, ticket_id, ticket_number, time_entry_id, february, correct, all, entries };
}

test.serial('Correct a billed time entry: the next invoice contains the difference', async (t) => {
  const { company_number, ticket_id, ticket_number, time_entry_id, february, correct, all, entries } = await billed();
  t.like(february.line_items[0], { quantity: 1, hours_worked: 2, hours_covered: 1 });

  const answer = await correct(90);
  t.is(answer.status, 201, answer.text);
  t.like(answer.body.data, {
    duration_minutes: -30,
    corrects_id: time_entry_id,
    billed: false,
    billable: true,
    description: 'Wrong ticket',
  });
  const { body } = await all('GET', `/tickets.php?id=${ticket_id}`);
  t.is(body.data.total_minutes, 90);
  t.deepEqual(body.data.time_entries.map((each: { billed: boolean }) => each.billed).toSorted(), [false, true]);
  const line = await app.app.database.findOneBy(ActivityLine, { entity_id: String(answer.body.data.time_entry_id) });
  t.is(
    line?.description,
    `Time on ticket ${ticket_number} corrected from 120 to 90 minutes, after invoice ${february.invoice_number}`,
  );

  // Correct the original entry again, not its correction; delete a correction to undo it.
  const { time_entry_id: correction } = answer.body.data;
  t.is((await correct(90)).body.error, 'duration_minutes is already 90');
  t.is(
    (await correct(60, correction)).body.error,
    `This is a correction of time entry ${time_entry_id}: correct that entry again instead`,
  );
  const change = await all('PUT', `${entries}&time_entry_id=${correction}`, { duration_minutes: 30 });
  t.is(change.body.error, 'This is a correction of billed time: delete it and correct the original entry again');

  // Minutes beyond the billed ones return to the contract for February, and the same invoice uses them.
  t.is((await correct(30)).body.data.duration_minutes, -60);
  await worked(ticket_id, { duration_minutes: 150, work_date: '2026-02-11' });
  const today = clock.now().slice(0, 10);
  const next = await bill(company_number, { period: undefined, from: '2026-02-01', to: today });
  t.is(next.status, 201, next.text);
  // 150 and -90 worked; 30 of the contract's 60 minutes in February are available again.
  t.like(next.body.data.line_items[0], { hours_worked: 1, hours_covered: 0, quantity: 1 });
  t.is(next.body.data.total, 90);
  await worked(ticket_id, { duration_minutes: 10, work_date: '2026-02-12' });
  t.is((await bill(company_number)).body.data.line_items[0].hours_covered, 0, 'the contract’s hour is used up');
});

test.serial('Correct a billed time entry: not before billing, and within the time worked', async (t) => {
  const { company_number, ticket_id, time_entry_id, february, correct, all, entries } = await billed();
  const open = await worked(ticket_id, { duration_minutes: 5, work_date: '2026-02-20' });
  t.is((await correct(3, open.time_entry_id)).body.error, 'This time is not billed yet: change the entry itself');
  const gone = await correct(0);
  t.is(gone.body.data.duration_minutes, -120);
  const period = { period: undefined, from: '2026-02-01', to: clock.now().slice(0, 10) };
  const refused = await bill(company_number, period);
  t.is(refused.body.error, 'Corrections exceed the time worked in this period: choose a longer period', refused.text);
  await all('PUT', `/billing/invoices.php?id=${february.invoice_id}`, { status: 'void' });
  const beneath = await all('DELETE', `${entries}&time_entry_id=${time_entry_id}`);
  t.is(beneath.body.error, `Time entry ${gone.body.data.time_entry_id} corrects this one: delete it first`);
  // Both cancel out; the five other minutes remain, which the contract covers.
  const again = (await bill(company_number, period)).body.data;
  t.like(again.line_items[0], { hours_worked: 0.0833, hours_covered: 0.0833, quantity: 0 });
});

test.serial('Correct a billed time entry: an invoice with the correction can be edited', async (t) => {
  const { company_number } = await seedCompany(app);
  const [one, two] = [await seedTicket(app, { company_number }), await seedTicket(app, { company_number })];
  const { time_entry_id } = await worked(one.ticket_id, { duration_minutes: 60, work_date: '2026-02-10' });
  const first = await bill(company_number);
  await send('PUT', `${path}?id=${first.body.data.invoice_id}`, { status: 'sent' });
  const correction = `/tickets.php?action=time-corrections&id=${one.ticket_id}&time_entry_id=${time_entry_id}`;
  t.is((await send('POST', correction, { duration_minutes: 30 })).status, 201);
  await worked(two.ticket_id, { duration_minutes: 120, work_date: '2026-03-01' });
  const { invoice_id, line_items } = (await bill(company_number, { period: '2026-03' })).body.data;
  const put = (lines: readonly object[]) => send('PUT', `${path}?id=${invoice_id}`, { line_items: lines });
  const back = await put([...line_items, { description: 'Cable', unit_price: 5 }]);
  t.is(back.status, 200, back.text);
  t.deepEqual(back.body.data.line_items.map((each: any) => each.quantity).toSorted(), [-0.5, 1, 2]);
  const at = line_items.findIndex((each: any) => each.quantity < 0);
  const error = `line_items[${at}].quantity must be above 0 and at most 1000000000`;
  t.is((await put(line_items.with(at, { ...line_items[at], quantity: -1 }))).body.error, error);
  const copied = await send('POST', path, { company_number, line_items });
  t.is(copied.body.error, error);
});
