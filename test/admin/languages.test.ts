// The languages of people, companies and the provider.
import { startApp } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { ActivityLine } from '../../packages/log/activity.ts';
import { boundless } from '../_boundless.ts';
import { seedCompany, seedEmployee, seedTechnician, signIn, signInOnPage } from '../accounts-seed.ts';

const staff = '/admin/api/v1';
const headers = { 'Sec-Fetch-Site': 'same-origin' };

async function start(t: ExecutionContext) {
  const app = await startApp(t, { limiter: boundless });
  const company = await seedCompany(app);
  const employee = await seedEmployee(app, { company_number: company.company_number });
  const boss = await seedTechnician(app, 'administrator');
  const cookie = await signInOnPage(app, boss);
  const { token } = await signIn(app, employee);
  const asStaff = async (method: string, path: string, body?: unknown) =>
    (await app.request(method, staff + path, { cookie, headers, body })).body;
  const asCustomer = async (method: string, path: string, body?: unknown) =>
    (await app.request(method, `/helpdesk/api/v1${path}`, { token, body })).body;
  const ofCompany = `/companies.php?action=language&id=${company.company_number}`;
  return { app, asStaff, asCustomer, ofCompany };
}

test('Read your language; Set your language: the person’s takes precedence over the company’s, then the provider’s', async (t) => {
  const { asStaff, asCustomer, ofCompany } = await start(t);
  const seen = async () => (await asCustomer('GET', '/portal')).language;
  t.is(await seen(), null);
  await asStaff('PUT', '/settings/region.php', { language: 'en' });
  t.is(await seen(), 'en');
  t.deepEqual((await asStaff('PUT', ofCompany, { language: 'de' })).data, { language: 'de', effective: 'de' });
  t.is(await seen(), 'de');
  t.deepEqual(await asCustomer('GET', '/auth/language'), { language: null, effective: 'de' });
  const chosen = await asCustomer('PUT', '/auth/language', { language: 'EN' });
  t.like(chosen, { language: 'en', effective: 'en' });
  t.is(await seen(), 'en');
  t.like(await asCustomer('PUT', '/auth/language', { language: '' }), { language: null, effective: 'de' });
  await asStaff('PUT', ofCompany, { language: null });
  t.deepEqual((await asStaff('GET', ofCompany)).data, { language: null, effective: 'en' });
  await asStaff('PUT', '/settings/region.php', { language: null });
  t.is(await seen(), null);
});

test('Read your language as a technician; Set your language as a technician: it is their own, and logged', async (t) => {
  const { app, asStaff } = await start(t);
  const path = '/technicians.php?action=language';
  t.deepEqual((await asStaff('GET', path)).data, { language: null, effective: null });
  t.deepEqual((await asStaff('PUT', path, { language: 'de' })).data, { language: 'de', effective: 'de' });
  t.is((await asStaff('GET', '/console.php')).data.language, 'de');
  const lines = await app.app.database.findBy(ActivityLine, { entity_type: 'technician', action: 'update' });
  t.deepEqual(
    lines.map((each) => Object.keys(each.changes ?? {})),
    [['language']],
  );
});

test('Read a company’s language; Set a company’s language: only languages that are installed', async (t) => {
  const { asStaff, asCustomer, ofCompany } = await start(t);
  for (const body of [{ language: 'xx' }, { language: 'en-XA' }, { language: 7 }, {}]) {
    t.false((await asStaff('PUT', ofCompany, body)).success);
    t.false((await asCustomer('PUT', '/auth/language', body)).success ?? false);
    t.false((await asStaff('PUT', '/settings/region.php', body)).success);
  }
  t.is(
    (await asStaff('PUT', '/companies.php?action=language&id=999999', { language: 'de' })).error,
    'Company not found',
  );
  const file = (await asStaff('GET', `/companies.php?id=${ofCompany.split('=').at(-1)}`)).data;
  t.false('language' in file, 'documented answers stay as they are');
});

test('List the jobs; List the plugins of the installation: titles are in the technician’s language, otherwise in their browser’s', async (t) => {
  const app = await startApp(t, { limiter: boundless });
  const cookie = await signInOnPage(app, await seedTechnician(app, 'administrator'));
  const titleFor = async (more: Readonly<Partial<Record<string, string>>>, extra = '') => {
    const sent = { cookie: `${cookie}${extra}`, headers: { ...headers, ...more } };
    const { body } = await app.request('GET', `${staff}/monitoring/jobs.php`, sent);
    return body.data.find((each: { name: string }) => each.name === 'accounts.sweep-sessions')?.title;
  };
  t.is(await titleFor({}), 'Delete expired sessions');
  t.is(await titleFor({ 'Accept-Language': '*' }), 'Delete expired sessions');
  t.is(await titleFor({ 'Accept-Language': 'de-AT, en;q=0.5' }), 'Abgelaufene Sitzungen löschen');
  t.is(await titleFor({ 'Accept-Language': 'de' }, '; language=en'), 'Delete expired sessions');
  await app.request('PUT', `${staff}/technicians.php?action=language`, { cookie, headers, body: { language: 'de' } });
  t.is(await titleFor({ 'Accept-Language': 'en' }), 'Abgelaufene Sitzungen löschen');
  const { body } = await app.request('GET', `${staff}/settings/plugins.php`, { cookie });
  t.is(body.data.find((each: { id: string }) => each.id === 'outages')?.title, 'Störungen');
});

test('mails use the language of the recipient’s address', async (t) => {
  const { app, asStaff, ofCompany } = await start(t);
  const employee = await seedEmployee(app, { company_number: Number(ofCompany.split('=').at(-1)) });
  const languageOf = (address: string) => app.app.languageOf(app.app.system(), { address });
  t.is(await languageOf(employee.email), null);
  await asStaff('PUT', ofCompany, { language: 'de' });
  t.is(await languageOf(employee.email.toUpperCase()), 'de');
  t.is(await languageOf('stranger@example.com'), null);
  await asStaff('PUT', '/settings/region.php', { language: 'en' });
  t.is(await languageOf('stranger@example.com'), 'en');
});

test('List email templates: default subjects are in the reader’s language, and stay so when only the text is changed', async (t) => {
  const { asStaff } = await start(t);
  await asStaff('PUT', '/technicians.php?action=language', { language: 'de' });
  const path = '/settings/email-templates.php';
  interface Template {
    readonly template_id: number;
    readonly key: string;
    readonly subject: string;
    readonly body: string;
  }
  const credit = async (): Promise<Template> =>
    (await asStaff('GET', path)).data.find((each: Template) => each.key === 'credit_note_sent');
  const { subject, template_id } = await credit();
  t.regex(subject, /^Gutschrift /);
  // As the form sends them: both, whichever was changed.
  const { data } = await asStaff('GET', `${path}?id=${template_id}`);
  const change = (body: string) =>
    asStaff('PUT', `${path}?id=${template_id}`, { subject: data.subject, body, active: true });
  t.is((await change('Hello, here it is.')).data.body, 'Hello, here it is.');
  t.is((await credit()).subject, subject);
  t.is((await change(data.body)).data.body, data.body);
  t.is((await credit()).subject, subject);
});
