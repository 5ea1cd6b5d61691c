import { openApp, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { StoredEvent } from '../../packages/events/delivery/delivery.ts';
import { seedCompany } from '../accounts-seed.ts';
import { asKey } from '../tickets-seed.ts';

const path = '/billing/invoices.php';
const at = (id: number) => `${path}?id=${id}`;
const now = '2026-03-02T09:00:00Z';
const work = { description: 'Work', unit_price: 100 } as const;

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
const clock = testClock();
test.before(async () => {
  app = await openApp({ clock, config: { timeZone: 'Europe/Berlin' } });
  send = await asKey(app, ['billing:read', 'billing:write', 'companies:read', 'companies:write']);
});
test.after.always(() => app.close());

async function add(body: Record<string, unknown> = {}) {
  const company_number = body['company_number'] ?? (await seedCompany(app)).company_number;
  const answer = await send('POST', path, { line_items: [work], ...body, company_number });
  return answer.body.data;
}

const put = (id: number, body: unknown) => send('PUT', at(id), body);
const pay = (invoice_id: number, amount: number, more: object = {}) =>
  send('POST', '/billing/payments.php', { invoice_id, amount, ...more });
const figures = async (company_number: number) =>
  (await send('GET', `/companies.php?id=${company_number}`)).body.data.statistics;

/** Returns the names of an invoice's stored events. */
async function told(invoice_id: number): Promise<string[]> {
  const events: { name: string; data: any }[] = await app.app.database.find(StoredEvent);
  return events.filter(({ data }) => data.invoice_id === invoice_id).map(({ name }) => name);
}

test.serial('Create an invoice: returns the full record with totals', async (t) => {
  const { company_number, customer } = await seedCompany(app);
  const line_items = [
    { description: 'Server\nset up', quantity: 1.5, unit_price: 99.99 },
    { description: 'Discount', unit_price: -10, taxable: false },
  ];
  const body = { company_number, line_items, issue_date: '2026-02-27', tax_rate: 19, notes: 'Thank you' };
  const answer = await send('POST', path, { ...body, invoice_id: 7, total: 168.49, paid_at: now });
  t.is(answer.status, 201);
  const { invoice_id, invoice_number, line_items: lines } = answer.body.data;
  t.regex(invoice_number, /^INV-\d{6}$/);
  t.deepEqual(answer.body, {
    success: true,
    data: {
      invoice_id,
      invoice_number,
      company_number,
      status: 'draft',
      issue_date: '2026-02-27',
      due_date: '2026-03-29',
      currency: 'USD',
      notes: 'Thank you',
      sent_at: null,
      paid_at: null,
      created_at: now,
      updated_at: now,
      company_name: customer,
      subtotal: 139.99,
      tax_rate: 19,
      // 28.4981 on the taxable amount.
      tax: 28.5,
      total: 168.49,
      amount_paid: 0,
      amount_credited: 0,
      balance_due: 168.49,
      line_items: [
        {
          line_item_id: lines[0].line_item_id,
          description: 'Server\nset up',
          quantity: 1.5,
          unit_price: 99.99,
          // 149.985 rounded half up.
          amount: 149.99,
          taxable: true,
          tax_rate: 19,
          source: 'hand',
          period_start: null,
          period_end: null,
          hours_worked: null,
          hours_covered: null,
          source_id: null,
          time_entry_ids: [],
          coverage: [],
        },
        {
          line_item_id: lines[1].line_item_id,
          description: 'Discount',
          quantity: 1,
          unit_price: -10,
          amount: -10,
          taxable: false,
          tax_rate: 0,
          source: 'hand',
          period_start: null,
          period_end: null,
          hours_worked: null,
          hours_covered: null,
          source_id: null,
          time_entry_ids: [],
          coverage: [],
        },
      ],
      taxes: [
        { tax_rate: 0, subtotal: -10, tax: 0 },
        { tax_rate: 19, subtotal: 149.99, tax: 28.5 },
      ],
      payments: [],
      credits: [],
    },
  });
  t.deepEqual(await told(invoice_id), ['invoice.created']);
  t.like(await figures(company_number), { unpaid_invoices: 0, balance_due: 0 });
});

test.serial('Create an invoice: may be sent immediately and have a custom number', async (t) => {
  const invoice = await add({ status: 'Sent', invoice_number: 'R-2026-7', currency: 'eur' });
  t.like(invoice, {
    status: 'sent',
    sent_at: now,
    invoice_number: 'R-2026-7',
    currency: 'EUR',
    due_date: '2026-04-01',
  });
  t.deepEqual((await told(invoice.invoice_id)).toSorted(), ['invoice.created', 'invoice.sent']);
  const { company_number } = invoice;
  const again = await send('POST', path, { company_number, line_items: [work], invoice_number: 'r-2026-7' });
  t.is(again.status, 409);
  t.is(again.body.error, 'invoice_number r-2026-7 already exists');
  // Balances exclude invoices in a currency other than the tenant's.
  t.like(await figures(company_number), { unpaid_invoices: 1, balance_due: 0 });
  const nothing = await add({ status: 'sent', line_items: [{ ...work, unit_price: 0 }] });
  t.like(nothing, { status: 'paid', sent_at: now, paid_at: now, balance_due: 0, payments: [] });
});

test.serial('Create an invoice: invalid input is reported', async (t) => {
  const { company_number } = await seedCompany(app);
  const refused = async (body: object) => {
    const answer = await send('POST', path, { company_number, line_items: [work], ...body });
    t.is(answer.status, 400);
    return answer.body.error;
  };
  t.is(await refused({ line_items: [] }), 'line_items must contain at least one line');
  t.is(await refused({ line_items: undefined }), 'line_items is required');
  t.is(await refused({ line_items: [{ unit_price: 1 }] }), 'line_items[0].description is required');
  t.is(
    await refused({ line_items: [{ ...work, quantity: 0 }] }),
    'line_items[0].quantity must be above 0 and at most 1000000000',
  );
  t.is(
    await refused({ line_items: [{ ...work, quantity: 1.00001 }] }),
    'line_items[0].quantity must have at most 4 decimals',
  );
  t.is(
    await refused({ line_items: [{ ...work, unit_price: 1.0000001 }] }),
    'line_items[0].unit_price must be an amount with at most 6 decimals and 15 digits',
  );
  t.is(await refused({ line_items: [{ ...work, unit_price: -1 }] }), 'line_items must not add up to less than 0');
  t.is(
    await refused({ line_items: [{ ...work, quantity: 1e9, unit_price: 1e9 }] }),
    'line_items must have smaller amounts',
  );
  t.is(await refused({ line_items: Array(501).fill(work) }), 'line_items must contain at most 500 lines');
  t.is(await refused({ company_number: 999_999 }), 'company_number must be an existing company');
  t.is(await refused({ tax_rate: 101 }), 'tax_rate must be between 0 and 100');
  t.is(await refused({ currency: 'XYZ' }), 'currency must be an ISO 4217 currency');
  t.is(await refused({ issue_date: '2026-03-02', due_date: '2026-03-01' }), 'due_date must not be before issue_date');
  t.is(await refused({ status: 'paid' }), 'status must be one of: draft, sent');
});

test.serial('Create an invoice: each line may have its own tax rate', async (t) => {
  const line_items = [
    { description: 'Book', unit_price: 100, tax_rate: 7 },
    { description: 'Cable', unit_price: 100, tax_rate: 19 },
    { description: 'Cable', unit_price: 10.03 },
    { description: 'Stamp', unit_price: 5, taxable: false },
  ];
  const invoice = await add({ line_items, tax_rate: 19 });
  t.like(invoice, { subtotal: 215.03, tax: 27.91, total: 242.94, tax_rate: 19 });
  t.deepEqual(invoice.taxes, [
    { tax_rate: 0, subtotal: 5, tax: 0 },
    { tax_rate: 7, subtotal: 100, tax: 7 },
    { tax_rate: 19, subtotal: 110.03, tax: 20.91 },
  ]);
  const rates = (lines: { tax_rate: number }[]) => lines.map((each) => each.tax_rate);
  t.deepEqual(rates(invoice.line_items), [7, 19, 19, 0]);
  // Lines sent back unchanged follow the invoice's new rate if they followed the old one.
  const changed = (await put(invoice.invoice_id, { tax_rate: 10, line_items: invoice.line_items })).body.data;
  t.deepEqual(rates(changed.line_items), [7, 19, 10, 0]);
  t.like(changed, { tax: 27, total: 242.03 });
  const wrong = await put(invoice.invoice_id, { line_items: [{ ...work, taxable: false, tax_rate: 19 }] });
  t.is(wrong.body.error, 'line_items[0].tax_rate must be 0 or absent on a line that is not taxable');
});

test.serial('Create an invoice: unit prices have six decimals, amounts those of the currency', async (t) => {
  const priced = async (unit_price: number, more: object = {}) =>
    add({ line_items: [{ description: 'Transfer', unit_price, ...more }], ...more });
  const gigabytes = await priced(0.02925, { quantity: 1000 });
  t.like(gigabytes, { total: 29.25, line_items: [{ unit_price: 0.02925, amount: 29.25 }] });
  const { company_number } = await seedCompany(app);
  const dinars = await priced(1.234, { currency: 'KWD', company_number, status: 'sent' });
  t.like(dinars, { currency: 'KWD', total: 1.234, balance_due: 1.234, line_items: [{ unit_price: 1.234 }] });
  t.is((await pay(dinars.invoice_id, 0.2345)).body.error, 'amount must be an amount with at most 3 decimals');
  t.is((await pay(dinars.invoice_id, 0.234)).body.data.amount, 0.234);
  t.like((await send('GET', at(dinars.invoice_id))).body.data, { amount_paid: 0.234, balance_due: 1 });
  const dollars = await priced(1.2344, { status: 'sent' });
  t.like(dollars, { total: 1.23 });
  t.is((await pay(dollars.invoice_id, 0.234)).body.error, 'amount must be an amount with at most 2 decimals in USD');
  t.like(await priced(19.5, { currency: 'JPY' }), { total: 20 });
});

test.serial('Create an invoice: unsupported field names that would change the amount are rejected', async (t) => {
  const { company_number } = await seedCompany(app);
  const refused = async (line: object) =>
    (await send('POST', path, { company_number, line_items: [{ ...work, ...line }] })).body.error;
  t.is(
    await refused({ discount: 5 }),
    'line_items[0].discount is not supported: add a line with a negative unit_price for a discount',
  );
  t.is(await refused({ vat: 19 }), 'line_items[0].vat is not supported: use tax_rate');
  for (const word of ['vat_rate', 'discount_percent', 'tax_amount', 'taxRate', 'unitAmount', 'total'])
    t.regex(
      (await refused({ [word]: 5 })) ?? 'accepted',
      new RegExp(`^line_items\\[0\\].${word} is not supported: use |add`),
    );
  t.is(await refused({ colour: 'red' }), undefined);
  const line_items = [work];
  const body = async (given: object) => (await send('POST', path, { company_number, line_items, ...given })).body.error;
  t.is(await body({ vat: 19 }), 'vat is not supported: use tax_rate');
  t.is(await body({ taxRate: 19 }), 'taxRate is not supported: use tax_rate');
  for (const word of [
    'discount',
    'discount_percent',
    'shipping',
    'items',
    'invoice_date',
    'due',
    'hourly_rate',
    'memo',
  ])
    t.regex((await body({ [word]: 5 })) ?? 'accepted', new RegExp(`^${word} is not supported`));
  t.is(
    await body({ colour: 'red', tax: 0, total: 100, taxes: [] }),
    undefined,
    'those of the response may be sent back',
  );
  const made = await add({ company_number, tax_rate: 19, line_items });
  t.is((await put(made.invoice_id, { items: line_items })).body.error, 'items is not supported: use line_items');
  t.is((await put(made.invoice_id, { colour: 'red' })).body.error, 'No fields to update');
  t.is((await put(made.invoice_id, made)).status, 200);
});

test.serial('Create an invoice; Update an invoice: totals are accepted only if they match the lines', async (t) => {
  // Uses a key of its own, because requests per key are limited.
  const send = await asKey(app, ['billing:read', 'billing:write']);
  const { company_number } = await seedCompany(app);
  const line_items = [{ description: 'Work', quantity: 2, unit_price: 50 }];
  const create = (given: object) => send('POST', path, { company_number, tax_rate: 19, line_items, ...given });
  const before = (await send('GET', `${path}?company_number=${company_number}`)).body.pagination.total;
  for (const [name, computed] of Object.entries({ subtotal: 100, tax: 19, total: 119 })) {
    t.is((await create({ [name]: computed })).status, 201);
    const { status, body } = await create({ [name]: computed + 1 });
    t.deepEqual([status, body.error], [400, `${name} must be ${computed}, the sum of the lines, or absent`]);
  }
  t.is((await send('GET', `${path}?company_number=${company_number}`)).body.pagination.total, before + 3);
  const { invoice_id } = (await create({})).body.data;
  const change = (given: object) => send('PUT', `${path}?id=${invoice_id}`, given);
  t.is((await change({ total: 5 })).status, 400);
  const read = { subtotal: 100, tax: 19, total: 119 };
  t.is((await change({ ...read, notes: 'Thank you' })).status, 200);
  // Read, changed and sent back.
  const three = [{ ...line_items[0], quantity: 3 }];
  t.like((await change({ ...read, line_items: three })).body.data, { total: 178.5 });
  t.is((await change({ total: 119, notes: '' })).body.error, 'total must be 178.5, the sum of the lines, or absent');
});

test.serial(
  'Record a payment; Credit an invoice; Purchase a product: a field that would change the amount is refused',
  async (t) => {
    const { invoice_id, company_number } = await add({ line_items: [work], status: 'sent' });
    const errorOf = async (to: string, body: object) => (await send('POST', to, body)).body.error;
    const paid = { invoice_id, amount: 1 };
    t.regex(await errorOf('/billing/payments.php', { ...paid, currency: 'EUR' }), /^currency is not supported/);
    t.is(await errorOf('/billing/payments.php', { ...paid, date: '2026-01-01' }), 'date is not supported: use paid_at');
    const credit = { invoice_id, reason: 'Late' };
    t.regex(
      await errorOf('/billing/credit-notes.php', { ...credit, amount: 5 }),
      /^amount is not supported: to credit part of the invoice/,
    );
    const proposal = { company_number, title: 'Offer', line_items: [work] };
    t.is(
      await errorOf('/billing/proposals.php', { ...proposal, tax_rate: 19 }),
      'tax_rate is not supported: tax is added on the invoice',
    );
    const bought = { company_number, product_id: 1, unit_price: 1 };
    t.regex(await errorOf('/billing/marketplace.php', bought), /^unit_price is not supported/);
  },
);

test.serial('Create subscriptions: fields that a line does not have are ignored', async (t) => {
  const { company_number } = await seedCompany(app);
  const line = { name: 'Seat', unit_price: 10, subscription_id: 4242, status: 'paused', unit_price_minor: 1 };
  const { body } = await send('POST', '/billing/subscriptions.php', { company_number, line_items: [line] });
  const [made] = body.data.subscriptions;
  t.like(made, { status: 'active', unit_price: 10 });
  t.not(made.subscription_id, 4242);
});

test.serial('List invoices: newest first, by company, status and issue date', async (t) => {
  const { company_number } = await seedCompany(app);
  const old = await add({ company_number, issue_date: '2026-01-31', status: 'sent' });
  const draft = await add({ company_number, issue_date: '2026-02-28' });
  const ids = async (query: string) => {
    const answer = await send('GET', `${path}?company_number=${company_number}${query}`);
    t.is(answer.status, 200);
    return answer.body.data.map((each: { invoice_id: number }) => each.invoice_id);
  };
  t.deepEqual(await ids(''), [draft.invoice_id, old.invoice_id]);
  t.deepEqual(await ids('&status=all'), [draft.invoice_id, old.invoice_id]);
  t.deepEqual(await ids('&status=SENT'), [old.invoice_id]);
  t.deepEqual(await ids('&date_to=2026-01-31'), [old.invoice_id]);
  t.deepEqual(await ids('&date_from=2026-02-01&date_to=2026-02-28'), [draft.invoice_id]);
  const { body } = await send('GET', `${path}?company_number=${company_number}&per_page=1&page=2`);
  t.deepEqual(body.pagination, { page: 2, per_page: 1, total: 2, total_pages: 2 });
  const { line_items, payments, credits, taxes, ...item } = old;
  t.deepEqual(body.data, [item]);
  t.is(line_items.length + payments.length + credits.length + taxes.length, 2);
  t.is((await send('GET', `${path}?status=late`)).status, 400);
  t.is((await send('GET', `${path}?date_from=yesterday`)).status, 400);
});

test.serial('Read an invoice with its lines and payments: 404 if missing, 405 for unsupported methods', async (t) => {
  const invoice = await add({ status: 'sent' });
  await pay(invoice.invoice_id, 30, { method: 'card', paid_at: '2026-03-01' });
  const { body } = await send('GET', at(invoice.invoice_id));
  t.like(body.data, { status: 'sent', amount_paid: 30, balance_due: 70, paid_at: null });
  t.like(body.data.payments, [{ amount: 30, method: 'card', paid_at: '2026-03-01' }]);
  t.is((await send('GET', at(999_999))).status, 404);
  t.is((await send('PUT', at(999_999), { notes: 'x' })).status, 404);
  t.is((await send('DELETE', at(invoice.invoice_id))).status, 405);
});

test.serial('Update an invoice: any field of a draft can change', async (t) => {
  const other = await seedCompany(app);
  const draft = await add({ line_items: [work, { ...work, description: 'Travel' }] });
  const [first, second] = draft.line_items;
  const renamed = [first, { ...second, description: 'Travel, two hours' }];
  const reworded = await put(draft.invoice_id, { line_items: renamed });
  t.is(reworded.body.data.line_items[1].description, 'Travel, two hours', 'also where the sums stay');
  const line_items = [
    { ...first, quantity: 2 },
    { description: 'Cable', unit_price: 9.99 },
  ];
  const answer = await put(draft.invoice_id, {
    company_number: other.company_number,
    line_items,
    issue_date: '2026-02-01',
    tax_rate: 10,
    invoice_number: 'ignored',
  });
  t.is(answer.status, 200);
  t.like(answer.body.data, {
    company_name: other.customer,
    invoice_number: draft.invoice_number,
    subtotal: 209.99,
    tax: 21,
    total: 230.99,
    due_date: '2026-03-03',
  });
  t.is(answer.body.data.line_items[0].line_item_id, first.line_item_id);
  t.deepEqual(
    answer.body.data.line_items.map((each: { description: string }) => each.description),
    ['Work', 'Cable'],
  );
  const same = await put(draft.invoice_id, answer.body.data);
  t.deepEqual(same.body, answer.body);
  t.is((await put(draft.invoice_id, {})).body.error, 'No fields to update');
  t.is((await put(draft.invoice_id, { status: 'paid' })).body.error, 'status cannot change from draft to paid');
  t.is((await put(draft.invoice_id, { status: 'overdue' })).status, 400);
  const yen = await put(draft.invoice_id, { currency: 'JPY' });
  t.like(yen.body.data, { subtotal: 210, tax: 21, total: 231, currency: 'JPY' });
});

test.serial('Update an invoice: an issued invoice is fixed', async (t) => {
  const { invoice_id, company_number, line_items } = await add();
  const sent = await put(invoice_id, { status: 'sent' });
  t.like(sent.body.data, { status: 'sent', sent_at: now });
  t.like(await figures(company_number), { unpaid_invoices: 1, balance_due: 100 });
  const refused = async (body: object) => {
    const answer = await put(invoice_id, body);
    t.is(answer.status, 400);
    return answer.body.error;
  };
  t.is(await refused({ tax_rate: 5 }), 'tax_rate can only be changed in drafts');
  t.is(await refused({ line_items: [work, work] }), 'line_items can only be changed in drafts');
  t.is(await refused({ issue_date: '2026-01-01' }), 'issue_date can only be changed in drafts');
  t.is(await refused({ status: 'draft' }), 'status cannot change from sent to draft');
  t.is(await refused({ status: 'overdue' }), 'status is set to overdue automatically after the due_date');
  const back = await put(invoice_id, { ...sent.body.data, notes: 'Call us', due_date: '2026-05-01' });
  t.like(back.body.data, { notes: 'Call us', due_date: '2026-05-01', line_items });
  await pay(invoice_id, 40);
  t.is(await refused({ status: 'void' }), 'status cannot be void while there are payments');
  const paid = await put(invoice_id, { status: 'paid' });
  t.like(paid.body.data, { status: 'paid', paid_at: now, amount_paid: 100, balance_due: 0 });
  t.like(paid.body.data.payments, [
    { amount: 60, method: 'other' },
    { amount: 40, method: 'other' },
  ]);
  t.is(await refused({ status: 'void' }), 'status cannot change from paid to void');
  t.like(await figures(company_number), { unpaid_invoices: 0, balance_due: 0 });
  t.deepEqual((await told(invoice_id)).toSorted(), [
    'invoice.created',
    'invoice.paid',
    'invoice.sent',
    'payment.recorded',
    'payment.recorded',
  ]);
});

test.serial('Update an invoice: a void invoice is final', async (t) => {
  const { invoice_id, company_number } = await add({ status: 'sent' });
  const answer = await put(invoice_id, { status: 'void' });
  t.like(answer.body.data, { status: 'void', balance_due: 0, total: 100 });
  t.like(await figures(company_number), { unpaid_invoices: 0, balance_due: 0 });
  t.is((await put(invoice_id, { status: 'sent' })).body.error, 'status cannot change from void to sent');
  t.is((await pay(invoice_id, 1)).status, 400);
  const draft = await add();
  t.is((await put(draft.invoice_id, { status: 'void' })).body.data.sent_at, null);
});

test.serial('an invoice becomes overdue the day after its due date, in the tenant’s time zone, once', async (t) => {
  t.teardown(() => clock.set('2026-03-02T09:00:00.000Z'));
  const { invoice_id } = await add({ status: 'sent', due_date: '2026-03-10' });
  const statusAt = async (moment: string) => {
    clock.set(moment);
    await Promise.all([1, 2].map(() => app.app.scheduler.runNow('billing.overdue')));
    return (await send('GET', at(invoice_id))).body.data.status;
  };
  t.is(await statusAt('2026-03-10T22:59:00.000Z'), 'sent');
  // Midnight in Berlin.
  t.is(await statusAt('2026-03-10T23:00:00.000Z'), 'overdue');
  t.is(await statusAt('2026-03-11T23:00:00.000Z'), 'overdue');
  t.deepEqual((await told(invoice_id)).filter((each) => each === 'invoice.overdue').length, 1);
  t.is((await put(invoice_id, { status: 'sent' })).body.error, 'due_date must be today or later');
  t.is((await put(invoice_id, { status: 'overdue', due_date: '2026-04-01' })).body.data.status, 'sent');
  t.is(await statusAt('2026-04-02T08:00:00.000Z'), 'overdue');
  t.is((await put(invoice_id, { status: 'paid' })).body.data.status, 'paid');
});

test.serial('a company with invoices cannot be deleted', async (t) => {
  const { company_number } = await add();
  const answer = await send('DELETE', `/companies.php?id=${company_number}`);
  t.is(answer.status, 409);
  t.regex(answer.body.error, /invoices/);
});
