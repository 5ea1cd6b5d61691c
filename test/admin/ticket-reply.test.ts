// A technician's combined action on a ticket (T-26).
import { readMails, startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedKey, signInOnPage } from '../accounts-seed.ts';
import { asKey, seedEmployee, seedTechnician, seedTicket, staff, storedTicket } from '../tickets-seed.ts';

async function seedCase(app: TestApp) {
  const employee = await seedEmployee(app);
  const ticket = await seedTicket(app, employee);
  const technician = await seedTechnician(app);
  const cookie = await signInOnPage(app, technician);
  const reply = (body: unknown, id: number = ticket.ticket_id) =>
    app.request('POST', `${staff}/tickets.php?action=reply&id=${id}`, { cookie, body });
  return { employee, ticket, technician, reply };
}

test('Reply to a ticket in one request', async (t) => {
  const app = await startApp(t);
  const { ticket, technician, reply } = await seedCase(app);
  const { status, body } = await reply({
    comment: 'The cable was loose.',
    duration_minutes: 15,
    billable: false,
    status: 'closed',
    assigned_to: technician.user_id,
    seen_comment_id: 0,
  });
  t.is(status, 200);
  t.is(body.success, true);
  t.like(body.data, {
    ticket_id: ticket.ticket_id,
    status: 'closed',
    assigned_to: technician.user_id,
    total_minutes: 15,
  });
  t.like(body.data.comments, [{ comment: 'The cable was loose.', is_internal: false, author_type: 'technician' }]);
  t.like(body.data.time_entries, [{ duration_minutes: 15, billable: false, user_id: technician.user_id }]);
  await app.app.outbox.drain();
  const mails = (await readMails(app)).filter(({ template }) => template !== 'ticket_created');
  t.deepEqual(
    mails.map(({ template }) => template),
    ['ticket_closed'],
  );
  t.regex(mails[0]?.text ?? '', /The cable was loose\./);
});

test('Reply to a ticket in one request: with an internal note in addition to the reply', async (t) => {
  const app = await startApp(t);
  const { ticket, reply } = await seedCase(app);
  const answer = { comment: 'The cable was loose.', note: 'CANARY: third time this month', duration_minutes: 10 };
  const { status, body } = await reply({ ...answer, status: 'on_hold', seen_comment_id: 0 });
  t.is(status, 200, body.error);
  t.like(body.data, { status: 'on_hold', total_minutes: 10, last_comment_by: 'technician' });
  t.deepEqual(
    body.data.comments.map((each: any) => [each.comment, each.is_internal]),
    [
      [answer.comment, false],
      [answer.note, true],
    ],
  );
  const closing = await reply({ comment: 'Done.', note: 'CANARY: bill it', status: 'closed' });
  t.is(closing.status, 200, closing.body.error);
  t.is((await reply({ note: 'CANARY: alone' })).body.data.comments.at(-1).is_internal, true);
  await app.app.outbox.drain();
  const mails = (await readMails(app)).filter(({ template }) => template !== 'ticket_created');
  t.deepEqual(mails.map(({ template }) => template).toSorted(), ['ticket_closed', 'ticket_comment']);
  for (const { text } of mails) t.notRegex(text, /CANARY/);
  const refused = await reply({ comment: 'x', note: 'y', assigned_to: 987_654 });
  t.is(refused.status, 400);
  t.regex((await reply({ comment: 'x', note: 'y', is_internal: true })).body.error, /^note requires a public comment/);
  const { comments } = (await (await asKey(app))('GET', `/tickets.php?id=${ticket.ticket_id}`)).body.data;
  t.is(comments.length, 5, 'both or none');
});

test('Reply to a ticket in one request: nothing is stored if a part is rejected', async (t) => {
  const app = await startApp(t);
  const { ticket, reply } = await seedCase(app);
  const refused = await reply({ comment: 'Done', duration_minutes: 5, assigned_to: 987_654 });
  t.is(refused.status, 400);
  t.regex(refused.body.error, /^assigned_to/);
  for (const body of [{}, { is_internal: true }, { billable: true }])
    t.is((await reply(body)).body.error, 'comment, note, duration_minutes, status or assigned_to is required');
  t.regex((await reply({ comment: 'x', duration_minutes: 0 })).body.error, /^duration_minutes/);
  t.is((await reply({ comment: 'x' }, 987_654)).status, 404);
  const send = await asKey(app);
  const { body } = await send('GET', `/tickets.php?id=${ticket.ticket_id}`);
  t.deepEqual([body.data.comments, body.data.time_entries], [[], []]);
  t.is((await storedTicket(app, ticket.ticket_id))?.updated_at, ticket.updated_at);
});

test('Reply to a ticket in one request: when someone else has commented since', async (t) => {
  const app = await startApp(t);
  const { ticket, reply } = await seedCase(app);
  const first = await reply({ comment: 'Looking into it', is_internal: true, seen_comment_id: 0 });
  t.is(first.status, 200);
  t.is((await reply({ comment: 'My own is no news', seen_comment_id: 0 })).status, 200);
  const send = await asKey(app);
  await send('POST', `/tickets.php?action=comments&id=${ticket.ticket_id}`, { comment: 'I have it' });
  const seen_comment_id = first.body.data.comments[0].comment_id;
  const late = await reply({ comment: 'Done', status: 'closed', seen_comment_id });
  t.is(late.status, 400);
  t.regex(late.body.error, /has commented since/);
  t.is((await storedTicket(app, ticket.ticket_id))?.status, 'open');
  t.is((await reply({ comment: 'Done', status: 'closed', seen_comment_id, anyway: true })).status, 200);
});

test('Reply to a ticket in one request: access', async (t) => {
  const app = await startApp(t);
  const { ticket } = await seedCase(app);
  const path = `${staff}/tickets.php?action=reply&id=${ticket.ticket_id}`;
  t.is((await app.request('POST', path, { body: { comment: 'x' } })).status, 401);
  const { api_key: token } = await seedKey(app, 'admin', ['tickets:read']);
  t.is((await app.request('POST', path, { token, body: { comment: 'x' } })).status, 403);
});
