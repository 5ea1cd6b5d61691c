import { ApiKey, createApiKey, newHash } from '@keelson/modules/accounts';
import { createAsset } from '@keelson/modules/assets';
import { Company, createCompany, createEmployee } from '@keelson/modules/directory';
import { closeTicket, findTicket, lockTicket, readComments, Ticket } from '@keelson/modules/tickets';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import type { Claim } from '../entities.ts';

const staff = '/admin/api/v1/warranty/claims.php';
const portal = '/helpdesk/api/v1/warranty/claims';
const moment = '2026-03-02T09:00:00Z';

test('File a warranty claim: it opens a ticket in the same transaction', async (t) => {
  const app = await startApp(t);
  const { company_number } = await company(app);
  const send = await asKey(app, ['warranty:write', 'tickets:write']);
  const made = await send('POST', staff, { company_number, vendor: 'Acme', product: 'Laser printer' });
  t.is(made.status, 201);
  t.deepEqual(made.body, {
    success: true,
    data: {
      claim_id: made.body.data.claim_id,
      company_number,
      ticket_id: made.body.data.ticket_id,
      vendor: 'Acme',
      product: 'Laser printer',
      state: 'sent',
      created_at: moment,
      answered_at: null,
      chased_at: null,
    },
  });
  const ticket = await findTicket(app.app.system(), made.body.data.ticket_id);
  t.like(ticket, { subject: 'Warranty claim: Laser printer (Acme)', company_number, status: 'open' });
});

test('File a warranty claim: invalid input is reported and creates no ticket', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['warranty:write', 'tickets:write']);
  const empty = await send('POST', staff, {});
  t.is(empty.status, 400);
  t.deepEqual(empty.body, {
    success: false,
    error: 'company_number is required; vendor is required; product is required',
  });
  const nobody = await send('POST', staff, { company_number: 999, vendor: 'Acme', product: 'Printer' });
  t.is(nobody.status, 400);
  t.regex(nobody.body.error, /company_number/);
  t.is(await app.app.database.count(Ticket), 0);
});

test('List warranty claims: filtered, newest first, in pages', async (t) => {
  const app = await startApp(t);
  const [one, other] = [await company(app), await company(app)];
  for (const vendor of ['Acme', 'Brill', 'Crane']) await file(app, one, vendor);
  await file(app, other, 'Dent');
  const send = await asKey(app, ['warranty:read', 'warranty:write', 'tickets:write']);
  const page = await send('GET', `${staff}?company_number=${one.company_number}&per_page=2&state=sent`);
  t.deepEqual(page.body.pagination, { page: 1, per_page: 2, total: 3, total_pages: 2 });
  t.deepEqual(
    page.body.data.map((each: Claim) => each.vendor),
    ['Crane', 'Brill'],
  );
  const accepted = await send('GET', `${staff}?state=accepted`);
  t.deepEqual(accepted.body.data, []);
  t.is((await send('GET', `${staff}?state=lost`)).status, 400);
});

test('Read a warranty claim: a missing claim returns 404', async (t) => {
  const app = await startApp(t);
  const claim = await file(app, await company(app));
  const send = await asKey(app, ['warranty:read', 'warranty:write', 'tickets:write']);
  const read = await send('GET', `${staff}?id=${claim.claim_id}`);
  t.is(read.status, 200);
  t.deepEqual(read.body.data, claim);
  const absent = await send('GET', `${staff}?id=${claim.claim_id + 1}`);
  t.is(absent.status, 404);
  t.deepEqual(absent.body, { success: false, error: 'Claim not found' });
});

