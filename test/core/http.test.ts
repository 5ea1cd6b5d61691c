// The request pipeline seen from outside: order of checks, methods, paths and parameters.
import { startApp } from '@keelson/testing';
import test from 'ava';
import { memoryLimiter } from '../../packages/security/limit.ts';
import { seedEmployee, signIn } from '../accounts-seed.ts';
import { admins, crmRoot, portal, probe, probeKey, raw } from './_probe.ts';

const notes = `${admins}/probe/notes.php`;

test('of several errors the first in the order of checks is reported', async (t) => {
  const clock = { monotonic: () => 0, unix: () => 0 };
  const app = await startApp(t, { plugins: [probe()], limiter: memoryLimiter({ clock }) });
  const [spent, weak, good] = [
    await probeKey(app, { perMinute: 1, permissions: [] }),
    await probeKey(app, { permissions: [] }),
    await probeKey(app),
  ];
  await app.request('GET', notes, { token: spent });
  const { body: note } = await app.request('POST', notes, { token: good, body: { body: 'first' } });
  const known = `?id=${note.data.note_id}`;
  const bad = '{"body":';
  // Each request also contains the errors of the steps below it.
  const steps: [string, string, string, string | undefined, string, number, RegExp][] = [
    ['path', 'PATCH', `${admins}/probe/nothing.php?action=x&id=0&n=99`, undefined, bad, 404, /Resource not found/],
    ['method', 'PATCH', `${notes}?id=0&n=99`, undefined, bad, 405, /Method not allowed/],
    ['credentials', 'PUT', `${notes}?action=x&n=99`, undefined, bad, 401, /Authentication required/],
    ['rate', 'PUT', `${notes}?action=x&n=99`, spent, bad, 429, /Rate limit exceeded/],
    ['permission, action', 'PUT', `${notes}?action=x&n=99`, weak, bad, 403, /Insufficient permissions/],
    ['permission, no id', 'PUT', `${notes}?n=99`, weak, bad, 403, /Insufficient permissions/],
    ['permission, item', 'PUT', `${notes}?id=999&n=99`, weak, bad, 403, /Insufficient permissions/],
    ['action', 'PUT', `${notes}?action=x&n=99`, good, bad, 400, /Unknown action/],
    ['no id', 'PUT', `${notes}?n=99`, good, bad, 400, /id is required/],
    ['bad id', 'PUT', `${notes}?id=zero&n=99`, good, bad, 400, /id must be a positive integer/],
    ['item', 'PUT', `${notes}?id=999&n=99`, good, bad, 404, /Note not found/],
    ['query', 'PUT', `${notes}${known}&n=99`, good, bad, 400, /n must be between 1 and 10/],
    ['body', 'PUT', `${notes}${known}`, good, bad, 400, /Request body must be a JSON object/],
    ['field', 'PUT', `${notes}${known}`, good, '{"body":7}', 400, /body must be text/],
    ['state', 'PUT', `${notes}${known}`, good, '{"body":"never"}', 400, /A note may not become this/],
  ];
  for (const [name, method, path, token, body, status, message] of steps) {
    const answer = await app.request(method, path, { body, ...(token ? { token } : {}) });
    t.is(answer.status, status, name);
    t.regex(answer.body.error, message, name);
    t.deepEqual(Object.keys(answer.body), ['success', 'error'], name);
  }
});

test('a disabled module is reported before the role, the role before the record, the record before the body', async (t) => {
  const app = await startApp(t, { plugins: [probe()] });
  const employee = await seedEmployee(app);
  const { token } = await signIn(app, employee);
  const change = (enabled: boolean) =>
    app.run(async (ctx) => {
      if (ctx.tx) await app.app.switches.set(ctx.tx, employee.company_number, { probe: enabled }, ctx.now);
    });
  const put = () => app.request('PUT', `${portal}/probe/notes/999`, { token, body: '[' });
  await change(false);
  t.deepEqual((await put()).body, { error: 'Probe module is disabled' });
  await change(true);
  const refused = await put();
  t.is(refused.status, 403);
  t.deepEqual(refused.body, { error: 'Manager role required' });
  const boss = await signIn(app, await seedEmployee(app, { ismgr: true }));
  t.is((await app.request('PUT', `${portal}/probe/notes/999`, { token: boss.token, body: '[' })).status, 404);
});

test('HEAD responds like GET without a body, OPTIONS lists the methods to anyone', async (t) => {
  const app = await startApp(t, { plugins: [probe()] });
  const token = await probeKey(app);
  for (const path of [`${notes}?search=a`, `${admins}/probe/export.php`]) {
    const [get, head] = [await app.request('GET', path, { token }), await app.request('HEAD', path, { token })];
    t.is(head.status, 200);
    t.is(head.text, '');
    for (const name of ['content-type', 'content-length', 'cache-control', 'content-disposition']) {
      t.is(head.headers.get(name), get.headers.get(name), name);
    }
  }
  t.is((await app.request('HEAD', notes)).status, 401);
  const options = await app.request('OPTIONS', notes);
  t.is(options.status, 204);
  t.is(options.headers.get('allow'), 'DELETE, GET, HEAD, OPTIONS, POST, PUT');
  const action = await app.request('OPTIONS', `${notes}?action=copy&id=1`);
  t.is(action.headers.get('allow'), 'OPTIONS, POST', 'of that action (R-10)');
  t.is((await app.request('GET', `${notes}?action=copy&id=1`, { token })).headers.get('allow'), 'OPTIONS, POST');
  t.is((await app.request('OPTIONS', `${admins}/probe/nothing.php`)).status, 404);
});

