import { startApp } from '@keelson/testing';
import test from 'ava';
import { seedEmployee, signIn } from '../accounts-seed.ts';

const root = '/helpdesk/api/v1';

test('Read the client configuration: defaults without a session', async (t) => {
  const { request } = await startApp(t);
  const answer = await request('GET', `${root}/bootstrap`);
  t.is(answer.status, 200);
  t.deepEqual(answer.body, {
    tenant: { slug: 'default', name: 'Keelson' },
    branding: {
      company_name: 'Keelson',
      logo_url: '',
      favicon_url: '',
      colors: {
        primary_color: '#1e3a5f',
        secondary_color: '#475569',
        accent_color: '#2563eb',
        background_color: '#ffffff',
        text_color: '#0f172a',
        link_color: '#1d4ed8',
      },
    },
    user: null,
    features: answer.body.features,
    oauth_providers: [],
    api_version: 'v1',
  });
});

test('Read the tenant’s colours as a stylesheet', async (t) => {
  const { request } = await startApp(t);
  const answer = await request('GET', `${root}/branding.css`);
  t.is(answer.status, 200);
  t.is(answer.headers.get('content-type'), 'text/css; charset=utf-8');
  t.is(answer.headers.get('cache-control'), 'public, max-age=300');
  t.regex(answer.text, /^:root \{\n {2}--primary-color: #1e3a5f;\n/);
  const again = await request('GET', `${root}/branding.css`, {
    headers: { 'If-None-Match': answer.headers.get('etag') ?? '', 'Cache-Control': 'max-age=0' },
  });
  t.is(again.status, 304);
});

test('unknown paths, wrong methods and missing credentials return the surface’s format', async (t) => {
  const { request } = await startApp(t);
  const unknown = await request('GET', `${root}/nothing-here`);
  t.is(unknown.status, 404);
  t.deepEqual(unknown.body, { error: 'Resource not found' });
  const method = await request('DELETE', `${root}/modules`);
  t.is(method.status, 405);
  t.is(method.headers.get('allow'), 'GET, HEAD, OPTIONS');
  t.deepEqual(method.body, { error: 'Method not allowed' });
  const stranger = await request('GET', `${root}/modules`);
  t.is(stranger.status, 401);
  t.is(stranger.headers.get('www-authenticate'), 'Bearer');
  t.deepEqual(stranger.body, { error: 'Authentication required' });
  t.is(stranger.headers.get('x-ratelimit-limit'), '60');
  const version = await request('GET', '/helpdesk/api/v2/modules');
  t.is(version.status, 404);
  t.deepEqual(version.body, { error: 'Resource not found' });
  const root404 = await request('GET', '/admin/api/v2/tickets.php');
  t.deepEqual(root404.body, { success: false, error: 'Resource not found' });
  const crm = await request('GET', '/admin/api/v1/crm/nothing-here');
  t.deepEqual(crm.body, { success: false, error: 'Resource not found', code: 'NOT_FOUND' });
});

test('List enabled modules', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const { token } = await signIn(app, employee);
  const list = () => app.request('GET', `${root}/modules`, { token });
  const answer = await list();
  t.is(answer.status, 200);
  t.deepEqual(answer.body, {
    modules: answer.body.modules.map(({ key, name }: { key: string; name: string }) => ({ key, name, enabled: true })),
  });
  const warranty = { key: 'warranty', name: 'Warranty claims', enabled: true };
  t.deepEqual(
    answer.body.modules.find((each: { key: string }) => each.key === 'warranty'),
    warranty,
  );
  await app.run(async (ctx) => {
    if (ctx.tx) await app.app.switches.set(ctx.tx, employee.company_number, { warranty: false }, ctx.now);
  });
  t.false(
    (await list()).body.modules.some((each: { key: string }) => each.key === 'warranty'),
    'off is not listed',
  );
});
