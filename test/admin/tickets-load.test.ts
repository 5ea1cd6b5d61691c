// Technicians' workload, and followers of new tickets.
import { startApp, testClock } from '@keelson/testing';
import test from 'ava';
import { TicketTimeEntry } from '../../modules/tickets/entities.ts';
import { asKey, seedEmployee, seedTechnician, seedTicket } from '../tickets-seed.ts';

test('Read the load of technicians', async (t) => {
  const app = await startApp(t, { clock: testClock('2026-03-03T09:00:00.000Z') });
  const { company_number } = await seedEmployee(app);
  const [busy, idle] = [await seedTechnician(app), await seedTechnician(app)];
  const assigned_to = busy.user_id;
  const ticket = (more: object) => seedTicket(app, { company_number, assigned_to, ...more });
  const late = await ticket({ due_date: '2026-03-02' });
  await ticket({ due_date: '2026-03-03' });
  const done = await ticket({ due_date: '2026-03-01' });
  await seedTicket(app, { company_number, due_date: '2026-03-01' });
  const send = await asKey(app);
  await send('PUT', `/tickets.php?id=${done.ticket_id}`, { status: 'closed' });
  const log = (work_date: string, duration_minutes: number) =>
    app.run((ctx) => ctx.db.insert(TicketTimeEntry, entry(ctx.now, work_date, duration_minutes)));
  const entry = (created_at: string, work_date: string, duration_minutes: number) => ({
    ...{ ticket_id: late.ticket_id, user_id: idle.user_id, user_name: idle.name, company_number },
    ...{ created_at, work_date, duration_minutes },
  });
  await log('2026-03-03', 50);
  await log('2026-03-03', 25);
  await log('2026-03-02', 240);
  const { data } = (await send('GET', '/tickets.php?action=load')).body;
  t.is(data[0].user_id, busy.user_id);
  t.like(data[0], { name: busy.name, open_tickets: 2, overdue_tickets: 1, minutes_today: 0 });
  t.like(
    data.find((each: any) => each.user_id === idle.user_id),
    { open_tickets: 0, overdue_tickets: 0, minutes_today: 75 },
  );
  t.is((await (await asKey(app, ['assets:read']))('GET', '/tickets.php?action=load')).status, 403);
});

test('contacts and technicians follow a ticket from its creation; strangers do not', async (t) => {
  const app = await startApp(t);
  const employee = await seedEmployee(app);
  const stranger = await seedEmployee(app);
  const { user_id } = await seedTechnician(app);
  const { company_number, employee_number } = employee;
  const send = await asKey(app);
  const create = (body: object) => send('POST', '/tickets.php', { company_number, subject: 'Move', ...body });
  const { body } = await create({ watchers: [employee_number], technician_watchers: [user_id, user_id] });
  const detail = (await send('GET', `/tickets.php?id=${body.data.ticket_id}`)).body.data;
  t.deepEqual(
    detail.watchers.map((each: any) => `${each.employee_number} ${each.user_id}`).toSorted(),
    [`${employee_number} null`, `null ${user_id}`].toSorted(),
  );
  const other = await create({ watchers: [stranger.employee_number] });
  t.is(other.body.error, 'watchers must be active people of the company');
  const nobody = await create({ technician_watchers: [999] });
  t.is(nobody.body.error, 'technician_watchers must be active technicians');
  t.is(nobody.status, 400);
});
