import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync, mkdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { makeFolder } from '../_folder.ts';
import { freePort } from '../faults/_node.ts';

function run(dataDir: string, port: number, more: NodeJS.ProcessEnv = {}) {
  const { DATABASE_URL: _, ...outer } = process.env;
  const env = { ...outer, DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'warn', PASSWORD_COST: '10', ...more };
  const child = spawn(process.execPath, ['cli.js', 'demo'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (some: Buffer) => (output += some.toString()));
  child.stderr.on('data', (some: Buffer) => (output += some.toString()));
  return { child, ended: once(child, 'close'), output: () => output };
}

async function demo(t: ExecutionContext) {
  const dataDir = makeFolder(t);
  const { child, ended, output } = run(dataDir, await freePort());
  t.teardown(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const path = join(dataDir, 'demo.json');
  while (!output().includes('Ctrl-C') && child.exitCode === null) await wait(100);
  t.true(existsSync(path), output());
  return { file: JSON.parse(readFileSync(path, 'utf8')), path, output: output() };
}

test('the demo accepts the sign-ins in demo.json on every surface', async (t) => {
  const { file, path, output } = await demo(t);
  t.is(statSync(path).mode & 0o777, 0o600);
  const dataDir = dirname(path);
  t.deepEqual(readdirSync(dataDir).toSorted(), ['demo', 'demo.json'], 'files and backups, too, are the demo’s own');
  t.true(readdirSync(join(dataDir, 'demo/files')).length > 0);
  t.deepEqual(Object.keys(file), ['base_url', 'staff', 'admin_key', 'crm', 'companies']);
  t.is(file.companies.length, 2);
  t.is(output.match(/^ {2}curl /gm)?.length, 3);

  const kept = { searches: 0, reports: 0 };
  let projectsSeen = 0;
  let toDecide = 0;
  for (const company of file.companies) {
    const states = new Set<string>();
    for (const [role, { email, password, employee_number }] of Object.entries<any>(company.employees)) {
      const login = await fetch(`${file.base_url}/helpdesk/api/v1/auth/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ username: email, password }),
      });
      t.is(login.status, 200, role);
      const { access_token, user } = (await login.json()) as any;
      t.is(user.employee_number, employee_number);
      const headers = { Authorization: `Bearer ${access_token}` };
      const list = await fetch(`${file.base_url}/helpdesk/api/v1/tickets?limit=100`, { headers });
      const { tickets } = (await list.json()) as any;
      t.true(tickets.length > 0 || role === 'manager', role);
      const get = async (path: string): Promise<any> =>
        (await fetch(`${file.base_url}/helpdesk/api/v1${path}`, { headers })).json();
      kept.searches += (await get('/searches')).searches.length;
      if (role === 'it_admin') kept.reports += (await get('/reports')).reports.length;
      for (const each of tickets) states.add(each.status).add(each.approval_status);
      if (role !== 'manager') continue;
      const count = await fetch(`${file.base_url}/helpdesk/api/v1/tickets/approval-count`, { headers });
      const { pending_count } = (await count.json()) as any;
      t.true(pending_count > 0);
      const projects = await fetch(`${file.base_url}/helpdesk/api/v1/projects`, { headers });
      projectsSeen += ((await projects.json()) as any).projects.length;
      const decide = await fetch(`${file.base_url}/helpdesk/api/v1/milestones/approval-count`, { headers });
      toDecide += ((await decide.json()) as any).pending_count;
    }
    const all = ['open', 'in_progress', 'on_hold', 'closed', 'none', 'pending', 'approved', 'rejected'];
    t.deepEqual([...states].toSorted(), all.toSorted());
  }
  t.deepEqual([projectsSeen, toDecide], [2, 1], 'an office move, and a server migration that waits for a decision');

  t.deepEqual(kept, { searches: 3, reports: 1 });

  const headers = { Authorization: `Bearer ${file.admin_key}` };
  const ask = async (path: string): Promise<any> =>
    (await fetch(`${file.base_url}/admin/api/v1${path}`, { headers })).json();
  const reports = (await ask('/reports.php')).data;
  t.deepEqual(reports.map((each: { schedule: unknown }) => each.schedule !== null).toSorted(), [false, true]);
  const files: string[] = [];
  for (const id of [1, 2, 3]) files.push(...(await ask(`/tickets.php?action=attachments&id=${id}`)).data);
  t.deepEqual(
    files.map((each: any) => each.content_type),
    ['application/pdf', 'image/png', 'text/plain'],
  );
  const admin = await fetch(`${file.base_url}/admin/api/v1/tickets.php`, { headers });
  t.is(admin.status, 200);
  for (const { email, password } of Object.values<any>(file.staff)) {
    const form = new URLSearchParams({ email, password });
    const headers = { Origin: file.base_url };
    const page = await fetch(`${file.base_url}/admin/login`, {
      method: 'POST',
      body: form,
      headers,
      redirect: 'manual',
    });
    t.is(page.headers.get('location'), '/admin');
  }
  t.regex(file.crm.secret_key, /^crm_/);
  const sales = await fetch(`${file.base_url}/admin/api/v1/crm/leads`, {
    headers: { 'X-API-Key': file.crm.secret_key },
  });
  const leads = ((await sales.json()) as any).data.map((each: { status: string }) => each.status);
  t.deepEqual(new Set(leads).size, 5, 'leads in every state');
  t.regex(file.crm.public_live, /^pk_live_/);
  t.regex(file.crm.public_test, /^pk_test_/);
});

test('the demo deletes only folders it created', async (t) => {
  const dataDir = makeFolder(t);
  mkdirSync(join(dataDir, 'demo'));
  writeFileSync(join(dataDir, 'demo', 'keelson.db'), 'precious');
  const { ended, output } = run(dataDir, await freePort());
  t.is((await ended)[0], 1);
  t.regex(output(), /was not created by the demo/);
  t.is(readFileSync(join(dataDir, 'demo', 'keelson.db'), 'utf8'), 'precious');
});

test('a demo whose port is taken reports it immediately, and leaves the running demo alone', async (t) => {
  const dataDir = makeFolder(t);
  mkdirSync(join(dataDir, 'demo'));
  writeFileSync(join(dataDir, 'demo', 'made-by-npm-run-demo'), '');
  writeFileSync(join(dataDir, 'demo', 'keelson.db'), 'of the running demo');
  writeFileSync(join(dataDir, 'demo.json'), '{}');
  const server = createServer().listen(0, '127.0.0.1');
  t.teardown(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { ended, output } = run(dataDir, port, { HOST: '127.0.0.1' });
  t.is((await ended)[0], 1);
  t.regex(output(), new RegExp(`PORT ${port}: the port is already in use`));
  t.is(readFileSync(join(dataDir, 'demo', 'keelson.db'), 'utf8'), 'of the running demo');
  t.true(existsSync(join(dataDir, 'demo.json')));
});

test('the demo uses DATABASE_URL only when told to', async (t) => {
  const url = 'mysql://root@127.0.0.1:1/keelson';
  const { ended, output } = run(makeFolder(t), await freePort(), { DATABASE_URL: url });
  t.is((await ended)[0], 1);
  t.regex(output(), /--fresh/);
});
