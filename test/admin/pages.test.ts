// Each page on its own; sign-in.test.ts covers the flow between them.
import { setUpLink } from '@keelson/modules/accounts';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { rename } from '../../modules/system/branding/branding.ts';
import { cookieOf, password, postForm, seedTechnician, signInOnPage } from '../accounts-seed.ts';

test('Show who is signed in', async (t) => {
  const app = await startApp(t);
  const stranger = await app.request('GET', '/admin/account');
  t.is(stranger.status, 303);
  t.is(stranger.headers.get('location'), '/admin/login');
  const cookie = await signInOnPage(app, await seedTechnician(app));
  const page = await app.request('GET', '/admin/account', { cookie });
  t.is(page.status, 200);
  t.is(page.headers.get('cache-control'), 'no-store');
  t.regex(page.text, /Terry Technician/);
});

test('Show the sign-in form', async (t) => {
  const app = await startApp(t);
  const page = await app.request('GET', '/admin/login');
  t.is(page.status, 200);
  t.regex(page.text, /<form method="post" action="\/admin\/login">/);
  const cookie = await signInOnPage(app, await seedTechnician(app));
  t.is((await app.request('GET', '/admin/login', { cookie })).headers.get('location'), '/admin');
});

test('server-rendered pages name the provider as it is set in Settings', async (t) => {
  const app = await startApp(t);
  await app.run((ctx) => rename(ctx, { company_name: 'Harbour IT' }));
  const cookie = await signInOnPage(app, await seedTechnician(app));
  const open = ['/admin/login', '/admin/forgotten', '/admin/invitation?token=x', '/helpdesk/forgotten'];
  const links = ['/escalation?token=x', '/appointment?token=x', '/approval?token=x', '/rate?token=x'];
  for (const path of [...open, ...links]) {
    const { text } = await app.request('GET', path);
    t.regex(text, /<title>[^<]*Harbour IT<\/title>/, path);
  }
  for (const path of ['/admin/account', '/admin/second-factor'])
    t.regex((await app.request('GET', path, { cookie })).text, /<title>[^<]*Harbour IT<\/title>/, path);
  const key = await postForm(app, '/admin/second-factor/begin', { password }, { Cookie: cookie });
  t.regex(key.text, /<title>[^<]*Harbour IT<\/title>/);
});

test('Show the entrances for customers and staff', async (t) => {
  const app = await startApp(t);
  const empty = await app.request('GET', '/');
  t.is((await fetch(`${app.url}//`)).status, 404, 'a path of another host');
  t.is(empty.status, 200);
  t.regex(empty.text, /There is no administrator yet\. Keelson prints a set-up link/);
  t.regex((await app.request('GET', '/admin/login')).text, /There is no administrator yet/);
  await seedTechnician(app);
  await app.run((ctx) => rename(ctx, { company_name: 'Harbour <IT>' }));
  const page = await app.request('GET', '/');
  t.regex(page.text, /<h1>Harbour &lt;IT&gt;<\/h1>/);
  t.regex(page.text, /<a href="\/helpdesk">Customers<\/a>/);
  t.regex(page.text, /<a href="\/admin">Staff<\/a>/);
  t.notRegex(page.text + (await app.request('GET', '/admin/login')).text, /no administrator/);
  t.is((await app.request('HEAD', '/')).status, 200);
  t.is((await app.request('POST', '/', { headers: { 'Sec-Fetch-Site': 'same-origin' } })).status, 405);
});

test('Read the favicon', async (t) => {
  const app = await startApp(t);
  await app.run((ctx) => rename(ctx, { company_name: 'harbour & co' }));
  const icon = await app.request('GET', '/favicon.ico');
  t.is(icon.status, 200);
  t.is(icon.headers.get('content-type'), 'image/svg+xml');
  t.regex(icon.text, /<svg[^]*>\s*H\s*<\/text>/);
});

test('Sign a technician out', async (t) => {
  const app = await startApp(t);
  const cookie = await signInOnPage(app, await seedTechnician(app));
  const foreign = await postForm(app, '/admin/logout', {}, { Cookie: cookie, 'Sec-Fetch-Site': 'cross-site' });
  t.is(foreign.status, 403);
  t.is((await app.request('GET', '/admin/account', { cookie })).status, 200, 'still signed in');
  const own = await postForm(app, '/admin/logout', {}, { Cookie: cookie });
  t.is(own.status, 303);
  t.is((await app.request('GET', '/admin/account', { cookie })).status, 303);
});

test('Show the form for the first administrator', async (t) => {
  const app = await startApp(t);
  const link = new URL((await setUpLink(app.app)) ?? '');
  const page = await app.request('GET', link.pathname + link.search);
  t.is(page.status, 200);
  t.regex(page.text, /<form method="post" action="\/admin\/setup">/);
  for (const path of ['/admin/setup', '/admin/setup?token=guessed']) {
    t.is((await app.request('GET', path)).status, 404, path);
  }
});

test('Create the first administrator', async (t) => {
  const app = await startApp(t);
  const token = new URL((await setUpLink(app.app)) ?? '').searchParams.get('token') ?? '';
  const fields = { token, name: 'Ada', email: 'ada@example.com', password };
  const made = await postForm(app, '/admin/setup', fields);
  t.is(made.status, 303);
  t.is(made.headers.get('location'), '/admin');
  t.is((await app.request('GET', '/admin/account', { cookie: cookieOf(made.headers) })).status, 200);
  t.is((await postForm(app, '/admin/setup', fields)).status, 404, 'once');
});

test('Show the sign-in form: every step keeps a return address, which must be one of our pages', async (t) => {
  const app = await startApp(t);
  const technician = await seedTechnician(app);
  const to = async (next: string) => {
    const path = `/admin/login?next=${encodeURIComponent(next)}`;
    const form = (await app.request('GET', path)).text;
    const action = /action="([^"]+)"/.exec(form)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const wrong = await postForm(app, action, { email: technician.email, password: 'not my password' });
    t.is(/action="([^"]+)"/.exec(wrong.text)?.[1]?.replaceAll('&amp;', '&'), action);
    return (await postForm(app, action, { email: technician.email, password })).headers.get('location');
  };
  t.is(await to('/admin/tickets/7?view=mine&search=a%20b'), '/admin/tickets/7?view=mine&search=a%20b');
  for (const foreign of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/helpdesk',
    '/administrator',
    'x',
  ])
    t.is(await to(foreign), '/admin', foreign);
  const cookie = await signInOnPage(app, technician);
  const again = await app.request('GET', '/admin/login?next=/admin/tickets', { cookie });
  t.is(again.headers.get('location'), '/admin/tickets');
});
