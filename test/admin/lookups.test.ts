import { changeDropdown } from '@keelson/core/system';
import { Departments, Employee, Technician } from '@keelson/modules/directory';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { IsNull } from 'typeorm';
import { seedCompany, seedEmployee, seedKey, seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { asKey, seedTicket, staff } from '../tickets-seed.ts';

test('List departments: predefined and used ones', async (t) => {
  const app = await startApp(t);
  const contacts = await asKey(app, ['contacts:write', 'contacts:access']);
  const { company_number } = await seedCompany(app);
  const { employee_number } = await seedEmployee(app, { company_number });
  await app.run((ctx) => changeDropdown(ctx, Departments, ['Sales', 'Archive', { value: 'Closed', active: false }]));
  const add = (department: string, email: string) =>
    contacts('POST', '/contacts.php', { company_number, first_name: 'A', last_name: 'B', email, department });
  await add('sales', 'a@example.com');
  await add('Sales', 'b@example.com');
  const { body: last } = await add('Laboratory', 'c@example.com');
  await contacts('PUT', `/contacts.php?id=${employee_number}`, { department: 'Laboratory' });
  const { api_key } = await seedKey(app, 'admin', []);
  const read = async () => (await app.request('GET', `${staff}/departments.php`, { token: api_key })).body;
  const answer = await read();
  const [archive, laboratory, sales] = answer.data;
  t.deepEqual(answer, {
    success: true,
    data: [
      { department_id: archive.department_id, name: 'Archive', employee_count: 0 },
      { department_id: laboratory.department_id, name: 'Laboratory', employee_count: 2 },
      { department_id: sales.department_id, name: 'Sales', employee_count: 2 },
    ],
  });
  t.is(new Set(answer.data.map((each: { department_id: number }) => each.department_id)).size, 3);
  await contacts('DELETE', `/contacts.php?id=${last.data.employee_number}`);
  t.deepEqual((await read()).data[1], { ...laboratory, employee_count: 1 });
  await contacts('PUT', `/contacts.php?id=${employee_number}`, { department: '' });
  t.deepEqual((await read()).data, [archive, sales]);
  t.is(await app.app.database.countBy(Employee, { department: 'Laboratory', deleted_at: IsNull() }), 0);
  t.is((await app.request('GET', `${staff}/departments.php`)).status, 401);
});

test('List technicians with their status', async (t) => {
  const app = await startApp(t);
  const send = await asKey(app, ['tickets:read', 'tickets:write', 'tickets:delete']);
  const seen = async (minutesAgo: number | undefined, name: string, more: object = {}) => {
    const technician = await seedTechnician(app, 'technician');
    const at =
      minutesAgo === undefined ? null : new Date(Date.parse(app.clock.now()) - minutesAgo * 60_000).toISOString();
    const set = { name, last_activity_at: at, ...more };
    await app.app.database.update(Technician, { user_id: technician.user_id }, set);
    return { ...technician, ...set };
  };
  const ann = await seen(14, 'Ann');
  await seen(15, 'Bob');
  await seen(14, 'Cy', { busy: true });
  await seen(60, 'Di', { busy: true });
  await seen(undefined, 'Ed');
  await seen(1, 'Gone', { active: false });
  const { company_number } = await seedCompany(app);
  for (let i = 0; i < 3; i++) await seedTicket(app, { company_number, assigned_to: ann.user_id });
  const { ticket_id } = await seedTicket(app, { company_number });
  const { body, status } = await send('GET', '/tech-status.php');
  t.is(status, 200);
  t.deepEqual(body.data[0], {
    user_id: ann.user_id,
    name: 'Ann',
    email: ann.email,
    role: 'technician',
    status: 'available',
    open_tickets: 3,
    last_activity_at: '2026-03-02T08:46:00Z',
  });
  t.deepEqual(
    body.data.map((each: { name: string; status: string }) => [each.name, each.status]),
    [
      ['Ann', 'available'],
      ['Bob', 'away'],
      ['Cy', 'busy'],
      ['Di', 'offline'],
      ['Ed', 'offline'],
    ],
  );
  const open = async () =>
    (await send('GET', '/tech-status.php')).body.data.map((each: { open_tickets: number }) => each.open_tickets);
  await send('PUT', `/tickets.php?id=${ticket_id}`, { assigned_to: ann.user_id });
  t.deepEqual(await open(), [4, 0, 0, 0, 0]);
  await send('PUT', `/tickets.php?id=${ticket_id}`, { status: 'closed' });
  t.deepEqual(await open(), [3, 0, 0, 0, 0]);
  await send('POST', '/bulk/tickets.php', { action: 'delete', ticket_ids: [ticket_id, ticket_id - 1] });
  t.deepEqual(await open(), [2, 0, 0, 0, 0]);
  t.true((await app.fewestStatements(() => send('GET', '/tech-status.php'))) <= 6);

  const arrived = await seedTechnician(app, 'technician');
  const cookie = await signInOnPage(app, arrived);
  const seenBySelf = await app.request('GET', `${staff}/tech-status.php`, { cookie });
  const own = seenBySelf.body.data.find((each: { user_id: number }) => each.user_id === arrived.user_id);
  t.is(own.status, 'available', 'whoever signs in is there at once');
  const { api_key: other } = await seedKey(app, 'admin', ['companies:read']);
  t.is((await app.request('GET', `${staff}/tech-status.php`, { token: other })).status, 403);
  t.is((await app.request('GET', `${staff}/tech-status.php`)).status, 401);
});
