// Ticket templates, and checklists of tickets.
import { closeTicket, lockTicket } from '@keelson/modules/tickets';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { TicketChecklistItem } from '../../modules/planned/checklists/entities.ts';
import { seedTechnician } from '../accounts-seed.ts';
import { asEmployee, asKey, seedEmployee, seedTicket, storedTicket } from '../tickets-seed.ts';

const rights = ['tickets:read', 'tickets:write', 'planned:write'];

/** The current time of the test clock. */
const NOW = '2026-03-02T09:00:00Z';

const onboarding = {
  name: 'Onboarding',
  subject: 'New employee',
  description: 'Prepare everything before the first day',
  priority: 2,
  due_in_days: 5,
  checklist: [{ title: 'Create account', required: true }, { title: 'Order laptop' }],
};

async function desk(app: TestApp) {
  const send = await asKey(app, rights);
  const data = async (method: string, path: string, body?: unknown) => {
    const answer = await send(method, path, body);
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
    return answer.body?.data;
  };
  return { send, data };
}

async function withTicket(app: TestApp) {
  const employee = await seedEmployee(app);
  const ticket = await seedTicket(app, employee);
  const path = `/tickets/checklist.php?id=${ticket.ticket_id}`;
  return { ...(await desk(app)), employee, ticket_id: ticket.ticket_id, path };
}

test('Create a ticket template; Read a ticket template; Change a ticket template; List ticket templates; Delete a ticket template', async (t) => {
  const app = await startApp(t);
  const { send, data } = await desk(app);
  const made = await data('POST', '/ticket-templates.php', onboarding);
  t.like(made, { name: 'Onboarding', priority: 2, assigned_to: null, due_in_days: 5 });
  t.deepEqual(made.checklist, [
    { title: 'Create account', required: true },
    { title: 'Order laptop', required: false },
  ]);
  t.is((await send('POST', '/ticket-templates.php', { ...onboarding, name: ' ONBOARDING ' })).status, 409);
  const path = `/ticket-templates.php?id=${made.template_id}`;
  const { user_id } = await seedTechnician(app);
  t.is((await data('PUT', path, { assigned_to: user_id })).assigned_to, user_id);
  t.is((await send('PUT', path, { assigned_to: 999 })).body.error, 'assigned_to must be an active technician');
  t.is((await data('GET', path)).due_in_days, 5);
  await data('POST', '/ticket-templates.php', { name: 'Backup check', subject: 'Check backups' });
  t.deepEqual(
    (await data('GET', '/ticket-templates.php')).map((each: any) => each.name),
    ['Backup check', 'Onboarding'],
  );
  t.is((await send('DELETE', path)).status, 204);
  t.is((await send('GET', path)).status, 404);
});

test('templates, recurring tickets, calendars and policies are searched by name', async (t) => {
  const app = await startApp(t);
  const { data } = await desk(app);
  const send = await asKey(app, ['settings:read', 'settings:write', 'tickets:read']);
  const read = async (path: string) => (await send('GET', path)).body.data;
  const named = async (path: string) => (await read(path)).map((each: { name: string }) => each.name);
  for (const name of ['Onboarding', 'Offboarding', 'Büro-Umzug'])
    await data('POST', '/ticket-templates.php', { ...onboarding, name, subject: `${name} of a colleague` });
  t.deepEqual(await named('/ticket-templates.php?search=boarding'), ['Offboarding', 'Onboarding']);
  t.deepEqual(await named('/ticket-templates.php?search=umzug+buro'), ['Büro-Umzug']);
  t.deepEqual(await named('/ticket-templates.php?search=colleague+on'), ['Onboarding']);
  const hours = [{ weekday: 'monday', from: '09:00', to: '17:00' }];
  for (const name of ['Office hours', 'Weekend shift'])
    t.is((await send('POST', '/levels/calendars.php', { name, time_zone: 'UTC', hours })).status, 201);
  t.deepEqual(await named('/levels/calendars.php?search=office'), ['Office hours']);
  for (const path of ['/levels/calendars.php', '/levels/policies.php', '/recurring-tickets.php'])
    t.deepEqual(await named(`${path}?search=nothing`), []);
});

test('templates require planned:write to change', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['tickets:read', 'tickets:write']);
  t.is((await send('POST', '/ticket-templates.php', onboarding)).status, 403);
  t.is((await send('GET', '/ticket-templates.php')).status, 200);
});

test('a ticket created from a template gets its checklist in the same transaction', async (t) => {
  const app = await startApp(t);
  const { send, data } = await desk(app);
  const { company_number } = await seedEmployee(app);
  const { template_id } = await data('POST', '/ticket-templates.php', onboarding);
  const body = { company_number, subject: 'Ada starts on Monday', template_id };
  const { ticket_id } = await data('POST', '/tickets.php', body);
  const { checklist, subject } = await data('GET', `/tickets.php?id=${ticket_id}`);
  t.is(subject, 'Ada starts on Monday');
  t.deepEqual(
    checklist.map(({ title, required, done_at }: any) => [title, required, done_at]),
    [
      ['Create account', true, null],
      ['Order laptop', false, null],
    ],
  );
  const refused = await send('POST', '/tickets.php', { ...body, template_id: 999 });
  t.is(refused.body.error, 'template_id must be an existing ticket template');
  t.is((await data('GET', '/tickets.php')).length, 1);
});

