// Reports as files: CSV, PDF and XLSX, and by scheduled mail.
import { Technician } from '@keelson/modules/directory';
import { Report } from '@keelson/modules/reports';
import { findTicket, logTime } from '@keelson/modules/tickets';
import { readMails, startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { strFromU8, unzipSync } from 'fflate';
import { ApiKey } from '../../modules/accounts/entities.ts';
import { TicketRating } from '../../modules/feedback/entities.ts';
import { Mail, MailAttachment } from '../../packages/mail/mail.ts';
import { seedCompany, seedKey, seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { pagesOf, textOf } from '../core/_pdf-text.ts';
import { asKey, seedEmployee, seedTicket, staff } from '../tickets-seed.ts';

const rights = ['reports:read', 'reports:write', 'tickets:read', 'tickets:write'];

async function bytesOf(app: TestApp, path: string, token: string): Promise<{ answer: Response; bytes: Buffer }> {
  const answer = await fetch(`${app.url}${staff}${path}`, { headers: { Authorization: `Bearer ${token}` } });
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
}

test('Export a report', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, rights);
  const { api_key: token } = await seedKey(app, 'admin', rights);
  const { company_number } = await seedCompany(app, 'Smith & <Sons>');
  await seedTicket(app, { company_number, subject: '=1+1', priority: 2 });
  await seedTicket(app, { company_number, subject: 'Zwölf Boxkämpfer "quer"', priority: 3 });
  const fields = ['subject', 'priority', 'company_name', 'status', 'created_at', 'closed_at'];
  const sort = [{ field: 'ticket_id', order: 'asc' }];
  const { body } = await send('POST', '/reports.php', { name: 'Open: work/2026?', source: 'tickets', fields, sort });
  const path = `/reports.php?action=export&id=${body.data.report_id}`;

  const csv = await send('GET', path);
  t.is(csv.status, 200);
  t.is(csv.headers.get('content-type'), 'text/csv; charset=utf-8');
  t.regex(csv.headers.get('content-disposition') ?? '', /UTF-8''Open%20work%202026\.csv$/);
  const lines = csv.text.split('\r\n');
  t.is(lines[0], '"Subject","Priority","Company","Status","Created","Closed"');
  t.true(lines[1]?.startsWith(`"'=1+1","2","Smith & <Sons>","open"`));

  const { answer, bytes } = await bytesOf(app, `${path}&format=xlsx`, token);
  t.is(answer.status, 200);
  t.regex(answer.headers.get('content-disposition') ?? '', /Open%20work%202026\.xlsx$/);
  const parts = unzipSync(bytes);
  const sheet = strFromU8(parts['xl/worksheets/sheet1.xml'] ?? new Uint8Array());
  t.true(
    sheet.includes(
      '<row r="2"><c r="A2" t="inlineStr"><is><t xml:space="preserve">=1+1</t></is></c><c r="B2"><v>2</v></c>',
    ),
  );
  t.true(sheet.includes('Smith &amp; &lt;Sons&gt;'));
  t.true(sheet.includes('Zwölf Boxkämpfer "quer"'));
  t.regex(
    sheet,
    /<row r="3">.*<c r="[A-Z]3" s="\d+"><v>46083\.375<\/v><\/c><c r="[A-Z]3" s="\d+"\/><\/row><\/sheetData><\/worksheet>$/,
  );
  t.is(sheet.match(/<row /g)?.length, 3);
  t.true(strFromU8(parts['xl/sharedStrings.xml'] ?? new Uint8Array()).includes('Company'));

  const pdf = await bytesOf(app, `${path}&format=pdf`, token);
  t.is(pdf.bytes.subarray(0, 5).toString(), '%PDF-');
  t.is((await send('GET', `${path}&format=docx`)).status, 400);
  t.is((await send('GET', '/reports.php?action=export&id=999')).status, 404);
  const without = await asKey(app, ['reports:read']);
  t.is((await without('GET', path)).status, 403);
  const grouped = await send('PUT', `/reports.php?id=${body.data.report_id}`, { group_by: 'status', sort: [] });
  t.is(grouped.status, 200);
  t.is((await send('GET', path)).text, '"Status","Count"\r\n"open","2"\r\n');
});

