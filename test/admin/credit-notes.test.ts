import { Employee } from '@keelson/modules/directory';
import { openApp, readMails, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedEmployee } from '../accounts-seed.ts';
import { seedPayer } from '../billing-seed.ts';
import { asEmployee, asKey } from '../tickets-seed.ts';
import { checkCompany } from './_ledger-checks.ts';

const path = '/billing/credit-notes.php';
const now = '2026-03-02T09:00:00Z';

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
const clock = testClock();
test.before(async () => {
  app = await openApp({ clock });
  send = await asKey(app, ['billing:read', 'billing:write']);
});
test.after.always(() => app.close());

const twoLines = [
  { description: 'Workplaces', quantity: 3, unit_price: 33.33 },
  { description: 'Router', quantity: 2, unit_price: 10, tax_rate: 7 },
];

async function sent(more: object = {}) {
  const company = await seedPayer(app);
  return { ...company, ...(await issue(company.company_number, more)) };
}

async function issue(company_number: number, more: object = {}) {
  const body = { company_number, status: 'sent', tax_rate: 19, line_items: twoLines, ...more };
  return (await send('POST', '/billing/invoices.php', body)).body.data;
}

const credit = (invoice_id: number, more: object = {}) =>
  send('POST', path, { invoice_id, reason: 'Never delivered', ...more });
const readInvoice = async (id: number) => (await send('GET', `/billing/invoices.php?id=${id}`)).body.data;
const pay = (invoice_id: number, amount: number) => send('POST', '/billing/payments.php', { invoice_id, amount });
const statement = async (company_number: number) =>
  (await send('GET', `/billing/statements.php?company_number=${company_number}`)).body.data[0];

test.serial('Credit an invoice: crediting part of a line lowers the amount owed, including its tax', async (t) => {
  const { invoice_id, invoice_number, company_number, customer, line_items } = await sent();
  const [workplaces] = line_items;
  const wanted = [{ line_item_id: workplaces.line_item_id, quantity: 1 }];
  const answer = await credit(invoice_id, { line_items: wanted });
  t.is(answer.status, 201);
  const { credit_note_id, line_items: lines, ...note } = answer.body.data;
  t.regex(note.credit_note_number, /^CN-\d{6}$/);
  t.deepEqual(note, {
    credit_note_number: note.credit_note_number,
    invoice_id,
    invoice_number,
    company_number,
    company_name: customer,
    currency: 'USD',
    issue_date: '2026-03-02',
    reason: 'Never delivered',
    created_at: now,
    updated_at: now,
    subtotal: -33.33,
    tax: -6.33,
    total: -39.66,
    open_amount: 0,
    taxes: [{ tax_rate: 19, subtotal: -33.33, tax: -6.33 }],
    uses: [
      { kind: 'invoice', invoice_id, invoice_number, amount: 39.66, day: '2026-03-02', method: null, reference: '' },
    ],
  });
  t.like(lines[0], { description: 'Workplaces', quantity: -1, unit_price: 33.33, tax_rate: 19, amount: -33.33 });
  const invoice = await readInvoice(invoice_id);
  t.like(invoice, { status: 'sent', total: 140.39, amount_paid: 0, amount_credited: 39.66, balance_due: 100.73 });
  t.like(invoice.credits, [{ credit_note_id, credit_note_number: note.credit_note_number, amount: 39.66 }]);
  t.like(await statement(company_number), { charges: 100.73, payments: 0, closing_balance: 100.73 });
  const company = (await (await asKey(app, ['companies:read']))('GET', `/companies.php?id=${company_number}`)).body
    .data;
  t.is(company.statistics.balance_due, 100.73);
});

