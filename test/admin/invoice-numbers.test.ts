import { createDraftInvoice, Invoice } from '@keelson/modules/billing';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany } from '../accounts-seed.ts';
import { line, seedInvoice } from '../billing-seed.ts';

let app: TestApp;
test.before(async () => {
  app = await openApp();
});
test.after.always(() => app.close());

const numbersOf = async () =>
  (await app.app.database.find(Invoice, { order: { invoice_number: 'ASC' } })).map((each) => each.invoice_number);

test.serial('Numbers have no gaps, even with rolled-back and concurrent drafts', async (t) => {
  const { company_number } = await seedCompany(app);
  const given = { company_number, lines: [line] };
  t.is((await seedInvoice(app, given)).invoice_number, 'INV-000001');
  const crash = app.run(async (ctx) => {
    t.is((await createDraftInvoice(ctx, given)).invoice_number, 'INV-000002');
    throw new Error('crash');
  });
  await t.throwsAsync(crash, { message: 'crash' });
  await seedInvoice(app, { company_number, invoice_number: 'inv-000004' });
  await seedInvoice(app, { company_number, invoice_number: '2026/7' });
  await Promise.all(Array.from({ length: 5 }, () => seedInvoice(app, given)));
  t.deepEqual((await numbersOf()).map((each) => each.toUpperCase()).toSorted(), [
    '2026/7',
    ...[1, 2, 3, 4, 5, 6, 7].map((n) => `INV-00000${n}`),
  ]);
});

test.serial('A draft sums its lines, rounded half up, and yen have no decimals', async (t) => {
  const { company_number } = await seedCompany(app);
  const lines = [
    { ...line, quantity_parts: 15_000, unit_price: '99.99' },
    { ...line, quantity_parts: 10_000, unit_price: '-0.5', taxable: false },
  ];
  const dollars = await seedInvoice(app, { company_number, lines, tax_ppm: 88_750 });
  t.like(dollars, { subtotal_minor: 149_490, tax_minor: 13_310, total_minor: 162_800, currency: 'USD' });
  const yen = await seedInvoice(app, { company_number, lines, tax_ppm: 100_000, currency: 'JPY' });
  // 149.985 yen round to 150; -0.5 rounds to -1, away from zero like positive amounts.
  t.like(yen, { subtotal_minor: 149_000, tax_minor: 15_000, total_minor: 164_000, currency: 'JPY' });
  await t.throwsAsync(seedInvoice(app, { company_number, lines: [{ ...line, unit_price: '-0.01' }] }), {
    message: 'line_items must not add up to less than 0',
  });
});