test('Record a vendor’s response to a claim: only once', async (t) => {
  const app = await startApp(t);
  const { claim_id } = await file(app, await company(app));
  const send = await asKey(app, ['warranty:write', 'tickets:write']);
  t.is((await send('PUT', `${staff}?id=${claim_id}`, { state: 'sent' })).status, 400);
  const [first, second] = await Promise.all([
    send('PUT', `${staff}?id=${claim_id}`, { state: 'accepted' }),
    send('PUT', `${staff}?id=${claim_id}`, { state: 'accepted' }),
  ]);
  const [won, lost] = first.status === 200 ? [first, second] : [second, first];
  t.deepEqual([won.status, lost.status], [200, 400]);
  t.like(won.body.data, { state: 'accepted', answered_at: moment });
  t.deepEqual(lost.body, { success: false, error: 'The claim has already been answered' });
  t.is((await send('PUT', `${staff}?id=${claim_id + 1}`, {})).status, 404);
});

test('claims need a credential and the right permission', async (t) => {
  const app = await startApp(t);
  t.is((await app.request('GET', staff)).status, 401);
  const reader = await asKey(app, ['warranty:read']);
  const answer = await reader('POST', staff, {});
  t.is(answer.status, 403);
  t.deepEqual(answer.body, { success: false, error: 'Insufficient permissions' });
  const writer = await asKey(app, ['warranty:write', 'tickets:write']);
  t.is((await writer('GET', staff)).status, 403);
});

test('List your company’s warranty claims: only your company’s claims, without internal notes', async (t) => {
  const app = await startApp(t);
  const [mine, other] = [await company(app), await company(app)];
  const { claim_id, ticket_id } = await file(app, mine, 'Acme');
  await file(app, other, 'Brill');
  const token = await employee(app, mine);
  const answer = await app.request('GET', portal, { token });
  t.is(answer.status, 200);
  t.deepEqual(answer.body, {
    claims: [
      {
        claim_id,
        ticket_id,
        vendor: 'Acme',
        product: 'Printer',
        state: 'sent',
        created_at: moment,
        answered_at: null,
      },
    ],
    pagination: { page: 1, limit: 20, total: 1, total_pages: 1 },
  });
  t.is((await app.request('GET', portal)).status, 401);
});

test('the module can be disabled per company: disabled returns 403', async (t) => {
  const app = await startApp(t);
  const [off, on] = [await company(app), await company(app)];
  const send = await asKey(app, ['companies:write']);
  const modules = `/admin/api/v1/companies.php?action=modules&id=${off.company_number}`;
  t.is((await send('PUT', modules, { modules: { warranty: false } })).status, 200);
  const refused = await app.request('GET', portal, { token: await employee(app, off) });
  t.is(refused.status, 403);
  t.deepEqual(refused.body, { error: 'Warranty claims module is disabled' });
  t.is((await app.request('GET', portal, { token: await employee(app, on) })).status, 200);
});

test('unresponsive vendors are reminded once after a week', async (t) => {
  const app = await startApp(t);
  const owner = await company(app);
  const silent = await file(app, owner, 'Acme');
  const answered = await file(app, owner, 'Brill');
  const send = await asKey(app, ['warranty:write', 'tickets:write']);
  await send('PUT', `${staff}?id=${answered.claim_id}`, { state: 'refused' });

  app.clock.set('2026-03-09T08:59:59.999Z');
  t.like(await app.app.scheduler.runNow('warranty.chase'), { outcome: 'done' });
  t.deepEqual(await readComments(app.app.system(), silent.ticket_id), []);

  app.clock.set('2026-03-09T09:00:00.000Z');
  await app.app.scheduler.runNow('warranty.chase');
  app.clock.set('2026-03-20T09:00:00.000Z');
  await app.app.scheduler.runNow('warranty.chase');
  const comments = await readComments(app.app.system(), silent.ticket_id);
  t.deepEqual(
    comments.map(({ comment, is_internal }) => ({ comment, is_internal })),
    [{ comment: 'Acme has not responded for a week', is_internal: true }],
  );
  t.deepEqual(await readComments(app.app.system(), answered.ticket_id), []);
});