test.serial('Credit an invoice: in three parts, amounts and tax add up exactly to the invoice’s', async (t) => {
  const lines = [{ description: 'Hour', quantity: 3, unit_price: 0.335 }];
  const { invoice_id, company_number, line_items, total } = await sent({ line_items: lines });
  const [{ line_item_id }] = line_items;
  const totals: number[] = [];
  for (let i = 0; i < 3; i++) {
    const answer = await credit(invoice_id, { line_items: [{ line_item_id, quantity: 1 }] });
    totals.push(answer.body.data.total);
  }
  t.is(Math.round(totals.reduce((sum, each) => sum + each, 0) * 100) / 100, -total);
  t.like(await readInvoice(invoice_id), { status: 'paid', paid_at: now, balance_due: 0, amount_credited: total });
  t.is((await credit(invoice_id)).body.error, 'invoice_id must be an invoice with something left to credit');
  await checkCompany(app.app.database, company_number, '2026-03-02');
});

test.serial('Credit an invoice: invalid input is reported, and no more is credited than was invoiced', async (t) => {
  const { invoice_id, invoice_number, company_number, line_items } = await sent();
  const [{ line_item_id }] = line_items;
  const refused = async (body: object) => {
    const answer = await credit(invoice_id, body);
    t.is(answer.status, 400);
    return answer.body.error;
  };
  t.is(
    await refused({ line_items: [{ line_item_id, quantity: 3.5 }] }),
    'quantity of “Workplaces” must be at most 3, which is left to credit',
  );
  t.is(await refused({ line_items: [{ line_item_id: 1_999_999 }] }), `line_items must be lines of ${invoice_number}`);
  t.is(await refused({ line_items: [{ line_item_id }, { line_item_id }] }), 'line_items must name each line once');
  t.is(await refused({ reason: '' }), 'reason is required');
  t.is(await refused({ issue_date: '2026-03-01' }), 'issue_date must not be before 2026-03-02');
  t.is(await refused({ invoice_id: 999_999 }), 'invoice_id must be an existing invoice');
  const draft = await issue(company_number, { status: 'draft' });
  t.is(
    await refused({ invoice_id: draft.invoice_id }),
    'invoice_id must be an invoice that was sent: a draft can be edited',
  );
  await send('PUT', `/billing/invoices.php?id=${draft.invoice_id}`, { status: 'void' });
  t.is(await refused({ invoice_id: draft.invoice_id }), 'invoice_id must be an invoice that is not void');

  const discounted = [
    { description: 'Server', unit_price: 100 },
    { description: 'Discount', unit_price: -20 },
  ];
  const cheap = await issue(company_number, { line_items: discounted, tax_rate: 0 });
  t.is(
    await refused({ invoice_id: cheap.invoice_id, line_items: [cheap.line_items[0]].map(idOf) }),
    'line_items must add up to at most USD\u00a080.00, which is left to credit',
  );
  t.is(
    await refused({ invoice_id: cheap.invoice_id, line_items: [cheap.line_items[1]].map(idOf) }),
    'line_items must add up to more than 0',
  );
  t.is((await credit(cheap.invoice_id)).body.data.total, -80);
});

const compareTexts = (a: string, b: string): number => (a < b ? -1 : 1);
const idOf = ({ line_item_id }: { line_item_id: number }) => ({ line_item_id });

test.serial('Credit an invoice: of 20 concurrent credits exactly as many succeed as fit', async (t) => {
  const { invoice_id, company_number, line_items } = await sent();
  const [{ line_item_id }] = line_items;
  const wanted = { line_items: [{ line_item_id, quantity: 1 }], mail: false };
  const answers = await Promise.all(Array.from({ length: 20 }, () => credit(invoice_id, wanted)));
  t.is(answers.filter(({ status }) => status === 201).length, 3);
  t.is(answers.filter(({ status }) => status === 400).length, 17);
  const numbers = answers.flatMap(({ body }) => body.data?.credit_note_number ?? []).toSorted(compareTexts);
  const next = (text: string) => `CN-${String(Number(text.slice(3)) + 1).padStart(6, '0')}`;
  t.deepEqual(numbers.slice(1), numbers.slice(0, -1).map(next));
  await checkCompany(app.app.database, company_number, '2026-03-02');
});