test('Add an item to the checklist of a ticket; Change or complete a checklist item; Remove a checklist item; Read the checklist of a ticket; Add the checklist of a template to a ticket', async (t) => {
  const app = await startApp(t);
  const { send, data, path, ticket_id } = await withTicket(app);
  const [first] = await data('POST', path, { title: 'Call back', required: true });
  t.like(first, { title: 'Call back', required: true, done_at: null, done_by: '' });
  const { template_id } = await data('POST', '/ticket-templates.php', onboarding);
  const all = await data('POST', `/tickets/checklist.php?action=template&id=${ticket_id}`, { template_id });
  t.deepEqual(
    all.map((each: any) => each.title),
    ['Call back', 'Create account', 'Order laptop'],
  );
  const one = `${path}&item_id=${first.item_id}`;
  const [done] = await data('PUT', one, { done: true });
  t.is(done.done_at, NOW);
  t.not(done.done_by, '');
  const [renamed] = await data('PUT', one, { title: 'Call Ada back', required: false });
  t.like(renamed, { title: 'Call Ada back', required: false, done_at: NOW });
  t.is((await data('PUT', one, { done: false }))[0].done_at, null);
  t.is((await send('DELETE', one)).status, 204);
  t.is((await send('DELETE', one)).status, 404);
  t.is((await data('GET', path)).length, 2);
  const history = await data('GET', `/tickets.php?action=history&id=${ticket_id}`);
  const said = history.map((each: any) => each.description).filter((each: string) => each.includes('Call'));
  t.deepEqual(said.toSorted(), [
    'Checklist item “Call Ada back” is no longer required',
    'Checklist item “Call Ada back” removed',
    'Checklist item “Call Ada back” reopened',
    'Checklist item “Call back” added',
    'Checklist item “Call back” completed',
    'Checklist item “Call back” renamed to “Call Ada back”',
  ]);
});

test('an item is only found on its own ticket, and a checklist has at most 100 items', async (t) => {
  const app = await startApp(t);
  const { send, data, path, ticket_id, employee } = await withTicket(app);
  const [item] = await data('POST', path, { title: 'Call back' });
  const other = await seedTicket(app, employee);
  const elsewhere = `/tickets/checklist.php?id=${other.ticket_id}&item_id=${item.item_id}`;
  t.is((await send('PUT', elsewhere, { done: true })).status, 404);
  const checklist = Array.from({ length: 100 }, (_, index) => ({ title: `Step ${index}` }));
  const { template_id } = await data('POST', '/ticket-templates.php', { name: 'Long', subject: 'Long', checklist });
  const full = await send('POST', `/tickets/checklist.php?action=template&id=${ticket_id}`, { template_id });
  t.is(full.status, 400);
  t.is(full.body.error, 'A checklist can have at most 100 items');
  t.is((await data('GET', path)).length, 1);
});

test('a ticket with open required items cannot be closed in any way', async (t) => {
  const app = await startApp(t);
  const { send, data, path, ticket_id, employee } = await withTicket(app);
  const [item] = await data('POST', path, { title: 'Create account', required: true });
  await data('POST', path, { title: 'Order laptop' });
  const why = 'Complete the required checklist items before closing the ticket: “Create account”';
  const update = await send('PUT', `/tickets.php?id=${ticket_id}`, { status: 'closed' });
  t.is(update.status, 400);
  t.is(update.body.error, why);
  const reply = await send('POST', `/tickets.php?action=reply&id=${ticket_id}`, { comment: 'Bye', status: 'closed' });
  t.is(reply.body.error, why);
  t.is((await data('GET', `/tickets.php?id=${ticket_id}`)).comments.length, 0);
  await t.throwsAsync(
    app.run(async (ctx) => closeTicket(ctx, await lockTicket(ctx, ticket_id))),
    { message: why },
  );
  const bulk = { action: 'close', ticket_ids: [ticket_id] };
  const preview = await data('POST', '/bulk/tickets-preview.php', bulk);
  t.like(preview.tickets[0], { outcome: 'refused', error: why });
  t.deepEqual((await data('POST', '/bulk/tickets.php', bulk)).results, [{ ticket_id, success: false, error: why }]);
  // Customers do not learn what the provider still has to do.
  const customer = await asEmployee(app, employee);
  const own = await customer('PUT', `/tickets/${ticket_id}`, { status: 'closed' });
  t.is(own.status, 400);
  t.false(JSON.stringify(own.body).includes('account'));
  const many = await customer('POST', '/tickets/bulk', bulk);
  t.false(many.body.results[0].success);
  t.false(JSON.stringify((await customer('GET', `/tickets/${ticket_id}`)).body).includes('Create account'));
  t.is((await storedTicket(app, ticket_id)).status, 'open');
  await data('PUT', `${path}&item_id=${item.item_id}`, { done: true });
  t.is((await data('PUT', `/tickets.php?id=${ticket_id}`, { status: 'closed' })).status, 'closed');
});