test('Export a report: lists of texts are joined, and months are months', async (t) => {
  const app = await startApp(t);
  const permissions = [...rights, 'contacts:read', 'billing:read'];
  const send = await asKey(app, permissions);
  const { api_key: token } = await seedKey(app, 'admin', permissions);
  const crm = await seedKey(app, 'crm_secret', ['contacts:write']);
  const person = { first_name: 'Ann', tags: ['Decision maker', 'VIP'] };
  const made = await app.request('POST', `${staff}/crm/people`, {
    key: crm.api_key,
    body: person,
  });
  t.is(made.status, 201);
  const { company_number } = await seedCompany(app, 'Smith');
  const { ticket_id } = await seedTicket(app, { company_number });
  await app.run(async (ctx) => logTime(ctx, await findTicket(ctx, ticket_id), { duration_minutes: 30 }));
  const file = async (source: string, fields: string[], format: string) => {
    const { body } = await send('POST', '/reports.php', { name: source, source, fields });
    const path = `/reports.php?action=export&id=${body.data.report_id}&format=${format}`;
    return (await bytesOf(app, path, token)).bytes;
  };
  const shown = async (source: string, fields: string[]) => textOf(pagesOf(await file(source, fields, 'pdf')).flat());
  t.regex((await file('crm_contacts', ['first_name', 'tags'], 'csv')).toString(), /"Ann","Decision maker, VIP"/);
  t.regex(await shown('crm_contacts', ['first_name', 'tags']), /Decision maker, VIP/);
  t.regex(await shown('unbilled_time', ['month', 'work_date']), /March.2026[^]*2.Mar.2026/);
  const sheet = unzipSync(await file('unbilled_time', ['month', 'work_date'], 'xlsx'))['xl/worksheets/sheet1.xml'];
  t.regex(strFromU8(sheet ?? new Uint8Array()), /preserve">2026-03<[^]*<v>46083<\/v>/);
});

test('Export a report: amounts of several currencies are not added, and documents write them as amounts', async (t) => {
  const app = await startApp(t);
  const permissions = [...rights, 'billing:read', 'billing:write', 'settings:write'];
  const send = await asKey(app, permissions);
  const { api_key: token } = await seedKey(app, 'admin', permissions);
  const { company_number } = await seedCompany(app, 'Smith');
  await send('PUT', '/settings/branding.php', { company_name: 'Harbour IT' });
  const bill = (unit_price: number, currency: string) =>
    send('POST', '/billing/invoices.php', {
      company_number,
      currency,
      line_items: [{ description: 'Work', unit_price }],
    });
  for (const [price, currency] of [
    [1000, 'USD'],
    [500, 'USD'],
    [12_500, 'JPY'],
  ] as const)
    await bill(price, currency);
  const aggregates = [{ function: 'sum', field: 'total' }];
  const report = { name: 'Invoices', source: 'invoices', group_by: 'status', aggregates };
  const { report_id } = (await send('POST', '/reports.php', report)).body.data;
  const path = `/reports.php?action=export&id=${report_id}`;
  t.is(
    (await send('GET', path)).text,
    '"Status","Currency","Sum of total"\r\n"draft","JPY","12500"\r\n"draft","USD","1500"\r\n',
  );
  const pages = pagesOf((await bytesOf(app, `${path}&format=pdf`, token)).bytes);
  const text = pages.map((page) => textOf(page)).join(' ');
  t.regex(text, /JPY.12,500/);
  t.regex(text, /USD.1,500\.00/);
  t.regex(text, /Harbour IT/);
  const workbook = unzipSync((await bytesOf(app, `${path}&format=xlsx`, token)).bytes);
  const part = (name: string) => strFromU8(workbook[name] ?? new Uint8Array());
  const amount = /formatCode="#,##0.00##" numFmtId="(\d+)"|numFmtId="(\d+)" formatCode="#,##0.00##"/;
  t.regex(part('xl/styles.xml'), amount);
  t.regex(part('xl/worksheets/sheet1.xml'), /<c r="[A-Z]\d" s="\d+"><v>1500<\/v><\/c>/);
  for (const price of [1.001, 1.002]) await bill(price, 'KWD');
  const average = { source: 'invoices', group_by: 'currency', aggregates: [{ function: 'average', field: 'total' }] };
  const averages = await send('POST', '/reports.php?action=preview', average);
  t.deepEqual(averages.body.data.rows, [
    { currency: 'JPY', average_total: 12_500 },
    { currency: 'USD', average_total: 750 },
    { currency: 'KWD', average_total: 1.002 },
  ]);
  const exact = { source: 'invoices', fields: ['total'], filters: [{ field: 'total', operator: 'eq', value: 1.002 }] };
  t.deepEqual((await send('POST', '/reports.php?action=preview', exact)).body.data?.rows, [
    { total: 1.002, currency: 'KWD' },
  ]);
  const finer = { ...exact, filters: [{ field: 'total', operator: 'gt', value: 1.0015 }] };
  t.is(
    (await send('POST', '/reports.php?action=preview', finer)).body.error,
    'filters[0].value must be an amount with at most 3 decimals',
  );
  const one = { ...report, filters: [{ field: 'currency', operator: 'eq', value: 'USD' }] };
  const { columns, rows } = (await send('POST', '/reports.php?action=preview', { ...one, name: undefined })).body.data;
  t.deepEqual(
    columns.map(({ label }: { label: string }) => label),
    ['Status', 'Sum of total'],
  );
  t.deepEqual(rows, [{ status: 'draft', currency: 'USD', sum_total: 1500 }]);
});

test('a scheduled report is mailed once per due time, with its owner’s permissions', async (t) => {
  const app = await startApp(t);
  const technician = await seedTechnician(app);
  const cookie = await signInOnPage(app, technician);
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const { company_number } = await seedCompany(app);
  await seedTicket(app, { company_number, subject: 'Printer' });
  const schedule = { cron: '0 8 * * *', format: 'csv', recipients: [technician.user_id] };
  const made = await app.request('POST', `${staff}/reports.php`, {
    cookie,
    headers,
    body: { name: 'Daily', source: 'tickets', fields: ['subject'], schedule },
  });
  t.is(made.status, 201);
  const { report_id } = made.body.data;
  const broken = await app.request('POST', `${staff}/reports.php`, {
    cookie,
    headers,
    body: { name: 'Broken', source: 'tickets', fields: ['subject'], schedule },
  });
  const unreadable = { report_id: broken.body.data.report_id };
  const old = { ...schedule, format: 'csv' as const, cron: '0 8 * * someday' };
  await app.app.database.update(Report, unreadable, { schedule: old, next_run_at: '2026-03-02T08:00:00.000Z' });

  const due = async (at: string) => {
    app.clock.set(at);
    await app.app.scheduler.runDue('reports.schedule', at);
    await app.app.scheduler.runDue('reports.schedule', at);
    await app.app.outbox.drain();
    return (await readMails(app)).length;
  };
  t.is(await due('2026-03-03T07:59:00.000Z'), 0);
  t.like(await app.app.database.findOneBy(Report, unreadable), { next_run_at: null }, 'its line cannot be read');
  t.is(await due('2026-03-03T08:00:00.000Z'), 1);
  t.is(await due('2026-03-03T08:01:00.000Z'), 1);
  const [mail] = await readMails(app);
  t.like(mail, { to: technician.email, subject: 'Daily', template: 'scheduled_report' });
  const [attachment] = await app.app.database.find(MailAttachment);
  t.like(attachment, { name: 'Daily.csv', type: 'text/csv; charset=utf-8' });
  const opened = app.app.vault.open(attachment?.content ?? '', `mail attachment ${attachment?.attachment_id}`);
  t.is(Buffer.from(opened, 'base64').toString(), '\ufeff"Subject"\r\n"Printer"\r\n');
  t.deepEqual(
    (await app.app.database.find(Mail)).map((each) => each.attachment_id),
    [attachment?.attachment_id ?? ''],
  );
  t.is(await due('2026-03-06T12:00:00.000Z'), 2, 'what was missed is mailed once');

  await app.app.database.update(Technician, { user_id: technician.user_id }, { active: false });
  t.is(await due('2026-03-07T08:00:00.000Z'), 2);
  const [row] = await app.app.database.findBy(Report, { report_id });
  t.like(row, { schedule: null, next_run_at: null });
});

test('a scheduled report says why nobody gets it: no active recipients, or an owner without permission', async (t) => {
  const app = await startApp(t);
  const [recipient, reader] = [await seedTechnician(app), await seedTechnician(app)];
  const as = await asKey(app, rights);
  const body = { name: 'Daily', source: 'tickets', fields: ['subject'] };
  const mailedTo = async (recipients: readonly number[]) =>
    (await as('POST', '/reports.php', { ...body, schedule: { cron: '0 8 * * *', format: 'csv', recipients } })).body
      .data.report_id as number;
  const [nobody, both] = [await mailedTo([recipient.user_id]), await mailedTo([recipient.user_id, reader.user_id])];
  await app.app.database.update(Technician, { user_id: recipient.user_id }, { active: false });
  const due = async (at: string) => {
    app.clock.set(at);
    await app.app.scheduler.runDue('reports.schedule', at);
    await app.app.outbox.drain();
    const problemOf = async (report_id: number) =>
      (await app.app.database.findOneBy(Report, { report_id }))?.last_problem;
    return { mails: (await readMails(app)).length, problems: [await problemOf(nobody), await problemOf(both)] };
  };
  t.deepEqual(await due('2026-03-03T08:00:00.000Z'), {
    mails: 1,
    problems: ['Not mailed: no recipient is active', null],
  });
  const [key] = await app.app.database.find(ApiKey);
  await app.app.database.update(ApiKey, { key_id: key?.key_id ?? 0 }, { permissions: ['reports:write'] });
  const refused = 'Not mailed: its owner may no longer run reports';
  t.deepEqual(await due('2026-03-04T08:00:00.000Z'), { mails: 1, problems: [refused, refused] });
});

test('a scheduled report of more than 5 MiB is mailed without its file, and the mail says so', async (t) => {
  const app = await startApp(t);
  const technician = await seedTechnician(app);
  const cookie = await signInOnPage(app, technician);
  const { company_number, employee_number } = await seedEmployee(app);
  const { ticket_id } = await seedTicket(app, { company_number, employee_number });
  const at = { rated_at: '2026-03-02T09:00:00.000Z', rated_on: '2026-03-02' };
  const rating = { ticket_id, company_number, employee_number, score: 'good' as const, closing_key: 'first', ...at };
  await app.app.database.insert(TicketRating, rating);
  const schedule = { cron: '0 8 * * *', format: 'csv', recipients: [technician.user_id] };
  const made = await app.request('POST', `${staff}/reports.php`, {
    cookie,
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: { name: 'Comments', source: 'ratings', fields: ['comment'], schedule },
  });
  t.is(made.status, 201);
  const mailed = async (day: string, comment: string) => {
    await app.app.database.update(TicketRating, { ticket_id }, { comment });
    app.clock.set(`${day}T08:00:00.000Z`);
    await app.app.scheduler.runDue('reports.schedule', `${day}T08:00:00.000Z`);
    await app.app.outbox.drain();
    const mails = await app.app.database.find(Mail, { order: { mail_id: 'ASC' } });
    return { file: mails.at(-1)?.attachment_id ?? null, text: (await readMails(app)).at(-1)?.text ?? '' };
  };
  const longest = 5 * 1024 ** 2 - Buffer.byteLength('\ufeff"Comment"\r\n""\r\n');
  const whole = await mailed('2026-03-03', 'x'.repeat(longest));
  t.regex(whole.file ?? '', /^report-/);
  t.notRegex(whole.text, /too large/);
  const larger = await mailed('2026-03-04', 'x'.repeat(longest + 1));
  t.is(larger.file, null);
  t.regex(larger.text, /The file is too large to attach/);
  t.like(await app.app.database.findOneBy(Report, { report_id: made.body.data.report_id }), {
    last_run_at: '2026-03-04T08:00:00.000Z',
    last_problem: null,
  });
});
