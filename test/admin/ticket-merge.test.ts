// Merging tickets, and their history.
import { plus } from '@keelson/core';
import { Ticket } from '@keelson/modules/tickets';
import { readMails, startApp, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { signIn, signInOnPage } from '../accounts-seed.ts';
import { seedAsset } from '../assets-seed.ts';
import { attachTo, multipart } from '../attachments-seed.ts';
import {
  asEmployee,
  asKey,
  seedEmployee,
  seedTechnician,
  seedTicket,
  staff,
  storedEvents,
  storedTicket,
} from '../tickets-seed.ts';

async function seedTwo(app: TestApp) {
  const employee = await seedEmployee(app);
  const technician = await seedTechnician(app);
  const customer = await asEmployee(app, employee);
  const cookie = await signInOnPage(app, technician);
  const send = (method: string, path: string, body?: unknown) =>
    app.request(method, `${staff}${path}`, body === undefined ? { cookie } : { cookie, body });
  await customer('POST', '/tickets', { subject: 'Printer', description: 'It is broken' });
  await customer('POST', '/tickets', { subject: 'Printer again', description: 'Still broken' });
  const merge = (id: number, into: unknown) => send('POST', `/tickets.php?action=merge&id=${id}`, { into });
  return { employee, technician, customer, send, merge };
}

test('Merge a ticket into another', async (t) => {
  const app = await startApp(t, { clock: testClock('2026-03-02T10:00:00.000Z') });
  const { employee, customer, send, merge } = await seedTwo(app);
  const [one, two] = [await seedAsset(app, employee), await seedAsset(app, employee)];
  await send('PUT', '/tickets.php?id=1', { asset_ids: [one.asset_id] });
  await send('PUT', '/tickets.php?id=2', { asset_ids: [one.asset_id, two.asset_id] });
  app.clock.set('2026-03-02T10:01:00.000Z');
  await send('POST', '/tickets.php?action=comments&id=1', { comment: 'We look into it' });
  app.clock.set('2026-03-02T10:02:00.000Z');
  await customer('POST', '/tickets/2/comments', { comment: 'Hello?' });
  await send('POST', '/tickets.php?action=comments&id=2', { comment: 'Twice?', is_internal: true });
  await send('POST', '/tickets.php?action=time-entries&id=2', { duration_minutes: 20 });
  const attachment_id = await attachTo(app, Ticket, { id: 2, company_number: employee.company_number });
  await app.app.outbox.drain();
  const mailsBefore = (await readMails(app)).length;
  app.clock.set('2026-03-02T10:03:00.000Z');

  const { status, body } = await merge(2, 1);
  t.is(status, 200, body.error);
  t.like(body.data, { ticket_id: 1, status: 'open', total_minutes: 20, merged_into: null });
  t.deepEqual(
    body.data.comments.map((each: any) => each.comment),
    ['We look into it', 'Hello?', 'Twice?', 'Ticket 1002 was merged into this one: Printer again\n\nStill broken'],
  );
  t.deepEqual(
    body.data.assets.map((each: any) => each.asset_id),
    [one.asset_id, two.asset_id],
  );
  t.like(body.data, { last_comment_by: 'customer', waiting_since: '2026-03-02T10:00:00Z' });
  const files = await send('GET', '/tickets.php?action=attachments&id=1');
  t.deepEqual(
    files.body.data.map((each: any) => each.attachment_id),
    [attachment_id],
  );

  const merged = (await send('GET', '/tickets.php?id=2')).body.data;
  t.like(merged, { status: 'closed', merged_into: 1, total_minutes: 0, assets: [], waiting_since: null });
  t.deepEqual(
    merged.comments.map((each: any) => [each.comment, each.author_type]),
    [['Merged into ticket 1001', 'system']],
  );
  t.deepEqual((await send('GET', '/tickets.php?action=attachments&id=2')).body.data, []);
  const seen = await customer('GET', '/tickets/1');
  t.deepEqual(
    seen.body.comments.map((each: any) => each.comment),
    ['We look into it', 'Hello?', 'Ticket 1002 was merged into this one: Printer again\n\nStill broken'],
  );

  await app.app.outbox.drain();
  const mails = (await readMails(app)).slice(mailsBefore);
  t.deepEqual(
    mails.map(({ template }) => template),
    ['ticket_closed'],
    'one mail, about the closing',
  );
  t.regex(mails[0]?.text ?? '', /Merged into ticket 1001/);
  const events = (await storedEvents(app)).filter(({ name }) => name.startsWith('ticket.')).slice(-3);
  t.deepEqual(events.map(({ name, data }) => `${name} ${data.ticket_id}`).toSorted(), [
    'ticket.closed 2',
    'ticket.updated 1',
    'ticket.updated 2',
  ]);
  const counted = await send('GET', '/tickets.php?action=counts&views=closed,open');
  t.deepEqual(
    counted.body.data.map((each: any) => each.count),
    [1, 1],
  );
});

test('Merge a ticket into another: rejects invalid merges and chains', async (t) => {
  const app = await startApp(t);
  const { employee, send, merge } = await seedTwo(app);
  await seedTicket(app, employee);
  await seedTicket(app, await seedEmployee(app));
  const refused = async (id: number, into: unknown) => {
    const { status, body } = await merge(id, into);
    return [status, body.error];
  };
  t.deepEqual(await refused(1, 1), [400, 'into must be a different ticket']);
  const elsewhere = [400, 'into must be a ticket of the same company'];
  t.deepEqual(await refused(1, 4), elsewhere);
  t.deepEqual(await refused(1, 99), elsewhere);
  t.is((await merge(99, 1)).status, 404);
  t.is((await merge(1, 'two')).status, 400);
  t.is((await merge(1, undefined)).status, 400);
  t.is((await storedTicket(app, 1))?.status, 'open');

  t.is((await merge(1, 2)).status, 200);
  t.deepEqual(await refused(1, 3), [400, 'The ticket is already merged']);
  t.deepEqual(await refused(3, 1), [400, 'into has itself been merged into another ticket']);
  t.is((await merge(2, 3)).status, 200);
  const into = async (id: number) => (await send('GET', `/tickets.php?id=${id}`)).body.data.merged_into;
  t.deepEqual([await into(1), await into(2), await into(3)], [3, 3, null], 'what was merged before points to it, too');

  await send('PUT', '/tickets.php?id=1', { status: 'open' });
  t.is(await into(1), null, 'opened again it is a ticket of its own');
  t.is((await merge(1, 3)).status, 200);

  const reader = await asKey(app, ['tickets:read']);
  t.is((await reader('POST', '/tickets.php?action=merge&id=3', { into: 1 })).status, 403);
  await send('DELETE', '/tickets.php?id=3');
  t.is((await merge(3, 1)).status, 404);
});

test('Merge a ticket into another: both concurrently, crosswise', async (t) => {
  const app = await startApp(t);
  const { merge } = await seedTwo(app);
  const answers = await Promise.all([merge(1, 2), merge(2, 1)]);
  t.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 400],
  );
  const closed = [await storedTicket(app, 1), await storedTicket(app, 2)].filter((each) => each?.status === 'closed');
  t.is(closed.length, 1);
});

