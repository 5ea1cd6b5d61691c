// @keelson/client against a running server.
import { adminClient, crmClient, helpdeskClient, KeelsonError } from '@keelson/client';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedKey, signIn } from './accounts-seed.ts';
import { streamsOf } from './core/_live.ts';
import { seedEmployee, seedTicket } from './tickets-seed.ts';

async function admin(app: TestApp, fetch?: typeof globalThis.fetch) {
  const { api_key } = await seedKey(app, 'admin', ['tickets:read', 'tickets:write', 'tickets:delete']);
  return adminClient({ url: app.url, credential: api_key, ...(fetch ? { fetch } : {}) });
}

/** A network that loses the responses to the first requests. */
function losing(count: number): typeof globalThis.fetch {
  let left = count;
  return async (...request) => {
    const answer = await fetch(...request);
    if (left-- <= 0) return answer;
    await answer.arrayBuffer();
    throw new TypeError('fetch failed');
  };
}

test('operations are called by their line, on all three interfaces', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const keelson = await admin(app);
  const { data } = await keelson.call('POST /tickets.php', {
    body: { subject: 'Printer', description: 'Smoke', company_number: employee.company_number },
  });
  const { ticket_id: id } = data;
  await keelson.call('PUT /tickets.php?id={id}', { id, body: { status: 'in_progress' } });
  await keelson.call('POST /tickets.php?action=comments&id={id}', { id, body: { comment: 'On our way' } });
  t.is((await keelson.call('GET /tickets.php?id={id}', { id })).data.status, 'in_progress');

  const { token } = await signIn(app, employee);
  const portal = helpdeskClient({ url: app.url, credential: () => token });
  const own = await portal.call('POST /tickets', { body: { subject: 'Screen', description: 'Dark' } });
  t.is((await portal.call('GET /tickets/{id}', { id: own.ticket_id })).subject, 'Screen');

  const { api_key } = await seedKey(app, 'crm_secret', [
    'leads:read',
    'leads:write',
    'leads:delete',
    'activities:read',
    'activities:write',
  ]);
  const crm = crmClient({ url: app.url, credential: api_key });
  const lead = await crm.call('crm:POST /leads', { body: { first_name: 'Ada', email: 'ada@example.com' } });
  t.is((await crm.call('crm:GET /leads/{id}', { id: lead.data.lead_id })).data.first_name, 'Ada');
  t.true((await crm.call('crm:DELETE /leads/{id}', { id: lead.data.lead_id })).success);

  t.is(await keelson.call('DELETE /tickets.php?id={id}', { id }), undefined);
  const error = await t.throwsAsync(keelson.call('GET /tickets.php?id={id}', { id }), { instanceOf: KeelsonError });
  t.like(error, { status: 404, message: 'Ticket not found' });
});

test('rows of a list are fetched page by page', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedEmployee(app);
  for (let n = 0; n < 5; n++) await seedTicket(app, { company_number, subject: `Ticket ${n}` });
  const keelson = await admin(app);
  const subjects: string[] = [];
  for await (const row of keelson.rows('GET /tickets.php', { per_page: 2, sort: 'created_at', order: 'asc' }))
    subjects.push(row.subject);
  t.deepEqual(subjects.toSorted(), ['Ticket 0', 'Ticket 1', 'Ticket 2', 'Ticket 3', 'Ticket 4']);
});

test('a request whose response was lost is retried, and nothing is done twice', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedEmployee(app);
  const keelson = await admin(app, losing(1));
  const body = { subject: 'Once', description: 'x', company_number };
  const { data } = await keelson.call('POST /tickets.php', { body });
  const { pagination } = await keelson.call('GET /tickets.php');
  t.is(pagination.total, 1);
  const deleting = await admin(app, losing(1));
  t.is(await deleting.call('DELETE /tickets.php?id={id}', { id: data.ticket_id }), undefined);
});

test('files are uploaded and downloaded', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedEmployee(app);
  const { ticket_id: id } = await seedTicket(app, { company_number });
  const keelson = await admin(app);
  const file = new File(['hello'], 'note.txt', { type: 'text/plain' });
  const { data } = await keelson.upload('POST /tickets.php?action=attachments&id={id}', { id }, [file]);
  const attachment_id = data.attachments[0]?.attachment_id ?? 0;
  const line = 'GET /tickets.php?action=attachment&id={id}&attachment_id={attachment_id}';
  t.is(await (await keelson.download(line, { id, attachment_id })).text(), 'hello');
});

