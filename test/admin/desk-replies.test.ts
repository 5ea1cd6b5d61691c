// Reply templates (NW-22).
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany, seedEmployee, seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { seedTicket } from '../tickets-seed.ts';

const path = '/admin/api/v1/reply-templates.php';

async function person(app: TestApp, role: 'technician' | 'administrator' = 'technician') {
  const technician = await seedTechnician(app, role);
  const cookie = await signInOnPage(app, technician);
  const ask = (method: string, query = '', body?: unknown) =>
    app.request(method, path + query, { cookie, ...(body !== undefined && { body }) });
  return { ...technician, ask };
}

test('Add a reply template; List reply templates; Change a reply template; Delete a reply template: personal and shared ones', async (t) => {
  const app = await startApp(t);
  const [ada, ben, chief] = [await person(app), await person(app), await person(app, 'administrator')];
  const given = { title: 'Restart', text: 'Hello {{ requester }},\nplease restart.' };
  const added = await ada.ask('POST', '', given);
  t.is(added.status, 201, added.text);
  const { template_id, ...rest } = added.body.data;
  const [created_at, updated_at] = Array<string>(2).fill(app.clock.now().replace('.000Z', 'Z'));
  t.deepEqual(rest, { created_at, updated_at, ...given, user_id: ada.user_id, user_name: ada.name, shared: false });
  t.is((await ada.ask('POST', '', { ...given, title: 'RESTART' })).status, 409);
  t.deepEqual((await ben.ask('GET')).body.data, []);
  const own = `?id=${template_id}`;
  const absent = await ben.ask('PUT', '?id=98765', { title: 'x' });
  for (const answer of [
    await ben.ask('PUT', own, { title: 'x' }),
    await ben.ask('DELETE', own),
    await ben.ask('GET', `?action=fill&id=${template_id}`),
    await chief.ask('DELETE', own),
  ])
    t.deepEqual([answer.status, answer.text], [404, absent.text]);
  t.is((await ada.ask('PUT', own, { text: 'Please restart' })).body.data.text, 'Please restart');
  t.is((await ada.ask('PUT', own, { shared: true })).status, 403);

  const shared = (await chief.ask('POST', '', { title: 'Closed', text: 'Done', shared: true })).body.data.template_id;
  t.deepEqual(
    (await ada.ask('GET')).body.data.map((each: any) => each.title),
    ['Closed', 'Restart'],
  );
  t.is((await ben.ask('GET', `?action=fill&id=${shared}`)).body.data.text, 'Done');
  t.is((await ben.ask('DELETE', `?id=${shared}`)).status, 403);
  t.is((await chief.ask('DELETE', `?id=${shared}`)).status, 204);
  t.is((await ada.ask('DELETE', own)).status, 204);
  for (const wrong of [
    { title: 'x' },
    { text: 'x' },
    { title: 'x', text: 'Hello {{name}}' },
    { title: 'x', text: '{{}}' },
  ])
    t.is((await ada.ask('POST', '', wrong)).status, 400, JSON.stringify(wrong));
});

test('Fill in a reply template: with ticket data, without expanding placeholders in the data', async (t) => {
  const app = await startApp(t);
  const ada = await person(app);
  const { company_number } = await seedCompany(app, 'Smith & Sons');
  const names = { first_name: 'Erin', last_name: '{{technician}} $&' };
  const { employee_number } = await seedEmployee(app, { company_number, ...names });
  const ticket = await seedTicket(app, { company_number, employee_number, subject: 'No <b>sound</b>' });
  const text = '{{requester}} of {{company}}: {{ticket}} {{ subject }}. {{technician}} {{technician}}';
  const { template_id } = (await ada.ask('POST', '', { title: 'All', text })).body.data;
  const fill = async (ticket_id: string | number) =>
    ada.ask('GET', `?action=fill&id=${template_id}${ticket_id === '' ? '' : `&ticket_id=${ticket_id}`}`);
  const me = 'Terry Technician Terry Technician';
  const filled = (await fill(ticket.ticket_id)).body.data.text;
  t.is(filled, `Erin {{technician}} $& of Smith & Sons: ${ticket.ticket_number} No <b>sound</b>. ${me}`);
  t.is((await fill('')).body.data.text, `{{requester}} of {{company}}: {{ticket}} {{ subject }}. ${me}`);
  t.is((await fill(98_765)).status, 404);
  t.is((await fill('x')).status, 400);
  const unnamed = await seedTicket(app, { company_number });
  t.regex((await fill(unnamed.ticket_id)).body.data.text, /^ of Smith/);
});