test.serial(
  'Set credit against an invoice; Record that credit was refunded: only the remaining amount, and once',
  async (t) => {
    const { invoice_id, company_number, total } = await sent();
    await pay(invoice_id, total);
    const { credit_note_id: id, open_amount } = (await credit(invoice_id, { mail: false })).body.data;
    t.is(open_amount, 140.39);
    t.like(await readInvoice(invoice_id), { status: 'paid', amount_paid: 140.39, amount_credited: 0, balance_due: 0 });
    t.like(await statement(company_number), { charges: 0, payments: 140.39, closing_balance: -140.39 });

    const other = await issue(company_number, { line_items: [{ description: 'Work', unit_price: 50 }], tax_rate: 0 });
    const apply = (body: object) => send('POST', `${path}?action=apply&id=${id}`, body);
    const refund = (body: object) => send('POST', `${path}?action=refund&id=${id}`, body);
    t.is(
      (await apply({ invoice_id: other.invoice_id, amount: 50.01 })).body.error,
      'amount must be at most USD\u00a050.00, which is left to pay',
    );
    t.is((await apply({ invoice_id: other.invoice_id, amount: 0 })).body.error, 'amount must be above 0');
    const foreign = await sent();
    t.is((await apply({ invoice_id: foreign.invoice_id })).body.error, 'invoice_id must be an existing invoice');
    const yen = await issue(company_number, { currency: 'JPY', line_items: [{ description: 'Work', unit_price: 50 }] });
    t.is((await apply({ invoice_id: yen.invoice_id })).body.error, 'invoice_id must be an invoice in USD');
    t.is((await apply({ invoice_id })).body.error, 'invoice_id must be a sent or overdue invoice; this one is paid');

    const answers = await Promise.all(
      Array.from({ length: 5 }, () => apply({ invoice_id: other.invoice_id, amount: 30 })),
    );
    t.is(answers.filter(({ status }) => status === 200).length, 1);
    t.is((await apply({ invoice_id: other.invoice_id })).body.data.open_amount, 90.39);
    t.like(await readInvoice(other.invoice_id), { status: 'paid', amount_credited: 50, balance_due: 0 });

    t.is(
      (await refund({ amount: 90.4 })).body.error,
      'amount must be at most USD\u00a090.39, which is left of the credit',
    );
    t.is((await refund({ paid_at: '2026-03-01' })).body.error, 'paid_at must not be before 2026-03-02');
    const refunds = await Promise.all(
      Array.from({ length: 4 }, () => refund({ amount: 60, method: 'ach', reference: 'R 7' })),
    );
    t.is(refunds.filter(({ status }) => status === 200).length, 1);
    const { data } = (await refund({})).body;
    t.is(data.open_amount, 0);
    t.like(data.uses.slice(-2), [
      { kind: 'refund', invoice_id: null, amount: 60, method: 'ach', reference: 'R 7' },
      { kind: 'refund', amount: 30.39, method: 'other' },
    ]);
    t.regex((await refund({})).body.error, /^CN-\d+ has no credit left$/);
    // Paid 140.39, refunded 90.39, and applied 50 to the other invoice: no dollars are owed.
    const balances = (await send('GET', `/billing/statements.php?company_number=${company_number}`)).body.data;
    t.like(
      balances.find((each: any) => each.currency === 'USD'),
      { charges: 50, payments: 50, closing_balance: 0 },
    );
    await checkCompany(app.app.database, company_number, '2026-03-02');
  },
);

