// Requests that other websites can make a browser send (R-26, SEC-14), and responses they may read.
import { startApp } from '@keelson/testing';
import test from 'ava';
import { password, seedEmployee, seedTechnician, signIn, signInOnPage } from '../accounts-seed.ts';
import { admins, crmRoot, portal, probe, probeKey } from './_probe.ts';

const own = 'http://127.0.0.1:3000';
const foreign = 'https://evil.example.com';

interface Case {
  readonly site?: string;
  readonly origin?: string;
  readonly passes: boolean;
}

const cases: readonly Case[] = [
  { passes: true },
  { site: 'same-origin', passes: true },
  { site: 'none', passes: true },
  { site: 'same-site', passes: false },
  { site: 'cross-site', passes: false },
  { site: 'SAME-ORIGIN ', passes: false },
  { site: 'same-origin', origin: own, passes: true },
  { site: 'cross-site', origin: own, passes: false },
  { origin: own, passes: true },
  { origin: foreign, passes: false },
  { origin: 'null', passes: false },
  { origin: `${own}.evil.example.com`, passes: false },
  { origin: 'http://127.0.0.1:3001', passes: false },
  { origin: 'https://127.0.0.1:3000', passes: false },
];

const types: readonly (readonly [string, boolean])[] = [
  ['application/json', true],
  ['application/json; charset=utf-8', true],
  ['', true],
  ['text/plain', false],
  ['application/x-www-form-urlencoded', false],
  ['multipart/form-data; boundary=x', false],
  ['text/csv', false],
  ['application/json+x', false],
];

function headersOf({ site, origin }: Case): Record<string, string> {
  return { ...(site ? { 'Sec-Fetch-Site': site } : {}), ...(origin ? { Origin: origin } : {}) };
}

test('an unsafe request with a cookie must come from our pages, with a content type forms cannot send', async (t) => {
  const app = await startApp(t, { plugins: [probe()] });
  const cookie = await signInOnPage(app, await seedTechnician(app));
  const employee = await signIn(app, await seedEmployee(app));
  const senders = [
    { name: 'technician', path: `${admins}/probe/notes.php`, cookie },
    { name: 'employee', path: `${portal}/probe/notes`, cookie: employee.cookie },
    { name: 'technician on the CRM', path: `${crmRoot}/probe/notes`, cookie, own: { 'X-Console': '1' } },
  ];
  let expected = 0;
  for (const sender of senders) {
    for (const each of cases) {
      for (const [type, allowed] of types) {
        const headers = { ...headersOf(each), ...sender.own, ...(type ? { 'Content-Type': type } : {}) };
        const body = Buffer.from('{"body":"x"}');
        const answer = await app.request('POST', sender.path, { cookie: sender.cookie, headers, body });
        const passes = each.passes && allowed;
        t.is(answer.status, passes ? 201 : 403, `${sender.name} ${JSON.stringify(each)} ${type}`);
        if (passes) expected++;
      }
    }
  }
  t.deepEqual((await app.request('GET', `${admins}/probe/count.php`)).body, { given: expected }, 'refused: no row');
});

test('bearer and key requests are exempt, and so are reads', async (t) => {
  const app = await startApp(t, { plugins: [probe()] });
  const token = await probeKey(app);
  const cookie = await signInOnPage(app, await seedTechnician(app));
  const headers = { 'Sec-Fetch-Site': 'cross-site', Origin: foreign, 'Content-Type': 'text/plain' };
  const body = '{"body":"x"}';
  t.is((await app.request('POST', `${admins}/probe/notes.php`, { token, headers, body })).status, 201);
  const both = await app.request('POST', `${admins}/probe/notes.php`, { token, cookie, headers, body });
  t.is(both.status, 201, 'the explicit credential decides');
  t.is((await app.request('GET', `${admins}/probe/notes.php`, { cookie, headers })).status, 200);
  t.is((await app.request('DELETE', `${admins}/probe/notes.php?id=1`, { cookie, headers })).status, 403);
});

test('sign-in and sign-out are checked without a cookie too', async (t) => {
  const app = await startApp(t);
  const { email } = await seedEmployee(app);
  const login = (headers: Record<string, string>) =>
    app.request('POST', `${portal}/auth/login`, {
      headers,
      body: Buffer.from(JSON.stringify({ username: email, password })),
    });
  for (const each of cases) {
    const answer = await login(headersOf(each));
    t.is(answer.status, each.passes ? 200 : 403, JSON.stringify(each));
    const cookies = answer.headers.getSetCookie().map((set) => set.split('=')[0]);
    t.deepEqual(cookies, each.passes ? ['HELPDESK_default', 'DEVICE_default'] : []);
  }
  t.is((await login({ 'Content-Type': 'text/plain' })).status, 403);
  const { cookie } = await signIn(app, { email });
  const out = (headers: Record<string, string>) => app.request('POST', `${portal}/auth/logout`, { cookie, headers });
  t.is((await out({ 'Sec-Fetch-Site': 'cross-site' })).status, 403);
  t.is((await app.request('GET', `${portal}/auth/session`, { cookie })).status, 200);
  t.is((await out({ 'Sec-Fetch-Site': 'same-origin' })).status, 200);
});

test('other origins may read what the operator allows, on two surfaces; never the CRM', async (t) => {
  const listed = 'https://app.example.com';
  const app = await startApp(t, { plugins: [probe()], config: { corsOrigins: [listed] } });
  const headers = { Origin: listed };
  for (const path of [`${portal}/modules`, `${admins}/probe/notes.php`, `${portal}/nothing`]) {
    const answer = await app.request('GET', path, { headers });
    t.is(answer.headers.get('access-control-allow-origin'), listed, path);
    t.regex(answer.headers.get('access-control-expose-headers') ?? '', /X-RateLimit-Limit.*Retry-After/);
    t.is(answer.headers.get('access-control-allow-credentials'), null, 'cookies stay at home');
    t.regex(answer.headers.get('vary') ?? '', /Origin/);
    const other = await app.request('GET', path, { headers: { Origin: foreign } });
    t.is(other.headers.get('access-control-allow-origin'), null);
    t.regex(other.headers.get('vary') ?? '', /Origin/);
  }
  const preflight = { ...headers, 'Access-Control-Request-Method': 'PUT' };
  const options = await app.request('OPTIONS', `${admins}/probe/notes.php`, { headers: preflight });
  t.is(options.status, 204);
  t.is(options.headers.get('access-control-allow-methods'), 'GET, POST, PUT, DELETE');
  t.regex(options.headers.get('access-control-allow-headers') ?? '', /Authorization/);
  const crm = await app.request('GET', `${crmRoot}/probe/notes`, { headers });
  t.is(crm.headers.get('access-control-allow-origin'), null);
  const closed = await startApp(t, { plugins: [probe()] });
  t.is(
    (await closed.request('GET', `${portal}/modules`, { headers })).headers.get('access-control-allow-origin'),
    null,
  );
});