test('List the changes of a ticket', async (t) => {
  const app = await startApp(t);
  const { technician, customer, send, merge } = await seedTwo(app);
  await send('PUT', '/tickets.php?id=1', { priority: 1, assigned_to: technician.user_id });
  await send('POST', '/tickets.php?action=comments&id=1', { comment: 'A secret of ours', is_internal: true });
  await customer('PUT', '/tickets/1', { status: 'closed' });
  const { status, body } = await send('GET', '/tickets.php?action=history&id=1&per_page=2');
  t.is(status, 200);
  t.deepEqual(body.pagination, { page: 1, per_page: 2, total: 3, total_pages: 2 });
  const [closed, changed] = body.data;
  t.like(closed, {
    action: 'update',
    user_id: null,
    description: 'Ticket 1001 updated',
    changes: { status: ['open', 'closed'] },
  });
  t.deepEqual(Object.keys(changed).toSorted(), [
    'action',
    'changes',
    'created_at',
    'description',
    'log_id',
    'user',
    'user_id',
  ]);
  t.like(changed, { user_id: technician.user_id, user: technician.name });
  t.deepEqual(changed.changes, { priority: [3, 1], assigned_to: [null, technician.user_id] });
  const [first] = (await send('GET', '/tickets.php?action=history&id=1&per_page=2&page=2')).body.data;
  t.like(first, { action: 'create', description: 'Ticket 1001 created', changes: {} });
  t.false(JSON.stringify(body).includes('secret'));

  await merge(2, 1);
  const [merged] = (await send('GET', '/tickets.php?action=history&id=1')).body.data;
  t.deepEqual(merged.changes, { merged: [null, 1002] });
  t.is((await send('GET', '/tickets.php?action=history&id=99')).status, 404);
  const other = await asKey(app, ['assets:read', 'settings:read']);
  t.is((await other('GET', '/tickets.php?action=history&id=1')).status, 403);
  const statements = await app.fewestStatements(() => send('GET', '/tickets.php?action=history&id=1'));
  t.true(statements <= 6, String(statements));
});

