// Files that people download, in their language.
import { startApp } from '@keelson/testing';
import test from 'ava';
import { strFromU8, unzipSync } from 'fflate';
import { seedCompany, seedEmployee, seedKey, signIn } from '../accounts-seed.ts';
import { pagesOf, textOf } from '../core/_pdf-text.ts';
import { portal, seedTicket, staff } from '../tickets-seed.ts';

const config = { timeZone: 'Europe/Berlin' };

test('Export tickets: headings, choices and dates are in the person’s language; a key’s stay English', async (t) => {
  const app = await startApp(t, { config });
  const { company_number } = await seedCompany(app, 'Initech');
  const employee = await seedEmployee(app, { company_number });
  const { token } = await signIn(app, employee);
  await seedTicket(app, { company_number, employee_number: employee.employee_number, subject: 'VPN' });
  const file = async (path: string, bearer: string) => {
    const answer = await fetch(app.url + path, { headers: { Authorization: `Bearer ${bearer}` } });
    t.is(answer.status, 200);
    return Buffer.from(await answer.arrayBuffer());
  };
  const pdf = async () => textOf(pagesOf(await file(`${portal}/tickets/export?format=pdf&status=open`, token)).flat());
  t.regex(await pdf(), /^Tickets\nCompany: Initech  ·  Status: Open\n1 row  ·  Times in Europe\/Berlin\n/);
  t.is((await app.request('PUT', `${portal}/auth/language`, { token, body: { language: 'de' } })).status, 200);
  const text = await pdf();
  t.regex(text, /^Tickets\nFirma: Initech  ·  Status: Offen\n1 Zeile  ·  Zeiten in Europe\/Berlin\n/);
  for (const each of ['Ticketnummer', 'Betreff', 'Offen', 'Normal', '02.03.2026', 'Seite 1'])
    t.true(text.includes(each), each);
  const [heading] = (await file(`${portal}/tickets/export`, token)).toString('utf8').slice(1).split('\r\n');
  t.regex(heading ?? '', /^"Ticketnummer","Betreff","Status",/);
  const { api_key } = await seedKey(app, 'admin', ['tickets:read']);
  const [plain] = (await file(`${staff}/tickets.php?action=export`, api_key)).toString('utf8').slice(1).split('\r\n');
  t.regex(plain ?? '', /^"Ticket number","Subject","Status",/);
});

test('Run a report; Export a report: headings are in the person’s language', async (t) => {
  const app = await startApp(t, { config });
  const employee = await seedEmployee(app);
  const { token } = await signIn(app, employee);
  await app.request('PUT', `${portal}/auth/language`, { token, body: { language: 'de' } });
  const report = {
    name: 'Monate',
    source: 'tickets',
    fields: [],
    group_by: 'created_at:month',
    aggregates: [{ function: 'count' }],
  };
  const priorities = { ...report, name: 'Prioritäten', group_by: 'priority' };
  const { body } = await app.request('POST', `${portal}/reports`, { token, body: report });
  const run = await app.request('POST', `${portal}/reports/${body.report_id}/run`, { token, body: {} });
  t.deepEqual(
    run.body.columns.map(({ label }: { label: string }) => label),
    ['Erstellt (Monat)', 'Anzahl'],
  );
  const other = await app.request('POST', `${portal}/reports`, { token, body: priorities });
  const grouped = await app.request('POST', `${portal}/reports/${other.body.report_id}/run`, { token, body: {} });
  t.like(grouped.body.columns[0], { label: 'Priorität', type: 'number', labels: { 1: 'Kritisch', 4: 'Niedrig' } });
  const fields = ['subject', 'status', 'priority'];
  const list = { name: 'Offene', source: 'tickets', fields, group_by: null };
  const open = (await app.request('POST', `${portal}/reports`, { token, body: list })).body.report_id;
  const { company_number, employee_number } = employee;
  await seedTicket(app, { company_number, employee_number, subject: 'VPN', priority: 2 });
  const answer = await fetch(`${app.url}${portal}/reports/${open}/export?format=xlsx`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const sheet = unzipSync(new Uint8Array(await answer.arrayBuffer()))['xl/worksheets/sheet1.xml'];
  const cells = [...strFromU8(sheet ?? new Uint8Array()).matchAll(/preserve">([^<]*)/g)].map(([, text]) => text);
  t.deepEqual(cells, ['VPN', 'Offen', 'Hoch'], 'workbooks contain words, not stored values');
  const filters = [
    { field: 'status', operator: 'ne', value: 'closed' },
    { field: 'priority', operator: 'in', value: [1, 2] },
    { field: 'created_at', operator: 'gte', value: '2026-03-01' },
    { field: 'subject', operator: 'contains', value: 'VPN' },
    { field: 'closed_at', operator: 'empty' },
    { field: 'subject', operator: 'empty', value: false },
  ];
  const rated = { ...report, group_by: 'status', filters, aggregates: [{ function: 'average', field: 'priority' }] };
  await seedTicket(app, { company_number, employee_number, subject: 'VPN again', priority: 1 });
  const { report_id } = (await app.request('POST', `${portal}/reports`, { token, body: rated })).body;
  const pdf = await fetch(`${app.url}${portal}/reports/${report_id}/export?format=pdf`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const text = textOf(pagesOf(Buffer.from(await pdf.arrayBuffer())).flat());
  const header = [
    'Status ist nicht: Geschlossen',
    'Priorität: Kritisch, Hoch',
    'Erstellt ist am oder nach dem: 01.03.2026',
    'Betreff enthält: VPN',
    'Geschlossen: ist leer',
    'Betreff: ist nicht leer',
  ];
  t.true(text.includes(header.join('  ·  ')), text);
  t.regex(text, /\b1,5\b/, 'numbers are written in the language');
});
