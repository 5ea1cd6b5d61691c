// A session full of secrets leaves none of them in the log (SEC-36).
import { setUpLink } from '@keelson/modules/accounts';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { createLogger } from '../../packages/log/log.ts';
import { password, postForm, seedEmployee, seedTechnician, signIn, signInOnPage } from '../accounts-seed.ts';
import { admins, crmRoot, portal, probe, probeKey } from './_probe.ts';

const canary = 'cAnArY-7h4t-n0b0dy-may-r34d';

test('no password, token, key, cookie or query value reaches the log', async (t) => {
  const lines: string[] = [];
  const log = createLogger({ level: 'trace', destination: { write: (line) => void lines.push(line) } });
  const app = await startApp(t, { plugins: [probe()], log });
  const link = new URL((await setUpLink(app.app)) ?? '');
  const employee = await seedEmployee(app, { email: 'canary.person@example.com' });
  const technician = await seedTechnician(app);
  const key = await probeKey(app);
  const crmKey = await probeKey(app, { type: 'crm_secret' });
  const signedIn = await signIn(app, employee);
  const cookie = await signInOnPage(app, technician);
  const secrets = [
    canary,
    encodeURIComponent(canary),
    Buffer.from(canary).toString('base64'),
    password,
    encodeURIComponent(password),
    employee.email,
    technician.email,
    employee.password_hash ?? '',
    key,
    crmKey,
    signedIn.token,
    signedIn.refresh_token,
    signedIn.cookie.split('=')[1] ?? '',
    cookie.split('=')[1] ?? '',
    link.searchParams.get('token') ?? '',
  ];
  const login = (body: unknown) => app.request('POST', `${portal}/auth/login`, { body });
  await login({ username: employee.email, password: canary });
  await login({ username: canary, password: canary });
  await login(`{"username":"${canary}","password":"${canary}`);
  await postForm(app, '/admin/login', { email: technician.email, password: canary });
  await app.request('POST', `${portal}/auth/refresh`, { body: { refresh_token: signedIn.refresh_token } });
  await app.request('POST', `${portal}/auth/refresh`, { body: { refresh_token: canary } });
  await app.request('POST', `${portal}/auth/change-password`, {
    token: signedIn.token,
    body: { current_password: password, new_password: canary },
  });
  for (const path of [
    `${admins}/probe/notes.php`,
    `${portal}/modules`,
    `${crmRoot}/probe/notes`,
    '/admin/account',
    '/nothing',
  ]) {
    await app.request('GET', `${path}?api_key=${key}&token=${canary}&q=${canary}`);
    await app.request('GET', path, { token: key, key: crmKey, cookie: `x=${canary}` });
    await app.request('GET', path, { token: canary, key: canary, cookie, headers: { 'X-Canary': canary } });
    await app.request('GET', path, { headers: { Authorization: `Basic ${Buffer.from(canary).toString('base64')}` } });
    await app.request('GET', `${path}/${canary}`);
  }
  await app.request('GET', `${admins}/probe/crash.php?secret=${canary}`, { token: key });
  await app.request('GET', `${admins}/probe/sql.php?secret=${canary}`, { token: key });
  const injected = `x\r\n{"level":"fatal","msg":"forged"}`;
  await app.request('POST', `${admins}/probe/notes.php`, { token: key, body: { body: injected } });
  await app.request('GET', link.pathname + link.search);
  await app.app.errorLog.flush();
  const written = lines.join('');
  t.true(secrets.every((each) => each.length > 10));
  t.true(lines.length > 40, 'there is a log');
  t.true(written.includes('request failed'), 'with errors in it');
  for (const [at, secret] of secrets.entries()) t.false(written.includes(secret), `secret ${at}`);
  t.false(written.includes('forged'));
  for (const line of lines) t.notThrows(() => JSON.parse(line), 'one JSON object per line');
});