test('closing the ticket withdraws an open claim but keeps an answered one', async (t) => {
  const app = await startApp(t);
  const owner = await company(app);
  const send = await asKey(app, ['warranty:read', 'warranty:write', 'tickets:write']);
  const [open, accepted] = [await file(app, owner), await file(app, owner)];
  await send('PUT', `${staff}?id=${accepted.claim_id}`, { state: 'accepted' });
  for (const { ticket_id } of [open, accepted]) {
    await app.run(async (ctx) => closeTicket(ctx, await lockTicket(ctx, ticket_id)));
  }
  await app.app.outbox.drain();
  t.is((await send('GET', `${staff}?id=${open.claim_id}`)).body.data.state, 'refused');
  t.is((await send('GET', `${staff}?id=${accepted.claim_id}`)).body.data.state, 'accepted');
});

test('Attach files to any claim; List all attachments of any claim; Download an attachment of any claim; Delete an attachment of any claim', async (t) => {
  const app = await startApp(t);
  const { claim_id } = await file(app, await company(app));
  const send = await asKey(app, ['warranty:read', 'warranty:write']);
  const all = `${staff}?action=attachments&id=${claim_id}`;
  const added = await send('POST', all, photo);
  t.is(added.status, 201);
  const [{ attachment_id, size }] = added.body.data.attachments;
  t.is(size, 12);
  t.is((await (await asKey(app, ['tickets:write']))('POST', all, photo)).status, 403);
  t.is((await send('GET', all)).body.data.length, 1);
  const one = `${staff}?action=attachment&id=${claim_id}&attachment_id=${attachment_id}`;
  t.is((await send('GET', one)).text, 'a torn strip');
  t.is((await send('DELETE', one)).status, 204);
  t.is((await send('GET', one)).status, 404);
});

test('Attach files to a claim; List attachments of a claim; Download an attachment of a claim; Delete an attachment of a claim', async (t) => {
  const app = await startApp(t);
  const [owner, other] = [await company(app), await company(app)];
  const { claim_id } = await file(app, owner);
  const all = `${portal}/${claim_id}/attachments`;
  const [itAdmin, theirs, strangers] = [
    await employee(app, owner, { it_privileges: true }),
    await employee(app, owner),
    await employee(app, other, { it_privileges: true }),
  ];
  const added = await app.request('POST', all, { token: itAdmin, body: photo });
  t.is(added.status, 201);
  const one = `${all}/${added.body.attachments[0].attachment_id}`;
  t.is((await app.request('POST', all, { token: theirs, body: photo })).status, 403, 'IT admins add files');
  t.is((await app.request('GET', all, { token: theirs })).body.attachments.length, 1);
  t.is((await app.request('GET', one, { token: theirs })).text, 'a torn strip');
  const hidden = await app.request('GET', one, { token: strangers });
  const absent = await app.request('GET', `${portal}/999999/attachments/1`, { token: strangers });
  t.deepEqual([hidden.status, hidden.text], [404, absent.text]);
  t.is((await app.request('DELETE', one, { token: theirs })).status, 403);
  t.is((await app.request('DELETE', one, { token: itAdmin })).status, 204);
  t.is((await app.request('GET', one, { token: theirs })).status, 404);
});

const photo = { filename: 'drum.txt', content_base64: Buffer.from('a torn strip').toString('base64') };

function company(app: TestApp) {
  return app.run(async (ctx) => createCompany(ctx, { customer: `Company ${await ctx.db.count(Company)}` }));
}

/** Returns a client for the administrative surface with a key that has these permissions. */
async function asKey(app: TestApp, permissions: string[]) {
  const key = { type: 'admin', name: `Key ${await app.app.database.count(ApiKey)}`, permissions } as const;
  const { api_key } = await app.run((ctx) => createApiKey(ctx, key));
  return (method: string, path: string, body?: unknown) => app.request(method, path, { token: api_key, body });
}

