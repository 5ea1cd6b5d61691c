// Technicians sign in with the provider's own identity provider.
import { readMails, startApp, type TestAnswer, type TestApp, type TestOptions } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { generateSync } from 'otplib';
import { TechnicianIdentity } from '../../modules/accounts/entities.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { boundless } from '../_boundless.ts';
import { client, startForger, startIssuer } from '../_issuer.ts';
import { cookieOf, postForm, seedEmployee, seedTechnician, signInOnPage } from '../accounts-seed.ts';

const headers = { 'Sec-Fetch-Site': 'same-origin' };
const terry = { sub: 'terry-1', email: 'terry@example.com', email_verified: true };
const ofOkta = (oauthOktaIssuer: string, more: TestOptions['config'] = {}) => ({
  oauthOktaIssuer,
  oauthOktaClientId: client.id,
  oauthOktaClientSecret: client.secret,
  oauthOktaAudience: 'staff' as const,
  ...more,
});

async function start(t: ExecutionContext, more: TestOptions['config'] = {}) {
  const issuer = await startIssuer(t, terry);
  const app = await startApp(t, { limiter: boundless, config: ofOkta(issuer.url, more) });
  /** Signs in as a browser does: from the sign-in page over the provider back to the product. */
  const signIn = async (query = '') => {
    const { url, cookie } = await beginStaff(app, query);
    return app.request('GET', await issuer.visit(url), { cookie });
  };
  return { app, issuer, signIn };
}

async function beginStaff(app: TestApp, query = '') {
  const answer = await app.request('GET', `/admin/login/provider?provider=okta${query}`);
  if (answer.status !== 303) throw new Error(`The sign-in page answered ${answer.status}: ${answer.text}`);
  const url = answer.headers.get('location') ?? '';
  return { url, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
}

const codeFor = (app: TestApp, secret: string) =>
  generateSync({ secret, epoch: Date.parse(app.app.clock.now()) / 1000 });

const whereTo = (answer: TestAnswer) => answer.headers.get('location');
const who = async (app: TestApp, answer: TestAnswer) => {
  const cookie =
    answer.headers
      .getSetCookie()
      .find((each) => each.startsWith('SERVICE_'))
      ?.split(';')[0] ?? '';
  return (await app.request('GET', '/admin/account', { cookie })).text;
};

test('a technician signs in with the identity provider of staff, and returns to the page they wanted', async (t) => {
  const { app, signIn } = await start(t);
  const technician = await seedTechnician(app, 'technician', terry.email);
  const page = await app.request('GET', '/admin/login?next=%2Fadmin%2Ftickets%2F7');
  t.regex(
    page.text,
    /<a class="button" href="\/admin\/login\/provider\?provider=okta&amp;next=%2Fadmin%2Ftickets%2F7"/,
  );
  t.regex(page.text, /Sign in with Okta/);
  const answer = await signIn('&next=%2Fadmin%2Ftickets%2F7');
  t.is(answer.status, 303, answer.text);
  t.is(whereTo(answer), '/admin/tickets/7');
  t.regex(await who(app, answer), /terry@example\.com/);
  const { issuer: _, ...link } = (await app.app.database.findOneBy(TechnicianIdentity, {})) ?? { issuer: '' };
  t.like(link, { user_id: technician.user_id, subject: 'terry-1' });
  const told = await readMails(app);
  t.true(told.some(({ text }) => text.includes('Your account was linked to okta.')));

  // The provider's identifier decides from now on, whatever address it asserts.
  const again = await signIn();
  t.is(whereTo(again), '/admin');
  t.is(await app.app.database.count(TechnicianIdentity), 1);
});

test('the provider’s identifier for the person decides, not the address', async (t) => {
  const { app, issuer, signIn } = await start(t);
  await seedTechnician(app, 'technician', terry.email);
  await signIn();
  issuer.person = { ...terry, email: 'someone.else@example.com' };
  t.regex(await who(app, await signIn()), /terry@example\.com/);
  // Another account with the same address is another person.
  issuer.person = { ...terry, sub: 'terry-2' };
  t.is(whereTo(await signIn()), '/admin/login?error=access_denied');
});

test('a person who is no technician is told so', async (t) => {
  const { app, signIn } = await start(t);
  await seedEmployee(app, { email: terry.email });
  const to = whereTo(await signIn('&next=%2Fadmin%2Fassets')) ?? '';
  t.is(to, '/admin/login?error=access_denied&next=%2Fadmin%2Fassets');
  const page = await app.request('GET', to);
  t.regex(page.text, /role="alert">No technician can sign in with this account\. Ask an administrator/);
  t.regex(page.text, /action="\/admin\/login\?next=%2Fadmin%2Fassets"/);
});

test('only active technicians with a verified address sign in', async (t) => {
  const { app, issuer, signIn } = await start(t);
  const boss = await signInOnPage(app, await seedTechnician(app, 'administrator'));
  const technician = await seedTechnician(app, 'technician', terry.email);
  issuer.person = { ...terry, email_verified: false };
  t.is(whereTo(await signIn()), '/admin/login?error=access_denied');
  issuer.person = terry;
  t.is(whereTo(await signIn()), '/admin');
  const to = `/admin/api/v1/technicians.php?id=${technician.user_id}`;
  t.is((await app.request('PUT', to, { cookie: boss, headers, body: { active: false } })).status, 200);
  t.is(whereTo(await signIn()), '/admin/login?error=access_denied');
});

test('a provider for customers signs in no technician, one for staff no customer', async (t) => {
  const issuer = await startIssuer(t, terry);
  const customers = await startApp(t, {
    config: ofOkta(issuer.url, { oauthOktaAudience: 'customers', oauthOktaDomains: ['*'] }),
  });
  await seedTechnician(customers, 'technician', terry.email);
  const refused = await customers.request('GET', '/admin/login/provider?provider=okta');
  t.is(refused.status, 400);
  t.regex(refused.text, /provider okta is not configured for staff/);
  t.notRegex((await customers.request('GET', '/admin/login')).text, /Okta/);
  // An attempt that began in the portal signs in no technician.
  const begun = await customers.request('GET', '/helpdesk/api/v1/auth/oauth/authorize?provider=okta');
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const back = await customers.request('GET', await issuer.visit(begun.body.authorization_url), { cookie });
  t.regex(whereTo(back) ?? '', /\/helpdesk\?error=access_denied$/);

  const staff = await startApp(t, { config: ofOkta(issuer.url, { oauthOktaDomains: ['*'] }) });
  await seedEmployee(staff, { email: terry.email });
  t.deepEqual((await staff.request('GET', '/helpdesk/api/v1/auth/oauth/providers')).body.providers, []);
  const answer = await staff.request('GET', '/helpdesk/api/v1/auth/oauth/authorize?provider=okta');
  t.is(answer.status, 400);
  t.regex(answer.text, /not configured for customers/);
});

test('technicians of other mail domains are not signed in', async (t) => {
  const { app, signIn } = await start(t, { oauthOktaDomains: ['msp.example'] });
  await seedTechnician(app, 'technician', terry.email);
  t.is(whereTo(await signIn()), '/admin/login?error=access_denied');
});

test('a second factor is asked for unless the provider asked for one', async (t) => {
  const forger = await startForger(t);
  const app = await startApp(t, {
    limiter: boundless,
    config: ofOkta(forger.url, { technicianSecondFactor: 'required' }),
  });
  await seedTechnician(app, 'technician', terry.email);
  const { sub, ...claims } = terry;
  const comeBack = async (amr: readonly string[]) => {
    forger.next = { claims: { sub, ...claims, amr } };
    const { url, cookie } = await beginStaff(app, '&next=%2Fadmin%2Fassets');
    const { searchParams } = new URL(url);
    const reply = { code: searchParams.get('nonce') ?? '', state: searchParams.get('state') ?? '' };
    return app.request('GET', `/helpdesk/auth/oauth/callback?${new URLSearchParams(reply)}`, { cookie });
  };
  const enrol = await comeBack(['pwd']);
  t.is(enrol.status, 200);
  t.false(enrol.headers.getSetCookie().some((each) => each.startsWith('SERVICE_')));
  const key = /<code>([A-Z2-7 ]+)<\/code>/.exec(enrol.text)?.[1]?.replaceAll(' ', '') ?? '';
  const pending = /name="pending" value="([^"]+)"/.exec(enrol.text)?.[1] ?? '';
  const done = await postForm(app, '/admin/login/enrol?next=%2Fadmin%2Fassets', { pending, code: codeFor(app, key) });
  t.is(done.status, 200, done.text);
  t.truthy(cookieOf(done.headers));

  const code = await comeBack(['pwd']);
  t.regex(code.text, /Enter a code/);
  t.is(whereTo(await comeBack(['pwd', 'mfa'])), '/admin/assets');
});

