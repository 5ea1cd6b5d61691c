import { openApp, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedEmployee } from '../accounts-seed.ts';
import { seedPayer, switchBilling } from '../billing-seed.ts';
import { asEmployee, asKey } from '../tickets-seed.ts';

let app: TestApp;
let admin: Awaited<ReturnType<typeof asKey>>;
const clock = testClock();
test.before(async () => {
  app = await openApp({ clock });
  admin = await asKey(app, ['billing:read', 'billing:write']);
});
test.after.always(() => app.close());

/** Creates a company with a person who can view its invoices, and one who cannot. */
async function payer() {
  const { company_number, customer } = await seedPayer(app);
  const seer = await seedEmployee(app, { company_number, can_view_billing: true });
  const other = await seedEmployee(app, { company_number });
  const bill = async (more: object = {}) => {
    const line_items = [{ description: 'Work', unit_price: 100 }];
    return (await admin('POST', '/billing/invoices.php', { company_number, line_items, ...more })).body.data;
  };
  return { company_number, customer, bill, see: await asEmployee(app, seer), peek: await asEmployee(app, other) };
}

test.serial(
  'List your company’s invoices; Show an invoice with its lines and payments: no drafts and only your company’s',
  async (t) => {
    const { bill, see } = await payer();
    const draft = await bill();
    const voided = await bill();
    await admin('PUT', `/billing/invoices.php?id=${voided.invoice_id}`, { status: 'void' });
    const sent = await bill({ status: 'sent', tax_rate: 10 });
    const { bill: billOther } = await payer();
    const foreign = await billOther({ status: 'sent' });

    const { line_items, payments, credits, taxes, ...item } = sent;
    const list = await see('GET', '/billing/invoices');
    t.is(list.status, 200);
    t.deepEqual(list.body, { invoices: [item], pagination: { page: 1, limit: 20, total: 1, total_pages: 1 } });
    t.is((await see('GET', '/billing/invoices?status=draft')).body.pagination.total, 0);
    t.is((await see('GET', '/billing/invoices?status=paid')).body.pagination.total, 0);
    t.is((await see('GET', '/billing/invoices?status=sent&per_page=1')).body.pagination.total, 1);
    t.is((await see('GET', '/billing/invoices?status=x')).status, 400);

    const one = await see('GET', `/billing/invoices/${sent.invoice_id}`);
    const { source_id, time_entry_ids, coverage, ...line } = line_items[0];
    t.deepEqual(one.body, { ...item, line_items: [line], taxes, payments, credits });
    t.deepEqual([source_id, time_entry_ids, coverage], [null, [], []]);
    const absent = await see('GET', '/billing/invoices/999999');
    t.is(absent.status, 404);
    for (const { invoice_id } of [draft, voided, foreign]) {
      const answer = await see('GET', `/billing/invoices/${invoice_id}`);
      t.is(answer.status, 404);
      t.is(answer.text, absent.text);
    }
  },
);

test.serial('List your company’s payments; List your company’s statements', async (t) => {
  const { bill, see } = await payer();
  const { invoice_id } = await bill({ status: 'sent' });
  const paid = (await admin('POST', '/billing/payments.php', { invoice_id, amount: 40 })).body.data;
  const { bill: billOther } = await payer();
  await admin('POST', '/billing/payments.php', {
    invoice_id: (await billOther({ status: 'sent' })).invoice_id,
    amount: 1,
  });

  const payments = await see('GET', '/billing/payments');
  t.is(payments.status, 200);
  t.deepEqual(payments.body.payments, [paid]);
  t.is(payments.body.pagination.total, 1);
  const statements = await see('GET', '/billing/statements');
  t.is(statements.status, 200);
  t.like(statements.body, { statements: [{ opening_balance: 0, charges: 100, payments: 40, closing_balance: 60 }] });
  t.is(statements.body.statements.length, 1);
});

test.serial('billing requires permission, and is hidden immediately when the company has it disabled', async (t) => {
  const { company_number, bill, see, peek } = await payer();
  const { invoice_id } = await bill({ status: 'sent' });
  const paths = [
    '/billing/invoices',
    `/billing/invoices/${invoice_id}`,
    '/billing/invoices/999999',
    '/billing/payments',
    '/billing/statements',
  ];
  for (const path of paths) {
    t.is((await app.request('GET', `/helpdesk/api/v1${path}`)).status, 401);
    const answer = await peek('GET', path);
    t.deepEqual([answer.status, answer.body], [403, { error: 'You do not have access to billing' }]);
  }
  await switchBilling(app, company_number, false);
  for (const path of paths) {
    const answer = await see('GET', path);
    t.deepEqual([answer.status, answer.body], [403, { error: 'Billing module is disabled' }]);
  }
  await switchBilling(app, company_number, true);
  t.is((await see('GET', '/billing/invoices')).status, 200);
});
