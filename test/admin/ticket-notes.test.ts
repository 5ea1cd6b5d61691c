// Own internal notes: edited, deleted, and the colleagues they mention.
import { createTechnician } from '@keelson/modules/directory';
import { Ticket } from '@keelson/modules/tickets';
import { startApp, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { signInOnPage } from '../accounts-seed.ts';
import { attachTo } from '../attachments-seed.ts';
import { asEmployee, asKey, seedEmployee, seedTechnician, seedTicket, staff, storedEvents } from '../tickets-seed.ts';

type Technician = Awaited<ReturnType<typeof seedTechnician>>;

async function asTechnician(app: TestApp, technician: Technician) {
  const cookie = await signInOnPage(app, technician);
  return (method: string, path: string, body?: unknown) =>
    app.request(method, `${staff}${path}`, body === undefined ? { cookie } : { cookie, body });
}

async function seedNote(app: TestApp) {
  const employee = await seedEmployee(app);
  await seedTicket(app, employee);
  const technician = await seedTechnician(app);
  const send = await asTechnician(app, technician);
  const write = async (body: object, of = send) =>
    (await of('POST', '/tickets.php?action=comments&id=1', { comment: 'Wrong', is_internal: true, ...body })).body.data
      .comment_id as number;
  const path = (comment_id: number, id = 1) => `/tickets.php?action=comments&id=${id}&comment_id=${comment_id}`;
  const comments = async () => (await send('GET', '/tickets.php?action=comments&id=1')).body.data;
  return { employee, technician, send, write, path, comments };
}

test('Update your internal note', async (t) => {
  const app = await startApp(t, { clock: testClock('2026-03-02T10:00:00.000Z') });
  const { employee, send, write, path, comments } = await seedNote(app);
  const id = await write({});
  app.clock.set('2026-03-02T10:09:59.000Z');
  const { status, body } = await send('PUT', path(id), { comment: 'Right' });
  t.is(status, 200, body.error);
  t.like(body.data, { comment_id: id, comment: 'Right', edited_at: '2026-03-02T10:09:59Z' });
  t.like(await comments(), [
    { comment: 'Right', created_at: '2026-03-02T10:00:00Z', edited_at: '2026-03-02T10:09:59Z' },
  ]);
  t.is((await send('PUT', path(id), { comment: 'Right' })).status, 200, 'the same again');
  const history = (await send('GET', '/tickets.php?action=history&id=1')).body.data;
  t.is(history.length, 2);
  t.like(history[0], { description: `Internal note ${id} on ticket 1001 changed`, changes: {} });
  t.false(/Wrong|Right/.test(JSON.stringify(history)), 'what it says is not repeated');
  const customer = await asEmployee(app, employee);
  t.deepEqual((await customer('GET', '/tickets/1')).body.comments, []);
  t.is((await send('PUT', path(id), { comment: ' ' })).status, 400);

  app.clock.set('2026-03-02T10:10:01.000Z');
  const late = await send('PUT', path(id), { comment: 'Later' });
  t.deepEqual([late.status, late.body.error], [400, 'A note can be changed for ten minutes']);
});

test('Delete your internal note', async (t) => {
  const app = await startApp(t);
  const { send, write, path, comments } = await seedNote(app);
  const id = await write({});
  const attached = await write({ comment: 'With a file' });
  await attachTo(app, Ticket, { id: 1, part: attached });
  t.is((await send('DELETE', path(id))).status, 204);
  t.is((await send('DELETE', path(id))).status, 404);
  t.like(await comments(), [{ comment: 'With a file' }]);
  const refused = await send('DELETE', path(attached));
  t.deepEqual([refused.status, refused.body.error], [400, 'The note has attachments']);
  const [last] = (await send('GET', '/tickets.php?action=history&id=1')).body.data;
  t.like(last, { description: `Internal note ${id} on ticket 1001 deleted` });
});

test('Update your internal note: only your own, and no public comments', async (t) => {
  const app = await startApp(t);
  const { employee, send, write, path, comments } = await seedNote(app);
  await seedTicket(app, employee);
  const id = await write({});
  const open = await write({ is_internal: false });
  const colleague = await asTechnician(app, await seedTechnician(app));
  const key = await asKey(app);
  for (const other of [colleague, key])
    for (const method of ['PUT', 'DELETE']) {
      const { status, body } = await other(method, path(id), method === 'PUT' ? { comment: 'Mine now' } : undefined);
      t.deepEqual([status, body.error], [400, 'You can only change your own notes']);
    }
  const spoken = await send('PUT', path(open), { comment: 'Never said' });
  t.deepEqual([spoken.status, spoken.body.error], [400, 'Only internal notes can be changed']);
  t.is((await send('PUT', path(id, 2), { comment: 'Elsewhere' })).status, 404);
  t.is((await send('PUT', path(99), { comment: 'None' })).status, 404);
  t.is((await (await asKey(app, ['tickets:read']))('PUT', path(id), { comment: 'x' })).status, 403);
  t.is((await comments())[0].comment, 'Wrong');
  const own = await write({ comment: 'A key’s' }, key);
  t.is((await key('PUT', path(own), { comment: 'A key’s own' })).status, 200);
});

test('Comment on any ticket: mentioned colleagues and the assignee of the answered ticket are notified', async (t) => {
  const app = await startApp(t);
  const { employee, technician, send, write, path } = await seedNote(app);
  const person = (name: string, email: string) =>
    app.run((ctx) => createTechnician(ctx, { name, email, role: 'technician', password_hash: null }));
  const ada = await person('Ada Byron', 'ada.b@example.com');
  const short = await person('Ada', 'short@example.com');
  const named = async (comment: string, internal = true) => {
    const id = await write({ comment, is_internal: internal });
    const found = (await storedEvents(app)).filter((each) => each.name === 'ticket.mentioned');
    return found.filter(({ data }) => data.comment_id === id).flatMap(({ data }) => data.user_ids);
  };
  t.deepEqual(await named('Could @Ada Byron have a look?'), [ada.user_id]);
  t.deepEqual(await named('@ada byron, @ADA: and @short.'), [ada.user_id, short.user_id]);
  t.deepEqual(await named('(@ada.b)'), [ada.user_id]);
  t.deepEqual(await named('@adam, mail@ada, @, @nobody, ada'), []);
  t.deepEqual(await named(`@${technician.name}`), [], 'not oneself');
  t.deepEqual(await named('@Ada in public', false), []);
  t.deepEqual(await named('@'.repeat(20_000)), []);

  const id = await write({ comment: '@Ada' });
  await send('PUT', path(id), { comment: '@Ada and @Ada Byron' });
  const told = (await storedEvents(app)).filter(
    ({ name, data }) => name === 'ticket.mentioned' && data.comment_id === id,
  );
  t.deepEqual(
    told.map(({ data }) => data.user_ids),
    [[short.user_id], [ada.user_id]],
  );
  t.is(told[0]?.data.author_name, technician.name);

  const answers = async () => (await storedEvents(app)).filter(({ name }) => name === 'ticket.answered');
  const customer = await asEmployee(app, employee);
  await customer('POST', '/tickets', { subject: 'Mine', description: 'Broken' });
  await customer('POST', '/tickets/2/comments', { comment: 'Anybody?' });
  t.deepEqual(await answers(), [], 'nobody has it');
  await send('PUT', '/tickets.php?id=2', { assigned_to: ada.user_id });
  await customer('POST', '/tickets/2/comments', { comment: 'Hello?' });
  await send('POST', '/tickets.php?action=comments&id=2', { comment: 'Hello!' });
  t.like(await answers(), [{ data: { ticket_id: 2, user_id: ada.user_id } }]);
});