test('List your linked technician identities; Unlink one of your technician identities', async (t) => {
  const { app, signIn } = await start(t);
  await seedTechnician(app, 'technician', terry.email);
  const cookie =
    (await signIn()).headers
      .getSetCookie()
      .find((each) => each.startsWith('SERVICE_'))
      ?.split(';')[0] ?? '';
  const path = '/admin/api/v1/technicians.php?action=identities';
  const [own] = (await app.request('GET', path, { cookie, headers })).body.data;
  t.like(own, { provider: 'okta' });
  const other = await signInOnPage(app, await seedTechnician(app, 'administrator'));
  const to = `${path}&identity_id=${own.identity_id}`;
  t.is((await app.request('DELETE', to, { cookie: other, headers })).status, 404);
  t.is((await app.request('DELETE', to, { cookie, headers })).status, 204);
  t.deepEqual((await app.request('GET', path, { cookie, headers })).body.data, []);
  const lines = await app.app.database.findBy(ActivityLine, { entity_type: 'technician' });
  t.true(lines.some(({ description }) => description === 'Unlinked an identity provider'));
});

test('List a technician’s linked identities; Unlink all identities of a technician', async (t) => {
  const { app, signIn } = await start(t);
  const { user_id } = await seedTechnician(app, 'technician', terry.email);
  await signIn();
  const cookie = await signInOnPage(app, await seedTechnician(app, 'administrator'));
  const path = `/admin/api/v1/technicians.php?action=linked-identities&id=${user_id}`;
  t.is((await app.request('GET', path, { cookie, headers })).body.data.length, 1);
  t.is((await app.request('DELETE', path, { cookie, headers })).status, 204);
  t.is((await app.request('DELETE', path, { cookie, headers })).status, 404);
  t.deepEqual((await app.request('GET', path, { cookie, headers })).body.data, []);
});
