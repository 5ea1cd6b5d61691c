// Clients generated from a running server's OpenAPI documents, by two generators, call it on all three interfaces. The
// generators have their own packages: npm ci --prefix test/generated
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { root } from './_source.ts';
import { seedKey, signIn } from './accounts-seed.ts';
import { seedEmployee } from './tickets-seed.ts';

const folder = join(root, 'test/generated');
const out = join(folder, 'out');
const installed = existsSync(join(folder, 'node_modules'));

/** One call of each kind: list, create, action, upload, change, delete. Type-checked by TypeScript, then run. */
const calls = `
import createClient from 'openapi-fetch';
import type { paths as AdminPaths } from './admin.js';
import type { paths as HelpdeskPaths } from './helpdesk.js';
import type { paths as CrmPaths } from './crm.js';
import * as admin from './hey-admin/index.js';
import { client as adminHey } from './hey-admin/client.gen.js';
import * as helpdesk from './hey-helpdesk/index.js';
import { client as helpdeskHey } from './hey-helpdesk/client.gen.js';
import * as crm from './hey-crm/index.js';
import { client as crmHey } from './hey-crm/client.gen.js';

const [url = '', key = '', token = '', crmKey = '', company = ''] = process.argv.slice(2);
const company_number = Number(company);

type Result<D> = { data?: D; error?: unknown; response?: Response };
function must<D>(result: Result<D>, status: number): D {
  if (result.response?.status !== status) throw new Error(result.response?.url + ' answered ' + JSON.stringify(result));
  return result.data as D;
}

async function openapiFetch() {
  const staff = createClient<AdminPaths>({ baseUrl: url + '/admin/api/v1', headers: { Authorization: 'Bearer ' + key } });
  const body = { subject: 'Printer', description: 'Smoke', company_number };
  const { ticket_id: id } = must(await staff.POST('/tickets.php', { body }), 201).data;
  const other = must(await staff.POST('/tickets.php', { body }), 201).data;
  const { data: rows, pagination } = must(await staff.GET('/tickets.php', { params: { query: { status: 'open' } } }), 200);
  if (pagination.total !== 2 || !rows.some((row) => row.ticket_id === id)) throw new Error('The list lacks the ticket');
  const path = { id };
  must(await staff.PUT('/tickets.php/{id}', { params: { path }, body: { status: 'in_progress' } }), 200);
  must(await staff.POST('/tickets.php/{id}/comments', { params: { path }, body: { comment: 'Soon' } }), 201);
  must(await staff.POST('/tickets.php/{id}/merge', { params: { path: { id: other.ticket_id } }, body: { into: id } }), 200);
  const form = new FormData();
  form.append('file', new File(['hello'], 'note.txt', { type: 'text/plain' }));
  const sent = { params: { path }, body: { file: [] as string[] }, bodySerializer: () => form };
  must(await staff.POST('/tickets.php/{id}/attachments', sent), 201);
  const read = must(await staff.GET('/tickets.php/{id}', { params: { path } }), 200).data;
  if (read.status !== 'in_progress') throw new Error('The ticket was not changed');
  must(await staff.DELETE('/tickets.php/{id}', { params: { path } }), 204);
  const gone = await staff.GET('/tickets.php/{id}', { params: { path } });
  if (gone.error?.error !== 'Ticket not found') throw new Error('The error is not described');

  const portal = createClient<HelpdeskPaths>({ baseUrl: url + '/helpdesk/api/v1', headers: { Authorization: 'Bearer ' + token } });
  const own = must(await portal.POST('/tickets', { body: { subject: 'Screen', description: 'Dark' } }), 201);
  const mine = { path: { id: own.ticket_id } };
  must(await portal.GET('/tickets'), 200).tickets.map((row) => row.subject);
  must(await portal.PUT('/tickets/{id}', { params: mine, body: { subject: 'Black screen' } }), 200);
  must(await portal.POST('/tickets/{id}/comments', { params: mine, body: { comment: 'Hello?' } }), 201);
  const attached = { params: mine, body: { file: [] as string[] }, bodySerializer: () => form };
  const { attachments } = must(await portal.POST('/tickets/{id}/attachments', attached), 201);
  const attachment = { path: { ...mine.path, attachment_id: attachments[0]!.attachment_id } };
  must(await portal.DELETE('/tickets/{id}/attachments/{attachment_id}', { params: attachment }), 204);

  const sales = createClient<CrmPaths>({ baseUrl: url + '/admin/api/v1/crm', headers: { 'X-API-Key': crmKey } });
  const lead = must(await sales.POST('/leads', { body: { first_name: 'Ada', email: 'ada@example.com' } }), 201).data;
  const one = { path: { id: lead.lead_id } };
  must(await sales.GET('/leads'), 200).data.map((row) => row.first_name);
  must(await sales.PUT('/leads/{id}', { params: one, body: { status: 'contacted' } }), 200);
  must(await sales.POST('/leads/{id}/activities', { params: one, body: { type: 'call', subject: 'Called' } }), 201);
  must(await sales.DELETE('/leads/{id}', { params: one }), 200);
}

async function heyApi() {
  adminHey.setConfig({ baseUrl: url + '/admin/api/v1', auth: (scheme) => (scheme.scheme === 'bearer' ? key : undefined) });
  const body = { subject: 'Printer', description: 'Smoke', company_number };
  const { ticket_id: id } = must(await admin.createTicket({ body }), 201).data;
  const path = { id };
  must(await admin.listTickets({ query: { status: 'open' } }), 200).data.map((row) => row.subject);
  must(await admin.updateTicket({ path, body: { status: 'in_progress' } }), 200);
  must(await admin.createTicketComment({ path, body: { comment: 'Soon' } }), 201);
  must(await admin.markTicketRead({ path, body: { updated_at: '2026-01-01T00:00:00Z' } }), 200);
  const file = { filename: 'note.txt', content_base64: 'aGVsbG8=' };
  must(await admin.createTicketAttachment({ path, body: file }), 201);
  must(await admin.deleteTicket({ path }), 204);

  helpdeskHey.setConfig({ baseUrl: url + '/helpdesk/api/v1', auth: (scheme) => (scheme.scheme === 'bearer' ? token : undefined) });
  const own = must(await helpdesk.createTicket({ body: { subject: 'Screen', description: 'Dark' } }), 201);
  const mine = { id: own.ticket_id };
  must(await helpdesk.listTickets(), 200).tickets.map((row) => row.subject);
  must(await helpdesk.updateTicket({ path: mine, body: { subject: 'Black screen' } }), 200);
  must(await helpdesk.createTicketComment({ path: mine, body: { comment: 'Hello?' } }), 201);
  const { attachments } = must(await helpdesk.createTicketAttachment({ path: mine, body: file }), 201);
  must(await helpdesk.deleteTicketAttachment({ path: { ...mine, attachment_id: attachments[0]!.attachment_id } }), 204);

  crmHey.setConfig({ baseUrl: url + '/admin/api/v1/crm', auth: (scheme) => (scheme.name === 'X-API-Key' ? crmKey : undefined) });
  const lead = must(await crm.createLead({ body: { first_name: 'Bob', email: 'bob@example.com' } }), 201).data;
  const one = { id: lead.lead_id };
  must(await crm.listLeads(), 200).data.map((row) => row.first_name);
  must(await crm.updateLead({ path: one, body: { status: 'contacted' } }), 200);
  must(await crm.createLeadActivity({ path: one, body: { type: 'call', subject: 'Called' } }), 201);
  must(await crm.deleteLead({ path: one }), 200);
}

await openapiFetch();
await heyApi();
`;

