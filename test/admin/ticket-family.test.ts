// Parent and child tickets, start and estimate.
import { lockTicket } from '@keelson/modules/tickets';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { addWatcher } from '../../modules/tickets/people/watchers.ts';
import { signInOnPage } from '../accounts-seed.ts';
import {
  asEmployee,
  asKey,
  seedEmployee,
  seedTeam,
  seedTechnician,
  seedTicket,
  staff,
  storedTicket,
} from '../tickets-seed.ts';

async function withFamily(app: TestApp) {
  const employee = await seedEmployee(app);
  const { company_number } = employee;
  const send = await asKey(app);
  const parent = await seedTicket(app, { company_number, subject: 'New office' });
  const [one, two] = [
    await seedTicket(app, { company_number, subject: 'Cabling', parent_id: parent.ticket_id }),
    await seedTicket(app, { company_number, subject: 'Printers', parent_id: parent.ticket_id }),
  ];
  const put = (id: number, body: unknown) => send('PUT', `/tickets.php?id=${id}`, body);
  const read = async (id: number) => (await send('GET', `/tickets.php?id=${id}`)).body.data;
  return { employee, company_number, send, parent, one, two, put, read };
}

test('a ticket shows its parent and children, and its start and estimate', async (t) => {
  const app = await startApp(t);
  const { company_number, send, parent, one, two, read, put } = await withFamily(app);
  t.is((await put(one.ticket_id, { start_date: '2026-03-04', estimate_minutes: 90 })).status, 200);
  const whole = await read(parent.ticket_id);
  t.is(whole.parent, null);
  t.like(whole.children, [
    { ticket_id: one.ticket_id, ticket_number: one.ticket_number, subject: 'Cabling', status: 'open' },
    { ticket_id: two.ticket_id },
  ]);
  const part = await read(one.ticket_id);
  t.like(part, { start_date: '2026-03-04', estimate_minutes: 90, parent_number: parent.ticket_number });
  t.like(part.parent, { ticket_id: parent.ticket_id, subject: 'New office' });
  const listed = await send('GET', `/tickets.php?parent_id=${parent.ticket_id}&sort=ticket_id&order=asc`);
  t.deepEqual(
    listed.body.data.map((each: any) => [each.ticket_id, each.parent_number]),
    [one, two].map((each) => [each.ticket_id, parent.ticket_number]),
  );
  const alone = await send('GET', '/tickets.php?parent_id=none');
  t.deepEqual(
    alone.body.data.map((each: any) => each.ticket_id),
    [parent.ticket_id],
  );
  const made = await send('POST', '/tickets.php', {
    ...{ company_number, subject: 'Phones', parent_id: parent.ticket_id, estimate_minutes: 30 },
  });
  t.is(made.status, 201);
  t.is((await read(parent.ticket_id)).children.length, 3);
});

test('a parent must be a ticket of the same company that is not a child itself', async (t) => {
  const app = await startApp(t);
  const { company_number, parent, one, put, send } = await withFamily(app);
  const stranger = await seedTicket(app, await seedEmployee(app));
  const lone = await seedTicket(app, { company_number });
  const refused = async (id: number, parent_id: number) => (await put(id, { parent_id })).body.error;
  const wrongCompany = 'parent_id must be a ticket of the same company';
  t.is(await refused(lone.ticket_id, stranger.ticket_id), wrongCompany);
  t.is(await refused(lone.ticket_id, 999), wrongCompany);
  t.is(await refused(lone.ticket_id, lone.ticket_id), 'parent_id must be a different ticket');
  t.is(await refused(lone.ticket_id, one.ticket_id), 'parent_id must not be a child ticket itself');
  t.is(await refused(parent.ticket_id, lone.ticket_id), 'parent_id cannot be set: the ticket has child tickets');
  const created = await send('POST', '/tickets.php', { company_number, subject: 'X', parent_id: stranger.ticket_id });
  t.is(created.body.error, wrongCompany);
  t.is((await put(one.ticket_id, { parent_id: null })).body.data.parent, null);
});

test('a parent with open children is closed only together with them', async (t) => {
  const app = await startApp(t);
  const { parent, one, two, put, send } = await withFamily(app);
  const why = `Close the open child tickets first: ${one.ticket_number}, ${two.ticket_number}`;
  const { status, body } = await put(parent.ticket_id, { status: 'closed' });
  t.is(status, 400);
  t.is(body.error, why);
  const bulk = await send('POST', '/bulk/tickets.php', { action: 'close', ticket_ids: [parent.ticket_id] });
  t.is(bulk.body.data.results[0].error, why);
  t.is(
    (await put(parent.ticket_id, { priority: 2, close_children: true })).body.error,
    'close_children requires the status closed',
  );
  await send('POST', `/tickets/checklist.php?id=${two.ticket_id}`, { title: 'Test page', required: true });
  const stuck = await put(parent.ticket_id, { status: 'closed', close_children: true });
  t.is(stuck.status, 400);
  t.regex(stuck.body.error, new RegExp(`^Child ticket ${two.ticket_number} must stay open: .*Test page`));
  t.is((await storedTicket(app, one.ticket_id)).status, 'open');
  await send('DELETE', `/tickets/checklist.php?id=${two.ticket_id}&item_id=1`);
  t.is((await put(parent.ticket_id, { status: 'closed', close_children: true })).body.data.status, 'closed');
  t.is((await storedTicket(app, one.ticket_id)).status, 'closed');
  t.is((await storedTicket(app, two.ticket_id)).status, 'closed');
});