test('Comment on a ticket: comments on a merged ticket go to its target', async (t) => {
  const app = await startApp(t);
  const cy = await seedEmployee(app);
  const bo = await seedEmployee(app, { company_number: cy.company_number });
  const stranger = await seedEmployee(app, { company_number: cy.company_number });
  const [asCy, asBo, asStranger] = [
    await asEmployee(app, cy),
    await asEmployee(app, bo),
    await asEmployee(app, stranger),
  ];
  const send = await asKey(app);
  const raise = async (by: typeof asCy) =>
    (await by('POST', '/tickets', { subject: 'Printer', description: 'It is broken' })).body.ticket_id;
  const [kept, copy, older] = [await raise(asCy), await raise(asBo), await raise(asBo)];
  t.is((await asBo('GET', `/tickets/${kept}`)).status, 404);
  await send('POST', `/tickets.php?action=merge&id=${older}`, { into: copy });
  await send('POST', `/tickets.php?action=merge&id=${copy}`, { into: kept });

  for (const id of [copy, older]) {
    const { status, body } = await asBo('POST', `/tickets/${id}/comments`, { comment: `still broken ${id}` });
    t.deepEqual([status, body.ticket_id], [201, kept]);
    const { merged_into, comments } = (await asBo('GET', `/tickets/${id}`)).body;
    t.is(merged_into, kept);
    t.is(comments.at(-1).comment, `Merged into ticket ${1000 + kept}`);
  }
  const seen = await asBo('GET', `/tickets/${kept}`);
  t.is(seen.status, 200);
  const said = seen.body.comments.map(({ comment }: { comment: string }) => comment);
  t.true(said.includes(`still broken ${copy}`) && said.includes(`still broken ${older}`));
  t.is((await asStranger('GET', `/tickets/${kept}`)).status, 404);
  const { body: detail } = await send('GET', `/tickets.php?id=${kept}`);
  t.like(detail.data, { status: 'open', last_comment_by: 'customer' });
  t.is((await send('GET', `/tickets.php?id=${copy}`)).body.data.status, 'closed');

  await app.app.outbox.drain();
  const mailsBefore = (await readMails(app)).length;
  t.is((await send('POST', `/tickets.php?action=comments&id=${copy}`, { comment: 'Fixed' })).body.data.ticket_id, kept);
  await app.app.outbox.drain();
  const told = (await readMails(app)).slice(mailsBefore).map(({ to }) => to);
  t.deepEqual(told.toSorted(), [cy.email, bo.email].toSorted(), 'both requesters are told');

  const reply = { comment: 'Fixed again', duration_minutes: 15, status: 'in_progress' };
  const replied = (await send('POST', `/tickets.php?action=reply&id=${older}`, reply)).body.data;
  t.like(replied, { ticket_id: kept, status: 'in_progress' }, 'with its time and status');
  const logged = await send('POST', `/tickets.php?action=time-entries&id=${copy}`, { duration_minutes: 5 });
  t.is(logged.body.data.ticket_id, kept);
  t.is((await send('GET', `/tickets.php?id=${older}`)).body.data.status, 'closed');
  const entries = (await send('GET', `/tickets.php?id=${kept}`)).body.data.time_entries;
  t.deepEqual(
    entries.map((each: { duration_minutes: number }) => each.duration_minutes),
    [5, 15],
  );

  await asBo('PUT', `/tickets/${copy}`, { status: 'open' });
  t.is((await asBo('POST', `/tickets/${copy}/comments`, { comment: 'Another one' })).body.ticket_id, copy);
});