test('merging closes the ticket and moves its checklist', async (t) => {
  const app = await startApp(t);
  const { data, path, ticket_id, employee } = await withTicket(app);
  await data('POST', path, { title: 'Create account', required: true });
  const into = (await seedTicket(app, employee)).ticket_id;
  await data('POST', `/tickets/checklist.php?id=${into}`, { title: 'Call back' });
  const merged = await data('POST', `/tickets.php?action=merge&id=${ticket_id}`, { into });
  t.deepEqual(
    merged.checklist.map((each: any) => each.title),
    ['Call back', 'Create account'],
  );
  t.deepEqual(await data('GET', path), []);
  t.is((await storedTicket(app, ticket_id)).status, 'closed');
});

test('tasks left open in many closed tickets hide no task of an open one', async (t) => {
  const app = await startApp(t);
  const { data, path, employee, ticket_id } = await withTicket(app);
  const { user_id } = await seedTechnician(app);
  const { ticket_id: closed } = await seedTicket(app, employee);
  await data('PUT', `/tickets.php?id=${closed}`, { status: 'closed' });
  const left = Array.from({ length: 600 }, (_, position) => ({
    ...{ ticket_id: closed, position, title: `Left ${position}`, assigned_to: user_id, due_date: null },
    ...{ done_at: null, created_at: app.clock.now() },
  }));
  await app.run((ctx) => ctx.db.insert(TicketChecklistItem, left));
  await data('POST', path, { title: 'Some day', assigned_to: user_id });
  await data('POST', path, { title: 'Tomorrow', assigned_to: user_id, due_date: '2026-03-05' });
  t.like(await data('GET', `/tickets/tasks.php?assigned_to=${user_id}`), {
    length: 2,
    0: { title: 'Tomorrow', ticket_id },
    1: { title: 'Some day' },
  });
});

test('the history of a task has its date in words', async (t) => {
  const app = await startApp(t);
  const { data, path, ticket_id } = await withTicket(app);
  const { user_id } = await seedTechnician(app);
  const [{ item_id }] = await data('POST', path, { title: 'Call', assigned_to: user_id });
  for (const change of [{ due_date: '2026-03-05' }, { due_date: null }, { assigned_to: null }])
    await data('PUT', `${path}&item_id=${item_id}`, change);
  const history = await data('GET', `/tickets.php?action=history&id=${ticket_id}`);
  t.deepEqual(
    history.slice(0, 3).map((each: any) => each.description),
    [
      'Checklist item “Call” unassigned',
      'Checklist item “Call” no longer has a due date',
      'Checklist item “Call” is due 5 Mar 2026',
    ],
  );
});

test('List the open tasks of a technician: in open tickets, earliest due first', async (t) => {
  const app = await startApp(t);
  const { send, data, path, ticket_id } = await withTicket(app);
  const { user_id } = await seedTechnician(app);
  const wrong = { title: 'X', assigned_to: 999 };
  t.is((await send('POST', path, wrong)).body.error, 'assigned_to must be an active technician');
  await data('POST', path, { title: 'Later', assigned_to: user_id });
  await data('POST', path, { title: 'Soon', assigned_to: user_id, due_date: '2026-03-05' });
  const items = await data('POST', path, { title: 'Somebody' });
  t.like(items[1], { title: 'Soon', assigned_to: user_id, due_date: '2026-03-05', done_at: null });
  const tasks = async () =>
    (await data('GET', `/tickets/tasks.php?assigned_to=${user_id}`)).map((each: any) => each.title);
  t.deepEqual(await tasks(), ['Soon', 'Later']);
  await data('PUT', `${path}&item_id=${items[2].item_id}`, { assigned_to: user_id, due_date: '2026-03-04' });
  t.deepEqual(await tasks(), ['Somebody', 'Soon', 'Later']);
  await data('PUT', `${path}&item_id=${items[1].item_id}`, { done: true });
  t.deepEqual(await tasks(), ['Somebody', 'Later']);
  t.is(
    (await send('GET', '/tickets/tasks.php?assigned_to=me')).body.error,
    'assigned_to=me requires a technician session',
  );
  const history = await data('GET', `/tickets.php?action=history&id=${ticket_id}`);
  t.true(history.some((each: any) => each.description.startsWith('Checklist item “Somebody” assigned to ')));
  await data('PUT', `/tickets.php?id=${ticket_id}`, { status: 'closed' });
  t.deepEqual(await tasks(), []);
});