(installed ? test : test.skip)('two generated clients read and write on all three interfaces', async (t) => {
  t.timeout(600_000);
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const { token } = await signIn(app, employee);
  const key = await seedKey(app, 'admin', ['tickets:read', 'tickets:write', 'tickets:delete']);
  const crm = await seedKey(app, 'crm_secret', [
    'leads:read',
    'leads:write',
    'leads:delete',
    'activities:read',
    'activities:write',
  ]);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out);
  const interfaces = [
    ['helpdesk', '/helpdesk/api/v1'],
    ['admin', '/admin/api/v1'],
    ['crm', '/admin/api/v1/crm'],
  ] as const;
  for (const [name, prefix] of interfaces) {
    const { text } = await app.request('GET', `${prefix}/openapi.json`);
    writeFileSync(join(out, `${name}.json`), text);
    await run(t, 'openapi-typescript/bin/cli.js', `out/${name}.json`, '-o', `out/${name}.ts`);
    await run(
      t,
      '@hey-api/openapi-ts/bin/run.js',
      '-i',
      `./out/${name}.json`,
      '-o',
      `out/hey-${name}`,
      '--no-log-file',
    );
  }
  writeFileSync(join(out, 'calls.ts'), calls);
  const options = ['--target', 'es2023', '--module', 'nodenext', '--strict', '--skipLibCheck', '--types', 'node'];
  await run(t, 'typescript/bin/tsc', ...options, '--outDir', 'out/built', 'out/calls.ts');
  const secrets = [key.api_key, token, crm.api_key, String(employee.company_number)];
  await run(t, '../out/built/calls.js', app.url, ...secrets);
});

async function run(t: { pass(): void }, program: string, ...args: string[]) {
  const child = spawn(process.execPath, [join(folder, 'node_modules', program), ...args], { cwd: folder });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => said.push(text.toString()));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ended with ${code}\n${said.join('')}`);
  t.pass();
}
