// Due dates of tickets (T-38).
import { Ticket } from '@keelson/modules/tickets';
import { startApp, testClock } from '@keelson/testing';
import test from 'ava';
import { asEmployee, asKey, seedCompany, seedEmployee, seedTicket } from '../tickets-seed.ts';

const numbersOf = (answer: { body: any }): number[] => answer.body.data.map((each: any) => each.ticket_id);

test('Update any ticket: a due date is set, changed, cleared and recorded', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const send = await asKey(app);
  const made = await send('POST', '/tickets.php', { company_number, subject: 'New laptop', due_date: '2026-04-01' });
  t.is(made.status, 201, made.body.error);
  const plain = await send('POST', '/tickets.php', { company_number, subject: 'Old laptop', due_date: null });
  t.is(plain.status, 201, plain.body.error);
  const dueOf = async (id: number) => (await send('GET', `/tickets.php?id=${id}`)).body.data.due_date;
  t.deepEqual([await dueOf(1), await dueOf(2)], ['2026-04-01', null]);
  t.is((await send('PUT', '/tickets.php?id=2', { due_date: '2026-05-04' })).body.data.due_date, '2026-05-04');
  t.is((await send('PUT', '/tickets.php?id=1', { due_date: '' })).body.data.due_date, null);
  const changes = (await send('GET', '/tickets.php?action=history&id=2')).body.data.map((each: any) => each.changes);
  t.deepEqual(changes[0], { due_date: [null, '2026-05-04'] });
  for (const due_date of ['tomorrow', '2026-02-30', 5]) {
    const refused = await send('PUT', '/tickets.php?id=1', { due_date });
    t.is(refused.status, 400);
    t.regex(refused.body.error, /due_date/);
  }
});

test('Create any ticket; Update any ticket: the due date is not before the start date', async (t) => {
  const app = await startApp(t);
  const { company_number } = await seedCompany(app);
  const send = await asKey(app);
  const create = (dates: object) => send('POST', '/tickets.php', { company_number, subject: 'Move', ...dates });
  const put = (dates: object) => send('PUT', '/tickets.php?id=1', dates);
  const late = 'due_date must not be before start_date';
  t.is((await create({ start_date: '2026-04-02', due_date: '2026-04-01' })).body.error, late);
  t.is((await create({ start_date: '2026-04-01', due_date: '2026-04-01' })).status, 201);
  const refused = await put({ due_date: '2026-03-31' });
  t.deepEqual([refused.status, refused.body.error], [400, late]);
  t.is((await put({ start_date: '2026-04-02' })).body.error, 'start_date must not be after due_date');
  t.is((await put({ start_date: '2026-05-02', due_date: '2026-05-01' })).body.error, late);
  t.is((await put({ start_date: '2026-05-01', due_date: '2026-05-02' })).status, 200);
  t.is((await put({ start_date: null, due_date: '2026-04-01' })).status, 200);
  await app.run((ctx) => ctx.db.update(Ticket, { ticket_id: 1 }, { start_date: '2026-06-01' }));
  t.is((await put({ subject: 'Moved', due_date: '2026-04-01' })).status, 200, 'dates from before are kept');
});

test('List tickets: by due date', async (t) => {
  const app = await startApp(t, { clock: testClock('2026-03-10T12:00:00.000Z') });
  const { company_number } = await seedCompany(app);
  const send = await asKey(app);
  const days = ['2026-03-09', '2026-03-10', '2026-03-16', '2026-03-17', null, '2026-03-01'];
  for (const due_date of days) await seedTicket(app, { company_number, due_date });
  await send('PUT', '/tickets.php?id=6', { status: 'closed' });
  for (const [query, expected] of [
    ['due=overdue', [1]],
    ['due=TODAY', [2]],
    ['due=week', [2, 3]],
    ['due=set', [6, 1, 2, 3, 4]],
    ['due=set&status=unresolved', [1, 2, 3, 4]],
    ['due=none', [5]],
    ['due_before=2026-03-10', [6, 1, 2]],
    ['due_after=2026-03-16', [3, 4]],
    ['due_after=2026-03-02&due_before=2026-03-16&status=open', [1, 2, 3]],
    ['status=all', [5, 6, 1, 2, 3, 4]],
  ] as const) {
    const found = await send('GET', `/tickets.php?${query}&sort=due_date&order=asc`);
    t.deepEqual(numbersOf(found), expected as unknown as number[], query);
    t.is(found.body.pagination.total, expected.length, query);
    const backwards = await send('GET', `/tickets.php?${query}&sort=due_date&order=desc&per_page=2`);
    t.deepEqual(numbersOf(backwards), expected.toReversed().slice(0, 2), query);
  }
  t.is((await send('GET', '/tickets.php?due=soon')).body.error, 'due must be one of: overdue, today, week, set, none');
  t.regex((await send('GET', '/tickets.php?due_before=soon')).body.error, /^due_before must be a date/);
});

test('Read a ticket: customers do not see the due date', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const { company_number, employee_number } = employee;
  await seedTicket(app, { company_number, employee_number, due_date: '2026-04-01' });
  const customer = await asEmployee(app, employee);
  for (const path of ['/tickets', '/tickets/1', '/tickets/search?due=set'])
    t.false(JSON.stringify((await customer('GET', path)).body).includes('2026-04-01'), path);
});
