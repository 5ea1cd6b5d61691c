// The path form of `.php` addresses does what the query form does.
import { startApp } from '@keelson/testing';
import test from 'ava';
import { seedKey } from '../accounts-seed.ts';
import { asKey, seedEmployee, seedTicket, staff, storedTicket } from '../tickets-seed.ts';

test('record, action and further parameters may follow the file in the path', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedEmployee(app);
  const { ticket_id } = await seedTicket(app, { company_number });
  const send = await asKey(app);
  t.is((await send('GET', `/tickets.php/${ticket_id}`)).body.data.ticket_id, ticket_id);
  t.is((await send('PUT', `/tickets.php/${ticket_id}`, { subject: 'Scanner' })).status, 200);
  t.is((await storedTicket(app, ticket_id)).subject, 'Scanner');
  t.is((await send('POST', `/tickets.php/${ticket_id}/comments`, { comment: 'Hello' })).status, 201);
  const both = [`/tickets.php/${ticket_id}/comments`, `/tickets.php?action=comments&id=${ticket_id}`];
  const [inPath, inQuery] = await Promise.all(both.map((path) => send('GET', `${path}`)));
  t.deepEqual(inPath?.body, inQuery?.body);
  t.is((await send('POST', `/tickets.php/${ticket_id}/time-entries`, { duration_minutes: 5 })).status, 201);
  t.is((await send('PUT', `/tickets.php/${ticket_id}/time-entries/1`, { duration_minutes: 6 })).status, 200);
  t.regex((await send('GET', '/tickets.php/export?format=csv')).text, /Scanner/);
  t.is((await send('DELETE', `/tickets.php/${ticket_id}/`)).status, 204);
});

test('both forms have the same rights and errors, and POST can be repeated', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedEmployee(app);
  const { ticket_id } = await seedTicket(app, { company_number });
  const send = await asKey(app, ['tickets:read']);
  t.is((await app.request('GET', `${staff}/tickets.php/${ticket_id}`)).status, 401);
  t.is((await send('DELETE', `/tickets.php/${ticket_id}`)).status, 403);
  t.is((await send('GET', '/tickets.php/999')).status, 404);
  t.is((await send('GET', '/tickets.php/x')).status, 400);
  t.is((await send('GET', `/tickets.php/${ticket_id}/nothing`)).status, 404);
  t.is((await send('GET', '/tickets.php/%ff')).status, 404);
  t.is((await send('GET', '/nothing.php/1')).status, 404);
  const put = await send('PUT', `/tickets.php/${ticket_id}/history`);
  t.deepEqual([put.status, put.headers.get('allow')], [405, 'GET, HEAD, OPTIONS']);

  const { api_key: token } = await seedKey(app, 'admin', ['tickets:read', 'tickets:write']);
  const once = { token, body: { comment: 'Once' }, headers: { 'Idempotency-Key': 'one' } };
  const first = await app.request('POST', `${staff}/tickets.php/${ticket_id}/comments`, once);
  const second = await app.request('POST', `${staff}/tickets.php/${ticket_id}/comments`, once);
  t.deepEqual([first.status, second.status, second.text], [201, 201, first.text]);
});

test('a value in the path is taken literally, and takes precedence over the query', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedEmployee(app);
  const { ticket_id } = await seedTicket(app, { company_number });
  const send = await asKey(app, ['tickets:read', 'reports:read']);
  t.is((await send('GET', `/tickets.php/${ticket_id}?id=999`)).body.data.ticket_id, ticket_id);
  t.is((await send('GET', `/tickets.php/${ticket_id}%26action=history`)).status, 400);
  t.is((await send('GET', `/tickets.php/${ticket_id}/history%26id=1`)).status, 404);
});