test('the requester of a merged ticket gets the mail about the closing once, with the solution written with it', async (t) => {
  const app = await startApp(t);
  const cy = await seedEmployee(app);
  const { company_number } = cy;
  const bo = await seedEmployee(app, { company_number });
  const open = ({ employee_number }: typeof cy) => seedTicket(app, { company_number, employee_number });
  const [kept, copy, other] = [await open(cy), await open(bo), await open(cy)];
  const send = await asKey(app);
  const { employee_number } = bo;
  await send('POST', `/tickets.php?action=watchers&id=${kept.ticket_id}`, { employee_number });
  await send('POST', `/tickets.php?action=merge&id=${copy.ticket_id}`, { into: kept.ticket_id });
  await app.app.outbox.drain();
  const mailed = async (work: () => Promise<unknown>) => {
    app.clock.set(plus(app.clock.now(), { minutes: 1 }));
    const before = (await readMails(app)).length;
    await work();
    await app.app.outbox.drain();
    return (await readMails(app)).slice(before);
  };
  const toldOf = (mails: Awaited<ReturnType<typeof readMails>>) =>
    mails.map(({ template, to }) => `${template} ${to}`).toSorted();

  const reply = { comment: 'Replaced the toner', status: 'closed' };
  const closing = await mailed(() => send('POST', `/tickets.php?action=reply&id=${kept.ticket_id}`, reply));
  t.deepEqual(toldOf(closing), [`ticket_closed ${cy.email}`, `ticket_closed ${bo.email}`].toSorted());
  t.true(closing.every(({ text }) => text.includes('Replaced the toner')));

  await send('PUT', `/tickets.php?id=${kept.ticket_id}`, { status: 'open' });
  const ticket_ids = [kept.ticket_id, other.ticket_id];
  const bulk = await mailed(() => send('POST', '/bulk/tickets.php', { action: 'close', ticket_ids }));
  t.deepEqual(toldOf(bulk), [...toldOf(closing), `ticket_closed ${cy.email}`].toSorted());
});

test('a file sent to a merged ticket goes to its target', async (t) => {
  const app = await startApp(t);
  const { employee, send, merge } = await seedTwo(app);
  await merge(2, 1);
  const { token } = await signIn(app, employee);
  const sent = await app.request('POST', '/helpdesk/api/v1/tickets/2/attachments', {
    token,
    ...multipart([{ name: 'screen.txt', bytes: 'screen' }]),
  });
  t.is(sent.status, 201, sent.text);
  const files = async (id: number) => (await send('GET', `/tickets.php?action=attachments&id=${id}`)).body.data.length;
  t.deepEqual([await files(1), await files(2)], [1, 0]);
});