test('a wrong method returns the allowed ones in the surface’s format', async (t) => {
  const app = await startApp(t, { plugins: [probe()] });
  const answers = [
    [await app.request('PATCH', notes), { success: false, error: 'Method not allowed' }],
    [await app.request('PUT', `${portal}/probe/notes`), { error: 'Method not allowed' }],
    [
      await app.request('PUT', `${crmRoot}/probe/notes`),
      { success: false, error: 'Method not allowed', code: 'VALIDATION_ERROR' },
    ],
  ] as const;
  for (const [answer, body] of answers) {
    t.is(answer.status, 405);
    t.true((answer.headers.get('allow') ?? '').includes('OPTIONS'));
    t.deepEqual(answer.body, body);
  }
  t.is((await raw(app, 'TRACE', notes)).status, 405);
  t.is((await raw(app, 'PROPFIND', notes)).status, 405);
});

test('the last of a repeated parameter wins, an empty one counts as absent', async (t) => {
  const app = await startApp(t, { plugins: [probe()] });
  const token = await probeKey(app);
  const get = async (query: string) => (await app.request('GET', `${notes}?${query}`, { token })).body;
  t.deepEqual(await get('n=3&n=4&search=a&search=b'), { given: { n: 4, search: 'b' } });
  t.deepEqual(await get('n=99&n=4'), { given: { n: 4 } });
  t.deepEqual(await get('n=&search=&action=&id='), { given: {} });
  t.deepEqual(await get('search=a&search='), { given: {} }, 'the last one is empty, so it is absent');
  t.deepEqual(await get('search=%C3%A4+b&unknown=1&__proto__=x&constructor=y'), { given: { search: 'ä b' } });
  t.deepEqual(await get('search=%00'), {
    success: false,
    error: 'search must not contain NUL or unpaired surrogates',
  });
});

test('paths: one trailing slash, case-sensitive, percent-encoding, and literals before parameters', async (t) => {
  const app = await startApp(t, { plugins: [probe()] });
  const { token } = await signIn(app, await seedEmployee(app));
  const echo = (rest: string) => raw(app, 'GET', `${portal}/probe/echo/${rest}`, { Authorization: `Bearer ${token}` });
  const given = async (rest: string) => JSON.parse((await echo(rest)).text).given as string;
  t.is(await given('latest'), 'the literal');
  t.is(await given('l%61test'), 'the literal', 'an encoded letter is that letter');
  t.is(await given('latest/'), 'the literal');
  t.is(await given('Latest'), 'Latest');
  t.is(await given('a%2Fb'), 'a/b', 'an encoded slash is no separator');
  t.is(await given('..'), '..', 'paths are not resolved');
  t.is(await given('%2e%2e'), '..');
  t.is(await given('%C3%A4+b'), 'ä+b', 'a plus is a plus');
  t.is(await given('x%00'), 'x\u0000');
  for (const rest of ['latest//', '', '/latest', '%', '%zz', '%ff', '%c0%af', 'a/b']) {
    const { status, text } = await echo(rest);
    t.is(status, 404, rest);
    t.deepEqual(JSON.parse(text), { error: 'Resource not found' }, rest);
  }
  for (const path of ['/HELPDESK/api/v1/modules', '/helpdesk/api/v1/Modules', '/helpdesk/api/v2/modules']) {
    t.is((await raw(app, 'GET', path, { Authorization: `Bearer ${token}` })).status, 404, path);
  }
  t.is((await raw(app, 'OPTIONS', '*')).status, 404);
});

test('an invalid path id returns 404', async (t) => {
  const app = await startApp(t, { plugins: [probe()] });
  const { token } = await signIn(app, await seedEmployee(app, { ismgr: true }));
  for (const id of ['0', '-1', '1.0', '01', '1e3', 'x', '99999999999999999999', '%31%20', '9007199254740993']) {
    const answer = await app.request('PUT', `${portal}/probe/notes/${id}`, { token, body: { body: 'x' } });
    t.is(answer.status, 404, id);
  }
});

test('Unexpected id: a POST possibly meant as PUT creates nothing', async (t) => {
  const app = await startApp(t, { plugins: [probe()] });
  const token = await probeKey(app);
  const answer = await app.request('POST', `${notes}?id=1`, { token, body: { body: 'x' } });
  t.is(answer.status, 400);
  t.deepEqual(answer.body, { success: false, error: 'Unexpected id' });
  t.deepEqual((await app.request('GET', `${admins}/probe/count.php`)).body, { given: 0 });
});

test('a query that is not UTF-8 is rejected', async (t) => {
  const { request } = await startApp(t);
  const answer = await request('GET', '/helpdesk/api/v1/bootstrap?x=%ff');
  t.is(answer.status, 400);
  t.deepEqual(answer.body, { error: 'The query must be UTF-8' });
  t.is((await request('GET', '/helpdesk/api/v1/bootstrap?x=100%&y=%C3%A9')).status, 200);
});