test.serial('Record a payment; Update an invoice: a credited amount can be neither paid nor voided', async (t) => {
  const { invoice_id, line_items } = await sent();
  await credit(invoice_id, { line_items: [{ line_item_id: line_items[0].line_item_id }], mail: false });
  const { balance_due } = await readInvoice(invoice_id);
  t.is(balance_due, 21.4);
  t.is((await pay(invoice_id, 21.41)).body.error, 'amount must be at most USD\u00a021.40, the balance due');
  const put = (body: object) => send('PUT', `/billing/invoices.php?id=${invoice_id}`, body);
  t.is((await put({ status: 'void' })).body.error, 'status may not become void when there are credit notes');
  t.like((await put({ status: 'paid' })).body.data, { status: 'paid', amount_paid: 21.4, balance_due: 0 });
});

test.serial('Send a credit note by mail: with its PDF, to people who can view billing', async (t) => {
  const { invoice_id, company_number } = await sent();
  const seer = await seedEmployee(app, { company_number, can_view_billing: true });
  const other = await seedEmployee(app, { company_number });
  const mails = async () => {
    await app.app.outbox.drain();
    return (await readMails(app)).filter(({ template }) => template === 'credit_note_sent');
  };
  const before = (await mails()).length;
  const note = (await credit(invoice_id, { reason: 'Delivered too late' })).body.data;
  const [mail, ...more] = (await mails()).slice(before);
  t.is(more.length, 0);
  t.is(mail?.to, seer.email);
  for (const part of ['Delivered too late', note.credit_note_number, '140.39'])
    t.true(mail?.text.includes(part), mail?.text);
  const url = `${path}?action=send&id=${note.credit_note_id}`;
  await send('POST', url, { employee_numbers: [other.employee_number], message: 'As agreed' });
  const [again, ...rest] = (await mails()).slice(before + 1);
  t.is(rest.length, 0);
  t.is(again?.to, other.email);
  t.true(again?.text.includes('As agreed'));
  const foreign = await seedEmployee(app, { company_number: (await seedPayer(app)).company_number });
  t.is(
    (await send('POST', url, { employee_numbers: [foreign.employee_number] })).body.error,
    'employee_numbers must be active contacts of the company',
  );
});

test.serial('Send a credit note by mail: with its amount written as in the recipient’s language', async (t) => {
  const { invoice_id, company_number } = await sent();
  const seer = await seedEmployee(app, { company_number, can_view_billing: true });
  await app.run((ctx) => ctx.db.update(Employee, { employee_number: seer.employee_number }, { language: 'de' }));
  const note = (await credit(invoice_id)).body.data;
  await app.app.outbox.drain();
  const mails = await readMails(app);
  const mail = mails.find(({ to, template }) => to === seer.email && template === 'credit_note_sent');
  t.true(mail?.subject.startsWith(`Gutschrift ${note.credit_note_number}`), mail?.subject);
  t.regex(mail?.text ?? '', /140,39/);
});

test.serial('Show a credit note with its lines and uses: only those of one’s own company', async (t) => {
  const { invoice_id, company_number } = await sent();
  const note = (await credit(invoice_id, { mail: false })).body.data;
  const see = await asEmployee(app, await seedEmployee(app, { company_number, can_view_billing: true }));
  const [listed, ...others] = (await see('GET', '/billing/credit-notes')).body.credit_notes;
  t.deepEqual({ ...note, ...listed }, note);
  t.is(others.length, 0);
  t.deepEqual((await see('GET', `/billing/credit-notes/${note.credit_note_id}`)).body, note);
  t.is((await see('GET', `/billing/credit-notes/${note.credit_note_id}/pdf`)).status, 200);
  const peek = await asEmployee(app, await seedEmployee(app, { company_number }));
  t.is((await peek('GET', '/billing/credit-notes')).status, 403);
  const foreign = (await credit((await sent()).invoice_id, { mail: false })).body.data;
  const absent = await see('GET', '/billing/credit-notes/999999');
  for (const end of ['', '/pdf']) {
    const answer = await see('GET', `/billing/credit-notes/${foreign.credit_note_id}${end}`);
    t.is(answer.status, 404);
    t.is(answer.text, absent.text);
  }
});
