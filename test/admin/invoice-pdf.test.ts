import { writeFileSync } from 'node:fs';
import { findOr404 } from '@keelson/core';
import { Company } from '@keelson/modules/directory';
import { openApp, readMails, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { Invoices } from '../../modules/billing/invoices/invoices.ts';
import { mailInvoice } from '../../modules/billing/invoices/mail.ts';
import { invoicePdf } from '../../modules/billing/invoices/pdf.ts';
import { MailAttachment } from '../../packages/mail/mail.ts';
import { seedEmployee } from '../accounts-seed.ts';
import { seedPayer } from '../billing-seed.ts';
import { pagesOf, textOf } from '../core/_pdf-text.ts';
import { asEmployee, asKey } from '../tickets-seed.ts';

let app: TestApp;
let send: Awaited<ReturnType<typeof asKey>>;
test.before(async () => {
  app = await openApp({ clock: testClock() });
  send = await asKey(app, ['billing:read', 'billing:write', 'companies:write']);
});
test.after.always(() => app.close());

async function bill(company_number: number, more: object = {}) {
  const line_items = [{ description: 'Work', unit_price: 100 }];
  return (await send('POST', '/billing/invoices.php', { company_number, line_items, ...more })).body.data;
}

async function pdfOf(invoice_id: number) {
  const answer = await send('GET', `/billing/invoices.php?action=pdf&id=${invoice_id}`);
  const ctx = app.app.system();
  const { body } = await invoicePdf(ctx, await findOr404(ctx, Invoices, invoice_id));
  const bytes = Buffer.concat(await Array.fromAsync(body as AsyncIterable<Buffer>));
  return { answer, bytes, pages: pagesOf(bytes) };
}

test.serial('Download any invoice as a PDF: texts, amounts and names in every script', async (t) => {
  const { company_number } = await seedPayer(app);
  await send('PUT', `/companies.php?id=${company_number}`, {
    customer: '株式会社サンプル',
    address: 'شارع الملك 12',
    city: 'Ελλάδα',
    zip: '123 45',
  });
  const line_items = [
    { description: 'Настройка сервера', quantity: 1.5, unit_price: 1099.99 },
    { description: '서버 점검', unit_price: 20, taxable: false },
    { description: 'ค่าบริการ / सेवा / 🔧', unit_price: 5, tax_rate: 7 },
  ];
  const { invoice_id, invoice_number } = await bill(company_number, {
    line_items,
    tax_rate: 19,
    status: 'sent',
    notes: 'Danke\nשלום',
  });
  const { answer, bytes, pages } = await pdfOf(invoice_id);
  t.is(answer.status, 200);
  t.is(answer.headers.get('content-type'), 'application/pdf');
  t.regex(answer.headers.get('content-disposition') ?? '', new RegExp(`^attachment; filename="?${invoice_number}.pdf`));
  t.is(pages.length, 1);
  const text = textOf(pages[0] ?? []);
  if (process.env['KEEP_PDF']) writeFileSync(`${process.env['KEEP_PDF']}/scripts.pdf`, bytes);
  for (const word of [
    `Invoice ${invoice_number}`,
    '株式会社サンプル',
    'Настройка сервера',
    '서버 점검',
    'USD 1,099.99',
    'USD 1,649.99',
    'ค่าบริการ',
    'सेवा',
    '🔧',
    'Tax 19% on',
    'Tax 7% on USD 5.00',
    'USD 313.50',
    'USD 1,988.84',
    'Danke',
  ])
    t.true(text.replaceAll('\u00a0', ' ').includes(word), word);
  t.is((await send('GET', '/billing/invoices.php?action=pdf&id=999999')).status, 404);
});

test.serial('Download any invoice as a PDF: a long table continues under its header, completely', async (t) => {
  const { company_number } = await seedPayer(app);
  const words = 'a cable of a length that takes more than one line, measured by two people and written down '.repeat(3);
  const line_items = Array.from({ length: 120 }, (_, i) => ({ description: `Item ${i + 1}: ${words}`, unit_price: i }));
  const { invoice_id } = await bill(company_number, { line_items, notes: 'Long '.repeat(800) });
  const { bytes, pages } = await pdfOf(invoice_id);
  if (process.env['KEEP_PDF']) writeFileSync(`${process.env['KEEP_PDF']}/long.pdf`, bytes);
  t.true(pages.length > 5);
  const texts = pages.map((page) => textOf(page));
  const withItems = texts.filter((text) => /Item \d+:/.test(text));
  t.true(withItems.every((text) => text.includes('Description') && text.includes('Unit price')));
  for (let i = 1; i <= 120; i++) t.is(texts.filter((text) => text.includes(`Item ${i}:`)).length, 1);
  t.true(pages.flat().every(({ x, y }) => x >= 0 && x <= 596 && y >= 0 && y <= 842));
});

test.serial('Download any invoice as a PDF: in the language of the company', async (t) => {
  const { company_number } = await seedPayer(app);
  const { invoice_id } = await bill(company_number);
  const textIn = async () => textOf((await pdfOf(invoice_id)).pages[0] ?? []);
  t.regex(await textIn(), /Page 1 of/);
  await app.run((ctx) => ctx.db.update(Company, { company_number }, { language: 'de' }));
  t.regex(await textIn(), /Seite 1 von/);
});

test.serial('Download any invoice as a PDF: the period of a subscription is named once', async (t) => {
  const { company_number } = await seedPayer(app);
  const product = { name: 'Backup', price: 20, billing_cycle: 'monthly' };
  const { product_id } = (await send('POST', '/billing/products.php', product)).body.data;
  await send('POST', '/billing/marketplace.php', { product_id, company_number, quantity: 3 });
  const [invoice] = (await send('GET', `/billing/invoices.php?company_number=${company_number}`)).body.data;
  const text = textOf((await pdfOf(invoice.invoice_id)).pages[0] ?? []);
  t.regex(text, /Backup, \d+ \w+ \d{4} to \d+ \w+ \d{4}/);
  t.notRegex(text, /\d{4}-\d\d-\d\d/);
});

test.serial('Download an invoice as a PDF: only of your own company, and no drafts', async (t) => {
  const { company_number } = await seedPayer(app);
  const see = await asEmployee(app, await seedEmployee(app, { company_number, can_view_billing: true }));
  const peek = await asEmployee(app, await seedEmployee(app, { company_number }));
  const { invoice_id } = await bill(company_number, { status: 'sent' });
  const answer = await see('GET', `/billing/invoices/${invoice_id}/pdf`);
  t.is(answer.status, 200);
  t.true(answer.text.startsWith('%PDF-'));
  t.is((await peek('GET', `/billing/invoices/${invoice_id}/pdf`)).status, 403);
  const draft = await bill(company_number);
  t.is((await see('GET', `/billing/invoices/${draft.invoice_id}/pdf`)).status, 404);
  const other = await bill((await seedPayer(app)).company_number, { status: 'sent' });
  t.is((await see('GET', `/billing/invoices/${other.invoice_id}/pdf`)).status, 404);
});

test.serial('a sent invoice is mailed once, with its PDF, to people who can view billing', async (t) => {
  const { company_number, customer } = await seedPayer(app);
  const seer = await seedEmployee(app, { company_number, can_view_billing: true });
  await seedEmployee(app, { company_number });
  const { invoice_id, invoice_number } = await bill(company_number);
  await app.app.outbox.drain();
  await send('PUT', `/billing/invoices.php?id=${invoice_id}`, { status: 'sent' });
  await app.app.outbox.drain();
  await mailInvoice(app.app.system(), invoice_id);
  const mails = (await readMails(app)).filter((each) => each.to === seer.email);
  t.is(mails.length, 1);
  t.true(mails[0]?.subject.startsWith(`Invoice ${invoice_number} from `));
  for (const part of [customer, 'USD', '100.00', '1 Apr 2026']) t.true(mails[0]?.text.includes(part), part);
  const file = await app.app.database.findOneBy(MailAttachment, { attachment_id: `invoice-${invoice_id}` });
  t.like(file, { name: `${invoice_number}.pdf`, type: 'application/pdf' });
  const written = (await readMails(app)).filter(({ text }) => text.includes(invoice_number));
  t.is(written.length, 1);
});