async function file(app: TestApp, { company_number }: { company_number: number }, vendor = 'Acme') {
  const send = await asKey(app, ['warranty:write', 'tickets:write']);
  const made = await send('POST', staff, { company_number, vendor, product: 'Printer' });
  return made.body.data as Claim;
}

/** Signs in a new employee of the company. Returns the access token. */
async function employee(
  app: TestApp,
  { company_number }: { company_number: number },
  more: { it_privileges?: boolean } = {},
): Promise<string> {
  const email = `person${company_number}${more.it_privileges ? 'admin' : ''}@example.com`;
  const password = 'a long walk by the sea';
  const password_hash = await newHash(app.app.system(), password, { email });
  const person = { company_number, email, password_hash, first_name: 'Erin', last_name: 'Example', ...more };
  await app.run((ctx) => createEmployee(ctx, person));
  const answer = await app.request('POST', '/helpdesk/api/v1/auth/login', { body: { username: email, password } });
  return answer.body.access_token;
}

test('claims are searchable by product, vendor and company, within the caller’s company only', async (t) => {
  const app = await startApp(t);
  const own = await company(app);
  const other = await app.run((ctx) => createCompany(ctx, { customer: 'Oakley & Sons' }));
  const send = await asKey(app, ['warranty:read', 'warranty:write', 'tickets:write']);
  const file = (company_number: number, product: string) =>
    send('POST', staff, { company_number, vendor: 'Acme', product });
  const claim = (await file(own.company_number, 'Laser printer')).body.data;
  await file(other.company_number, 'Ink printer');
  const found = async (q: string) => (await send('GET', `/admin/api/v1/search.php?types=claims&q=${q}`)).body.data;
  t.deepEqual(await found('lase'), { claims: [{ ...claim, score: 0.67 }], total: 1 });
  for (const [q, total] of [
    ['acme', 2],
    ['oakley', 1],
    ['acme%20ink', 1],
    ['toner', 0],
  ] as const)
    t.is((await found(q)).total, total, q);
  t.is((await send('GET', `${staff}?search=acme`)).body.pagination.total, 2);
  const token = await employee(app, own);
  const theirs = async (q: string) =>
    (await app.request('GET', `/helpdesk/api/v1/search?types=claims&q=${q}`, { token })).body.total;
  t.deepEqual([await theirs('printer'), await theirs('ink'), await theirs('oakley')], [1, 0, 0]);
});

test('Read warranty expiry dates of assets', async (t) => {
  const app = await startApp(t);
  const { company_number } = await company(app);
  const send = await asKey(app, ['assets:read']);
  const make = (machine_name: string, warranty_expires: string | null) =>
    app.run(async (ctx) => (await createAsset(ctx, { company_number, machine_name, warranty_expires })).asset_id);
  const old = await make('Old', '2026-03-01');
  const soon = await make('Soon', '2026-03-02');
  const good = await make('Good', '2027-01-01');
  const none = await make('None', null);
  const path = '/admin/api/v1/warranty/expiry.php';
  const { status, body } = await send('GET', `${path}?ids=${[old, soon, good, none, 99].join()}`);
  t.is(status, 200);
  t.deepEqual(body.data, [
    { asset_id: old, until: '2026-03-01', state: 'expired' },
    { asset_id: soon, until: '2026-03-02', state: 'expiring' },
    { asset_id: good, until: '2027-01-01', state: 'valid' },
  ]);
  t.is((await send('GET', path)).body.error, 'ids is required');
  t.is((await send('GET', `${path}?ids=1,x`)).body.error, 'ids must be ids separated by commas');
  const many = Array.from({ length: 101 }, (_, index) => index + 1).join();
  t.is((await send('GET', `${path}?ids=${many}`)).body.error, 'ids must be at most 100 ids');
  const other = await asKey(app, ['warranty:read']);
  t.is((await other('GET', `${path}?ids=1`)).status, 403);
});