test('changes arrive as they happen, and a rejected stream throws', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedEmployee(app);
  const connected = Promise.withResolvers<void>();
  const keelson = await admin(app, async (...request) => {
    const answer = await fetch(...request);
    connected.resolve();
    return answer;
  });
  const end = new AbortController();
  const stream = keelson.live({ signal: end.signal });
  const first = stream.next();
  await connected.promise;
  await seedTicket(app, { company_number });
  await streamsOf(app).look();
  t.like((await first).value, { event: 'change', data: { type: 'ticket', event: 'created' } });
  end.abort();
  t.true((await stream.next()).done);
  const wrong = adminClient({ url: app.url, credential: 'vsa_wrong' }).live();
  await t.throwsAsync(wrong.next(), { instanceOf: KeelsonError });
});

test('a lost request that is still running is waited for', async (t) => {
  const busy = () =>
    Response.json(
      { success: false, error: 'A request with this Idempotency-Key is still in progress' },
      { status: 409, headers: { 'Retry-After': '0' } },
    );
  const answers = [() => Promise.reject(new TypeError('fetch failed')), busy, () => Response.json({ success: true })];
  const keelson = adminClient({
    url: 'http://x',
    credential: 'vsa_x',
    fetch: async () => answers.shift()?.() ?? Response.error(),
  });
  const body = { subject: 'Once', description: 'x', company_number: 1 };
  t.true((await keelson.call('POST /tickets.php', { body })).success);
});

test('a stream continues after a proxy reports that the server restarts', async (t) => {
  const answers = [
    new Response('<html>Bad gateway</html>', { status: 502 }),
    new Response('id: 1\nevent: reload\ndata: {}\n\n', { headers: { 'Content-Type': 'text/event-stream' } }),
  ];
  const keelson = adminClient({
    url: 'http://x',
    credential: 'vsa_x',
    fetch: async () => answers.shift() ?? Response.error(),
  });
  for await (const change of keelson.live()) {
    t.deepEqual(change, { event: 'reload', data: {} });
    break;
  }
});

const refusedToken = () => Promise.reject(new Error('The session has ended'));

test('an error of the credential function goes to the caller, without retries', async (t) => {
  let asked = 0;
  const keelson = adminClient({
    url: 'http://x',
    credential: () => {
      asked++;
      return refusedToken();
    },
    fetch: async () => t.fail('a request was sent without its credential') as never,
  });
  const ended = { message: 'The session has ended' };
  await t.throwsAsync(keelson.call('GET /tickets.php'), ended);
  await t.throwsAsync(keelson.live().next(), ended);
  t.is(asked, 2);
});

test('a stream waits for a credential while the network fails, and ends if there is none', async (t) => {
  const offline = new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNREFUSED' }) });
  const failures: Record<string, Error> = {
    'the network of Node': offline,
    'the network of a browser': new TypeError('Failed to fetch'),
    'a busy server': new KeelsonError(429, 'Too many requests'),
    'a restarting server': new KeelsonError(503, 'Unavailable'),
  };
  const stream = (credential: () => Promise<string>) =>
    adminClient({
      url: 'http://x',
      credential,
      fetch: async () =>
        new Response('id: 1\nevent: reload\ndata: {}\n\n', { headers: { 'Content-Type': 'text/event-stream' } }),
    }).live();
  await Promise.all(
    Object.entries(failures).map(async ([name, failure]) => {
      const tokens = [() => Promise.reject(failure), () => Promise.resolve('vsa_x'), refusedToken];
      const changes = stream(() => tokens.shift()?.() ?? refusedToken());
      t.like((await changes.next()).value, { event: 'reload' }, name);
      await t.throwsAsync(changes.next(), { message: 'The session has ended' }, name);
    }),
  );
  for (const error of [new TypeError('token is not a function'), new KeelsonError(401, 'Sign in')])
    t.is(await t.throwsAsync(stream(() => Promise.reject(error)).next()), error);
});
