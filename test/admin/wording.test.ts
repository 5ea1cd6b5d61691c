// Mails, documents and server-rendered pages in the person's language.
import { startApp } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { ProviderLanguage } from '../../core/plugin/setting/language.ts';
import { InvoiceSentMail } from '../../modules/billing/mail-templates.ts';
import { Employee } from '../../modules/directory/api.ts';
import { previewMail } from '../../packages/mail/preview.ts';
import { StoredTemplate } from '../../packages/mail/stored-template.ts';
import { boundless } from '../_boundless.ts';
import { seedCompany, seedEmployee } from '../accounts-seed.ts';

const start = (t: ExecutionContext) => startApp(t, { limiter: boundless });
const invoice = {
  invoice_number: 'INV-7',
  company_name: 'Muster GmbH',
  total: { minor: 1_234_500, currency: 'EUR' },
  due_date: { day: '2026-03-02' },
};

test('mails use the language of their recipient, with dates and amounts in its format', async (t) => {
  const app = await start(t);
  const { company_number } = await seedCompany(app);
  const { email, employee_number } = await seedEmployee(app, { company_number });
  const ctx = app.app.system();
  const to = { name: 'Erika Muster', address: email };
  const english = await previewMail(ctx, InvoiceSentMail, { to, data: invoice });
  t.regex(english.text, /Amount: EUR\s1,234\.50\nDue: 2 Mar 2026/);
  t.regex(english.html, /<html lang="en"/);
  await app.run((inside) => inside.db.update(Employee, { employee_number }, { language: 'de' }));
  const german = await previewMail(ctx, InvoiceSentMail, { to, data: invoice });
  t.regex(german.subject, /^Rechnung INV-7 von /);
  t.regex(german.text, /^Guten Tag Erika Muster,\n\ndie Rechnung INV-7 für Muster GmbH liegt vor\./);
  t.regex(german.text, /Betrag: 1\.234,50\sEUR\nFällig: 02\.03\.2026/);
  t.regex(german.html, /<html lang="de"/);
});

test('an administrator’s mail template is not translated', async (t) => {
  const app = await start(t);
  await app.run((ctx) => ctx.app.settings.set(ctx, ProviderLanguage, 'de'));
  await app.run((ctx) => ctx.db.update(StoredTemplate, { key: 'invoice_sent' }, { body: 'Pay {{ total }}.' }));
  const to = { name: 'Erika Muster', address: 'erika@example.com' };
  const mail = await previewMail(app.app.system(), InvoiceSentMail, { to, data: invoice });
  t.regex(mail.text, /^Pay 1\.234,50\sEUR\./);
  t.regex(mail.subject, /^Rechnung/, 'the subject was not edited');
});

test('server-rendered pages use the language of the provider, then of the browser', async (t) => {
  const app = await start(t);
  const read = async (path: string, headers: Record<string, string> = {}) =>
    (await app.request('GET', path, { headers })).text;
  t.regex(await read('/admin/login'), /<html lang="en">[^]*Sign in to/);
  t.regex(await read('/admin/login', { 'Accept-Language': 'de-AT,de;q=0.9' }), /<html lang="de">[^]*Bei .* anmelden/);
  t.regex(await read('/admin/login', { Cookie: 'language=de' }), /<html lang="de">/);
  await app.run((ctx) => ctx.app.settings.set(ctx, ProviderLanguage, 'de'));
  t.regex(await read('/'), /<html lang="de">[^]*Hilfe anfordern/);
  t.regex(await read('/helpdesk/forgotten'), /Passwort zurücksetzen/);
});