test('a bulk action closes a parent with all of its children', async (t) => {
  const app = await startApp(t);
  const { parent, one, two, send } = await withFamily(app);
  const ticket_ids = [parent, one, two].map((each) => each.ticket_id);
  await send('POST', `/tickets/checklist.php?id=${two.ticket_id}`, { title: 'Test page', required: true });
  const close = async () => (await send('POST', '/bulk/tickets.php', { action: 'close', ticket_ids })).body.data;
  t.like(await close(), { succeeded: 1, failed: 2 });
  await send('PUT', `/tickets/checklist.php?id=${two.ticket_id}&item_id=1`, { done: true });
  t.like(await close(), { succeeded: 3, failed: 0 });
});

test('customers see related tickets that they may open, and cannot close a parent with open work', async (t) => {
  const app = await startApp(t);
  const { company_number, member, itAdmin } = await seedTeam(app);
  const { employee_number } = member;
  const parent = await seedTicket(app, { company_number, employee_number });
  const { ticket_id: parent_id } = parent;
  const internal = await seedTicket(app, { company_number, parent_id, subject: 'Internal' });
  const own = await seedTicket(app, { company_number, parent_id, employee_number, subject: 'Own' });
  const asMember = await asEmployee(app, member);
  const { body } = await asMember('GET', `/tickets/${parent_id}`);
  t.deepEqual(body.children, [
    { ticket_id: own.ticket_id, ticket_number: own.ticket_number, subject: 'Own', status: 'open' },
  ]);
  t.false(JSON.stringify(body).includes('Internal'));
  t.false(JSON.stringify((await asMember('GET', '/tickets')).body).includes('parent_id'));
  t.is((await asMember('GET', `/tickets/${internal.ticket_id}`)).status, 404);
  const refused = await asMember('PUT', `/tickets/${parent_id}`, { status: 'closed' });
  t.is(refused.body.error, 'This ticket has open work that must be completed before it can be closed');
  const seen = await (await asEmployee(app, itAdmin))('GET', `/tickets/${parent_id}`);
  t.is(seen.body.children.length, 2);
});

test('a bulk action by a customer does not close a parent whose child they only watch', async (t) => {
  const app = await startApp(t);
  const person = await seedEmployee(app);
  const { company_number, employee_number } = person;
  const parent = await seedTicket(app, { company_number, employee_number });
  const child = await seedTicket(app, { company_number, parent_id: parent.ticket_id });
  await app.run(async (ctx) => addWatcher(ctx, await lockTicket(ctx, child.ticket_id), { employee_number }));
  const asPerson = await asEmployee(app, person);
  const ticket_ids = [parent.ticket_id, child.ticket_id];
  const { body } = await asPerson('POST', '/tickets/bulk', { action: 'close', ticket_ids });
  t.deepEqual(
    body.results.map((each: any) => each.error),
    [
      'This ticket has open work that must be completed before it can be closed',
      'You follow this ticket but cannot change it',
    ],
  );
  for (const each of [parent, child]) t.is((await storedTicket(app, each.ticket_id)).status, 'open');
});

test('children follow a merged parent, and become independent when it is deleted', async (t) => {
  const app = await startApp(t);
  const { company_number, parent, one, send } = await withFamily(app);
  const other = await seedTicket(app, { company_number });
  const cookie = await signInOnPage(app, await seedTechnician(app));
  const merge = (id: number, into: number) =>
    app.request('POST', `${staff}/tickets.php?action=merge&id=${id}`, { cookie, body: { into } });
  t.is((await merge(parent.ticket_id, other.ticket_id)).status, 200);
  t.is((await storedTicket(app, one.ticket_id)).parent_id, other.ticket_id);
  t.is((await merge(other.ticket_id, one.ticket_id)).status, 200);
  t.is((await storedTicket(app, one.ticket_id)).parent_id, null);
  const rest = await send('GET', `/tickets.php?parent_id=${one.ticket_id}`);
  t.is(rest.body.data.length, 1);
  t.is((await send('DELETE', `/tickets.php?id=${one.ticket_id}`)).status, 204);
  t.is((await storedTicket(app, rest.body.data[0].ticket_id)).parent_id, null);
});
