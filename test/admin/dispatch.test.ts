// The dispatch board, and appointments that customers confirm.
import { Employee, Technician } from '@keelson/modules/directory';
import { planAppointment } from '@keelson/modules/dispatch';
import { createAbsence, createMember, createTeam } from '@keelson/modules/teams';
import { readMails, startApp, testClock, type TestApp } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import ICAL from 'ical.js';
import { Notification } from '../../modules/desk/entities.ts';
import { cancelAfterClosing } from '../../modules/dispatch/appointments/after-closing.ts';
import { Appointment } from '../../modules/dispatch/appointments/entities.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import { MailAttachment } from '../../packages/mail/mail.ts';
import { postForm, signInOnPage } from '../accounts-seed.ts';
import { asEmployee, asKey, seedEmployee, seedTeam, seedTechnician, seedTicket, staff } from '../tickets-seed.ts';

const rights = ['tickets:read', 'tickets:write', 'teams:read', 'settings:read', 'settings:write'];
const nine = '2026-03-04T09:00:00.000Z';
const ten = '2026-03-04T10:00:00.000Z';
const eleven = '2026-03-04T11:00:00.000Z';
const day = 'from=2026-03-04T00:00:00Z&until=2026-03-05T00:00:00Z';

async function office(t: ExecutionContext) {
  const app = await startApp(t, { clock: testClock('2026-03-02T09:00:00.000Z') });
  const send = await asKey(app, rights);
  const data = async (method: string, path: string, body?: unknown) => {
    const answer = await send(method, path, body);
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
    return answer.body?.data;
  };
  const employee = await seedEmployee(app);
  const { user_id } = await seedTechnician(app);
  const ticket = await seedTicket(app, { ...employee, subject: 'Cabling' });
  const plan = (more: object = {}) =>
    data('POST', '/dispatch/appointments.php', {
      ...{ user_id, ticket_id: ticket.ticket_id, starts_at: nine, ends_at: ten, ...more },
    });
  return { app, send, data, employee, user_id, ticket, plan };
}

/** All appointments on the day's board. */
const planned = (board: readonly any[]) => board.flatMap((each) => each.appointments);

test('Read the dispatch board: hours, absences, duty and appointments of each person, with conflicts', async (t) => {
  const { app, data, user_id, plan, send } = await office(t);
  const hours = [{ weekday: 'wednesday', from: '09:00', to: '17:00' }];
  const { calendar_id } = await data('POST', '/levels/calendars.php', {
    ...{ name: 'Office', time_zone: 'Europe/Berlin', hours },
  });
  const team_id = await app.run(async (ctx) => {
    const team = await createTeam(ctx, { name: 'Field', calendar_id, rota_from: '2026-03-02' });
    await createMember(ctx, { team_id: team.team_id, user_id, skills: [], rota_position: 1 });
    return team.team_id;
  });
  const other = await seedTechnician(app);
  await app.run((ctx) =>
    createAbsence(ctx, { user_id: other.user_id, first_day: '2026-03-04', last_day: '2026-03-04', note: 'Holiday' }),
  );
  await plan();
  await plan({ starts_at: ten, ends_at: eleven, ticket_id: null, kind: 'travel' });
  const board = await data('GET', `/dispatch/board.php?${day}`);
  const ada = board.find((each: any) => each.user_id === user_id);
  t.deepEqual(ada.working, [{ starts_at: '2026-03-04T08:00:00Z', ends_at: '2026-03-04T16:00:00Z' }]);
  t.is(ada.on_call[0].team_name, 'Field');
  t.like(ada.appointments[0], { kind: 'work', ticket_subject: 'Cabling', conflict: false, confirmation: 'none' });
  t.like(ada.appointments[1], { kind: 'travel', ticket_id: null, conflict: false });
  const bob = board.find((each: any) => each.user_id === other.user_id);
  t.deepEqual(bob.absences, [{ starts_at: '2026-03-04T00:00:00Z', ends_at: '2026-03-05T00:00:00Z', note: 'Holiday' }]);
  t.is(bob.working, null);

  await plan({ starts_at: '2026-03-04T09:30:00.000Z', ends_at: eleven });
  await plan({ user_id: other.user_id });
  const again = planned(await data('GET', `/dispatch/board.php?${day}`));
  t.deepEqual(
    again.map((each: any) => each.conflict),
    [true, true, true, true],
  );
  const team = await data('GET', `/dispatch/board.php?${day}&team_id=${team_id}`);
  t.deepEqual(
    team.map((each: any) => each.user_id),
    [user_id],
  );
  const long = await send('GET', '/dispatch/board.php?from=2026-03-01&until=2026-04-01');
  t.is(long.body.error, 'until must be after from, by at most 8 days');
});

test('List unresolved tickets without an appointment', async (t) => {
  const { app, data, employee, ticket, plan } = await office(t);
  const urgent = await seedTicket(app, { ...employee, subject: 'Server down', priority: 1 });
  const ids = async () => (await data('GET', '/dispatch/unplanned.php')).map((each: any) => each.ticket_id);
  t.deepEqual(await ids(), [urgent.ticket_id, ticket.ticket_id]);
  const { appointment_id } = await plan();
  t.deepEqual(await ids(), [urgent.ticket_id]);
  await data('DELETE', `/dispatch/appointments.php?id=${appointment_id}`);
  t.deepEqual(await ids(), [urgent.ticket_id, ticket.ticket_id]);
  await plan();
  app.clock.set(eleven);
  t.deepEqual(await ids(), [urgent.ticket_id, ticket.ticket_id]);
});

test('appointments of someone who has left stay on the board, and their tickets are unplanned', async (t) => {
  const { app, data, ticket, user_id, plan } = await office(t);
  const other = await seedTechnician(app);
  const team_id = await app.run(async (ctx) => (await createTeam(ctx, { name: 'Field' })).team_id);
  await plan();
  await app.run((ctx) => ctx.db.update(Technician, { user_id }, { active: false }));
  const board = async (more = '') => data('GET', `/dispatch/board.php?${day}${more}`);
  t.like(await board(), {
    length: 2,
    0: { user_id: other.user_id, active: true },
    1: { user_id, active: false, appointments: { length: 1 } },
  });
  t.deepEqual(await board(`&team_id=${team_id}`), []);
  t.like(await data('GET', '/dispatch/unplanned.php'), { length: 1, 0: { ticket_id: ticket.ticket_id } });
  const [{ appointment_id }] = planned(await board());
  await data('PUT', `/dispatch/appointments.php?id=${appointment_id}`, { user_id: other.user_id });
  t.like(await board(), { length: 1, 0: { appointments: { length: 1 } } });
  t.deepEqual(await data('GET', '/dispatch/unplanned.php'), []);
});

test('a merge moves the appointments, and the link of the invitation stays valid', async (t) => {
  const { app, data, employee, ticket, plan } = await office(t);
  const { appointment_id } = await plan({ kind: 'visit', employee_number: employee.employee_number });
  const [mail] = (await invitations(app)).mails;
  const [link = ''] = /\/appointment\?token=\S+/.exec(mail?.text ?? '') ?? [];
  const into = await seedTicket(app, { ...employee, subject: 'Cabling, again' });
  await data('POST', `/tickets.php?action=merge&id=${ticket.ticket_id}`, { into: into.ticket_id });
  t.like(await data('GET', `/dispatch/appointments.php?ticket_id=${into.ticket_id}`), {
    length: 1,
    0: { appointment_id, confirmation: 'asked' },
  });
  t.deepEqual(await data('GET', '/dispatch/unplanned.php'), []);
  const page = await app.request('GET', link);
  t.is(page.status, 200);
  t.true(page.text.includes('Cabling, again'));
});

test('Plan an appointment; Change or move an appointment; Read an appointment; List appointments', async (t) => {
  const { app, data, send, plan, ticket, user_id } = await office(t);
  const refused = async (more: object) =>
    (await send('POST', '/dispatch/appointments.php', { user_id, starts_at: nine, ends_at: ten, ...more })).body.error;
  t.is(await refused({ ends_at: nine }), 'ends_at must be after starts_at');
  t.is(await refused({ ends_at: '2026-04-04T09:00:00Z' }), 'ends_at must be at most 7 days after starts_at');
  t.is(await refused({ user_id: 999 }), 'user_id must be an active technician');
  t.is(await refused({ ticket_id: 999 }), 'ticket_id must be an existing ticket');
  const { ticket_id } = ticket;
  const stranger = await seedEmployee(app);
  const wrong = { ticket_id, kind: 'visit', employee_number: stranger.employee_number };
  t.is(await refused(wrong), 'employee_number must be an active contact of the ticket’s company');
  t.is(await refused({ ...wrong, kind: 'work' }), 'employee_number requires a visit or call for a ticket');
  const { appointment_id } = await plan({ note: 'Bring a ladder' });
  const moved = await data('PUT', `/dispatch/appointments.php?id=${appointment_id}`, {
    starts_at: ten,
    ends_at: eleven,
  });
  t.like(moved, { starts_at: '2026-03-04T10:00:00Z', note: 'Bring a ladder', technician_name: 'Terry Technician' });
  t.deepEqual(await data('GET', `/dispatch/appointments.php?id=${appointment_id}`), moved);
  t.is((await data('GET', `/dispatch/appointments.php?ticket_id=${ticket_id}&from=2026-03-05`)).length, 0);
  t.is((await data('GET', `/dispatch/appointments.php?ticket_id=${ticket_id}&from=2026-03-04`)).length, 1);
  t.is((await readMails(app)).filter((each) => each.template.startsWith('appointment')).length, 0);
});

/** The mails about appointments so far, each with its calendar file. */
async function invitations(app: TestApp) {
  await app.app.outbox.drain();
  const mails = (await readMails(app)).filter((each) => each.template.startsWith('appointment'));
  const files = await app.app.database.find(MailAttachment);
  return { mails, files };
}

/** Returns the calendar file of a mail. */
const fileText = ({ app }: TestApp, { attachment_id, content }: { attachment_id: string; content: string }) =>
  Buffer.from(app.vault.open(content, `mail attachment ${attachment_id}`), 'base64').toString();

/** Returns the link with which the contact answers, without its host. */
const linkIn = (mail: unknown): string => /\/appointment\?token=[\w.-]+/.exec(JSON.stringify(mail))?.[0] ?? '';

test('contacts who have not declined are told when another technician takes over, and keep their answer and link', async (t) => {
  const { app, data, plan, employee } = await office(t);
  const { appointment_id } = await plan({ kind: 'visit', employee_number: employee.employee_number });
  const path = `/dispatch/appointments.php?id=${appointment_id}`;
  const [second, third] = [await seedTechnician(app), await seedTechnician(app)];
  const [asked] = (await invitations(app)).mails;
  await postForm(app, '/appointment', { token: linkIn(asked).split('token=')[1] ?? '', answer: 'confirmed' });
  await app.app.database.update(Technician, { user_id: second.user_id }, { name: 'Sam Second' });
  await data('PUT', path, { user_id: third.user_id });
  await data('PUT', path, { user_id: second.user_id });
  t.is((await data('GET', path)).confirmation, 'confirmed');
  const { mails, files } = await invitations(app);
  t.deepEqual(
    mails.map((each) => each.template),
    ['appointment_asked', 'appointment_reassigned'],
    'only the last of the two is told',
  );
  t.regex(mails[1]?.text ?? '', /Visit by Sam Second/);
  t.is((await app.request('GET', linkIn(asked), {})).status, 200);
  t.is(linkIn(mails[1]), linkIn(asked));
  t.true(files.some((each) => /DESCRIPTION:Sam Second\r\n[^]*STATUS:CONFIRMED/.test(fileText(app, each))));
  await app.app.database.update(Appointment, { appointment_id }, { confirmation: 'declined' });
  await data('PUT', path, { user_id: third.user_id });
  t.is((await invitations(app)).mails.length, 2);
  const quick = await plan({ kind: 'call', employee_number: employee.employee_number });
  await data('PUT', `/dispatch/appointments.php?id=${quick.appointment_id}`, { user_id: second.user_id });
  const asking = (await invitations(app)).mails.filter((each) => each.subject.includes('Call'));
  t.true(asking.some((each) => each.template === 'appointment_asked' && each.text.includes('Call by Sam Second')));
});

test('deleting a ticket cancels its appointments that are not over, and tells the contact', async (t) => {
  const { app, data, employee, ticket, plan } = await office(t);
  const { employee_number } = employee;
  const past = await plan({ kind: 'visit', employee_number });
  const later = { starts_at: '2026-03-05T09:00:00Z', ends_at: '2026-03-05T10:00:00Z' };
  const next = await plan({ kind: 'visit', employee_number, ...later });
  const inside = await plan({ kind: 'work', ...later });
  app.clock.set('2026-03-04T12:00:00.000Z');
  const send = await asKey(app, ['tickets:delete']);
  t.is((await send('DELETE', `/tickets.php?id=${ticket.ticket_id}`)).status, 204);
  const left = await app.app.database.find(Appointment);
  t.deepEqual(
    left.map(({ appointment_id }) => appointment_id),
    [past.appointment_id],
    `not ${next.appointment_id} or ${inside.appointment_id}`,
  );
  const told = (await invitations(app)).mails.filter((each) => each.template === 'appointment_cancelled');
  t.is(told.length, 1);
  t.deepEqual(
    planned(await data('GET', '/dispatch/board.php?from=2026-03-05T00:00:00Z&until=2026-03-06T00:00:00Z')),
    [],
  );
});

test('an appointment corrected to a time that is over is cancelled for its contact, and moving it back asks again', async (t) => {
  const { app, data, plan, employee } = await office(t);
  const { appointment_id } = await plan({ kind: 'visit', employee_number: employee.employee_number });
  const path = `/dispatch/appointments.php?id=${appointment_id}`;
  const templates = async () => (await invitations(app)).mails.map((each) => each.template).toSorted();
  t.deepEqual(await templates(), ['appointment_asked']);
  const yesterday = { starts_at: '2026-03-01T09:00:00.000Z', ends_at: '2026-03-01T10:00:00.000Z' };
  await data('PUT', path, yesterday);
  t.deepEqual(await templates(), ['appointment_asked', 'appointment_cancelled']);
  await data('PUT', path, { ...yesterday, starts_at: '2026-03-01T08:00:00.000Z' });
  t.deepEqual(await templates(), ['appointment_asked', 'appointment_cancelled'], 'nothing new about a past one');
  await data('PUT', path, { starts_at: nine, ends_at: ten });
  t.deepEqual(await templates(), ['appointment_asked', 'appointment_cancelled', 'appointment_moved']);
});

test('a past appointment of a deleted ticket can still be corrected, but not moved to a time to come', async (t) => {
  const { app, data, send, employee, ticket, plan } = await office(t);
  const { appointment_id } = await plan({ kind: 'visit', employee_number: employee.employee_number });
  app.clock.set('2026-03-04T12:00:00.000Z');
  const remove = await asKey(app, ['tickets:delete']);
  t.is((await remove('DELETE', `/tickets.php?id=${ticket.ticket_id}`)).status, 204);
  const path = `/dispatch/appointments.php?id=${appointment_id}`;
  const changed = await data('PUT', path, { ends_at: eleven, note: 'Took longer' });
  t.like(changed, { ends_at: '2026-03-04T11:00:00Z', note: 'Took longer' });
  const moved = await send('PUT', path, { starts_at: '2026-03-05T09:00:00Z', ends_at: '2026-03-05T10:00:00Z' });
  t.like(moved, { status: 400, body: { error: 'ends_at must not be in the future: the ticket was deleted' } });
  await invitations(app);
});

test('closing a ticket cancels what has not begun, unless it is reopened within ten minutes', async (t) => {
  const { app, data, employee, ticket, plan } = await office(t);
  const { employee_number } = employee;
  const soon = { starts_at: '2026-03-05T09:00:00Z', ends_at: '2026-03-05T10:00:00Z' };
  const begun = await plan({ kind: 'visit', employee_number });
  const next = await plan({ kind: 'visit', employee_number, ...soon });
  const left = async () => (await app.app.database.find(Appointment)).map(({ appointment_id }) => appointment_id);
  const path = `/tickets.php?id=${ticket.ticket_id}`;
  app.clock.set('2026-03-04T09:30:00.000Z');

  await data('PUT', path, { status: 'closed' });
  await cancelAfterClosing(app.app.system());
  t.deepEqual(await left(), [begun.appointment_id, next.appointment_id]);
  await data('PUT', path, { status: 'open' });
  app.clock.set('2026-03-04T09:45:00.000Z');
  await cancelAfterClosing(app.app.system());
  t.deepEqual(await left(), [begun.appointment_id, next.appointment_id]);

  await data('PUT', path, { status: 'closed' });
  app.clock.set('2026-03-04T09:50:00.000Z');
  const after = await plan({ kind: 'call', employee_number, ...soon });
  app.clock.set('2026-03-04T09:56:00.000Z');
  await cancelAfterClosing(app.app.system());
  t.deepEqual(await left(), [begun.appointment_id, after.appointment_id]);
  const told = (await invitations(app)).mails.filter((each) => each.template === 'appointment_cancelled');
  t.is(told.length, 1);
  t.true(await app.app.database.existsBy(ActivityLine, { description: 'Visit cancelled' }));
});

test('a contact is invited with a calendar file, and confirms through the link until the appointment is moved', async (t) => {
  const { app, data, plan, employee } = await office(t);
  const made = await plan({ kind: 'visit', employee_number: employee.employee_number });
  t.is(made.confirmation, 'asked');
  const { mails, files } = await invitations(app);
  t.is(mails.length, 1);
  const text = files.map((each) => fileText(app, each)).join('');
  const [event] = new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents('vevent')
    .map((each) => new ICAL.Event(each));
  t.is(event?.summary, 'Visit: Cabling');
  t.is(event?.startDate.toString(), '2026-03-04T09:00:00Z');
  t.is(event?.sequence, 0);
  t.regex(event?.uid ?? '', /^appointment-1\./);
  const link = linkIn(mails[0]);
  const path = `/dispatch/appointments.php?id=${made.appointment_id}`;
  const shown = await app.request('GET', link, {});
  t.is(shown.status, 200);
  t.true(shown.text.includes('Confirm the appointment'));
  t.is((await data('GET', path)).confirmation, 'asked', 'following the link alone changes nothing');
  const answer = (to: string, given: string) =>
    postForm(app, '/appointment', { token: to.split('token=')[1] ?? '', answer: given });
  t.is((await answer(link, 'confirmed')).status, 200);
  t.is((await data('GET', path)).confirmation, 'confirmed');
  await data('PUT', path, { starts_at: ten, ends_at: eleven });
  t.is((await data('GET', path)).confirmation, 'asked');
  t.is((await answer(link, 'declined')).status, 404);
  t.is((await app.request('GET', link, {})).status, 404, 'its page has the new link');
  const { company_number, employee_number } = employee;
  const other = await seedEmployee(app);
  const move = (to: number) => app.run((ctx) => ctx.db.update(Employee, { employee_number }, { company_number: to }));
  const later = await invitations(app);
  t.is(later.mails.length, 2);
  const next = later.mails.map(linkIn).find((each) => each !== link) ?? '';
  await move(other.company_number);
  t.is((await app.request('GET', next, {})).status, 404, 'the ticket is not of their company any more');
  t.is((await answer(next, 'declined')).status, 404);
  await move(company_number);
  t.is((await answer(next, 'declined')).status, 200);
  t.is((await data('GET', path)).confirmation, 'declined');
  t.is((await app.request('GET', `${next}x`, {})).status, 404);
  await data('DELETE', path);
  t.true((await invitations(app)).mails.some((each) => each.template === 'appointment_cancelled'));
  t.is((await app.request('GET', next, {})).status, 404);
});

test('List the appointments of a ticket; Confirm or decline an appointment: customers see visits and calls only', async (t) => {
  const { app, plan } = await office(t);
  const { company_number, member, colleague } = await seedTeam(app);
  const { employee_number } = member;
  const { ticket_id } = await seedTicket(app, { company_number, employee_number });
  await plan({ ticket_id, note: 'Secret' });
  const visit = await plan({ ticket_id, kind: 'visit', employee_number, starts_at: ten, ends_at: eleven });
  const send = await asEmployee(app, member);
  const path = `/tickets/${ticket_id}/appointments`;
  const { body } = await send('GET', path);
  t.deepEqual(body.appointments, [
    {
      appointment_id: visit.appointment_id,
      kind: 'visit',
      starts_at: '2026-03-04T10:00:00Z',
      ends_at: '2026-03-04T11:00:00Z',
      technician_name: 'Terry Technician',
      confirmation: 'asked',
      can_move: true,
    },
  ]);
  const one = `${path}/${visit.appointment_id}`;
  const confirmed = await send('PUT', one, { confirmation: 'confirmed' });
  t.is(confirmed.body.appointments[0].confirmation, 'confirmed');
  t.is((await send('PUT', `${path}/1`, { confirmation: 'confirmed' })).status, 404);
  const other = await asEmployee(app, colleague);
  t.is((await other('GET', path)).status, 404);
  t.is((await other('PUT', one, { confirmation: 'declined' })).status, 404);
});

test('List free times for an appointment; Move an appointment to a free time: within business hours, twice at most', async (t) => {
  const { app, data, plan, user_id } = await office(t);
  const { company_number, member, colleague } = await seedTeam(app);
  const { employee_number } = member;
  const assignee = await seedTechnician(app);
  const { ticket_id } = await seedTicket(app, { company_number, employee_number, assigned_to: assignee.user_id });
  const visit = await plan({ ticket_id, kind: 'visit', employee_number, note: 'Secret' });
  const send = await asEmployee(app, member);
  const one = `/tickets/${ticket_id}/appointments/${visit.appointment_id}`;
  const times = async () => (await send('GET', `${one}/times`)).body.times.map((each: any) => each.starts_at);
  t.deepEqual(await times(), [], 'none without business hours');
  const hours = ['wednesday', 'thursday'].map((weekday) => ({ weekday, from: '09:00', to: '12:00' }));
  await data('POST', '/levels/calendars.php', { name: 'Office', time_zone: 'Europe/Berlin', is_default: true, hours });
  await app.run((ctx) => createAbsence(ctx, { user_id, first_day: '2026-03-05', last_day: '2026-03-05', note: 'Ill' }));
  await plan({
    ticket_id: null,
    kind: 'travel',
    starts_at: '2026-03-11T08:30:00.000Z',
    ends_at: nine.replace('-04', '-11'),
  });
  t.deepEqual(await times(), [
    '2026-03-04T08:00:00Z',
    '2026-03-04T08:30:00Z',
    '2026-03-04T09:30:00Z',
    '2026-03-04T10:00:00Z',
    '2026-03-11T09:00:00Z',
    '2026-03-11T09:30:00Z',
    '2026-03-11T10:00:00Z',
    '2026-03-12T08:00:00Z',
    '2026-03-12T08:30:00Z',
    '2026-03-12T09:00:00Z',
    '2026-03-12T09:30:00Z',
    '2026-03-12T10:00:00Z',
  ]);
  const move = (starts_at: string) => send('POST', `${one}/move`, { starts_at });
  t.like(await move('2026-03-11T08:00:00Z'), { status: 400, body: { error: 'This time is no longer available' } });
  const other = await asEmployee(app, colleague);
  t.is((await other('GET', `${one}/times`)).status, 404);
  t.is((await other('POST', `${one}/move`, { starts_at: ten })).status, 404);
  const moved = (await move('2026-03-11T09:30:00Z')).body.appointments[0];
  t.like(moved, { starts_at: '2026-03-11T09:30:00Z', ends_at: '2026-03-11T10:30:00Z', confirmation: 'confirmed' });
  const { mails } = await invitations(app);
  t.deepEqual(mails.map((each) => each.template).toSorted(), ['appointment_agreed']);
  const told = await app.app.database.findBy(Notification, { kind: 'appointment_moved' });
  t.deepEqual(
    told.map((each) => each.user_id).toSorted((a, b) => a - b),
    [user_id, assignee.user_id].toSorted((a, b) => a - b),
  );
  t.true(JSON.stringify(await app.app.database.find(ActivityLine)).includes('Visit moved by the contact'));
  t.is((await move('2026-03-12T08:00:00Z')).body.appointments[0].can_move, false);
  t.deepEqual(await times(), []);
  t.is((await move('2026-03-12T09:00:00Z')).body.error, 'This appointment can no longer be moved online');
});

test('a contact can choose among all free times of the two weeks, also of a technician who works around the clock', async (t) => {
  const { app, data, plan } = await office(t);
  const { company_number, member } = await seedTeam(app);
  const { employee_number } = member;
  const { ticket_id } = await seedTicket(app, { company_number, employee_number });
  const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  const hours = weekdays.map((weekday) => ({ weekday, from: '00:00', to: '24:00' }));
  await data('POST', '/levels/calendars.php', { name: 'Always', time_zone: 'UTC', is_default: true, hours });
  const visit = await plan({ ticket_id, kind: 'visit', employee_number });
  const send = await asEmployee(app, member);
  const one = `/tickets/${ticket_id}/appointments/${visit.appointment_id}`;
  const { times } = (await send('GET', `${one}/times`)).body;
  t.is(times[0].starts_at, '2026-03-03T09:00:00Z');
  t.is(times.at(-1).ends_at, '2026-03-17T09:00:00Z');
  const [moved] = (await send('POST', `${one}/move`, { starts_at: times.at(-1).starts_at })).body.appointments;
  t.is(moved.ends_at, '2026-03-17T09:00:00Z');
});

test('free times and business hours go on over midnight UTC', async (t) => {
  const { app, data, plan } = await office(t);
  const { company_number, member } = await seedTeam(app);
  const { employee_number } = member;
  const { ticket_id } = await seedTicket(app, { company_number, employee_number });
  const hours = [{ weekday: 'wednesday', from: '13:00', to: '17:00' }];
  await data('POST', '/levels/calendars.php', {
    ...{ name: 'Office', time_zone: 'America/Los_Angeles', is_default: true, hours },
  });
  const visit = await plan({
    ticket_id,
    kind: 'visit',
    employee_number,
    starts_at: '2026-03-05T21:00:00.000Z',
    ends_at: '2026-03-05T23:00:00.000Z',
  });
  const send = await asEmployee(app, member);
  const found = await send('GET', `/tickets/${ticket_id}/appointments/${visit.appointment_id}/times`);
  // From 11 March on, daylight saving time.
  t.deepEqual(
    found.body.times.map((each: any) => each.starts_at),
    ['21:00', '21:30', '22:00', '22:30', '23:00']
      .map((each) => `2026-03-04T${each}:00Z`)
      .concat(['20:00', '20:30', '21:00', '21:30', '22:00'].map((each) => `2026-03-11T${each}:00Z`)),
  );
  const board = await data('GET', '/dispatch/board.php?from=2026-03-04T08:00:00Z&until=2026-03-05T08:00:00Z');
  t.deepEqual(board[0].working, [{ starts_at: '2026-03-04T21:00:00Z', ends_at: '2026-03-05T01:00:00Z' }]);
});

test('a contact moves an appointment with the link from its mail, to a time that is still free', async (t) => {
  const { app, data, plan, employee, user_id } = await office(t);
  const hours = [{ weekday: 'wednesday', from: '09:00', to: '12:00' }];
  await data('POST', '/levels/calendars.php', { name: 'Office', time_zone: 'UTC', is_default: true, hours });
  const { employee_number } = employee;
  const { appointment_id } = await plan({ kind: 'visit', employee_number, note: 'Secret' });
  await plan({ ticket_id: null, starts_at: ten, ends_at: eleven, note: 'Dentist' });
  const [mail] = (await invitations(app)).mails;
  const link = /\/appointment\?token=[\w.-]+/.exec(JSON.stringify(mail))?.[0] ?? '';
  const page = (await app.request('GET', link, {})).text;
  t.deepEqual(
    [...page.matchAll(/<option value="([^"]+)"/g)].map(([, at]) => at),
    [
      '2026-03-04T11:00:00.000Z',
      '2026-03-11T09:00:00.000Z',
      '2026-03-11T09:30:00.000Z',
      '2026-03-11T10:00:00.000Z',
      '2026-03-11T10:30:00.000Z',
      '2026-03-11T11:00:00.000Z',
    ],
  );
  t.notRegex(page, /Dentist|Secret/);
  const post = (starts_at: string) =>
    postForm(app, '/appointment', { token: link.split('token=')[1] ?? '', answer: 'moved', starts_at });
  const taken = await plan({ ticket_id: null, starts_at: eleven, ends_at: '2026-03-04T12:00:00.000Z' });
  const refused = await post(eleven);
  t.is(refused.status, 409);
  t.true(refused.text.includes('This time is no longer available'));
  await data('DELETE', `/dispatch/appointments.php?id=${taken.appointment_id}`);
  const done = await post(eleven);
  t.is(done.status, 200);
  t.true(done.text.includes('Appointment confirmed'));
  const path = `/dispatch/appointments.php?id=${appointment_id}`;
  t.like(await data('GET', path), { starts_at: '2026-03-04T11:00:00Z', confirmation: 'confirmed', user_id });
  t.is((await post(ten)).status, 404, 'the link was for the earlier time');
  const token = /name="token" value="([^"]+)"/.exec(done.text)?.[1] ?? '';
  t.is((await postForm(app, '/appointment', { token, answer: 'declined' })).status, 200);
  await app.app.outbox.drain();
  t.is((await app.app.database.findBy(Notification, { kind: 'appointment_declined' })).length, 1);
});

test('Read whether contacts can move appointments; Change whether contacts can move appointments', async (t) => {
  const { app, data, plan, employee } = await office(t);
  const hours = [{ weekday: 'wednesday', from: '09:00', to: '12:00' }];
  await data('POST', '/levels/calendars.php', { name: 'Office', time_zone: 'UTC', is_default: true, hours });
  const { company_number, employee_number } = employee;
  const { ticket_id } = await seedTicket(app, { company_number, employee_number });
  const { appointment_id } = await plan({ ticket_id, kind: 'visit', employee_number });
  const send = await asEmployee(app, employee);
  const path = `/tickets/${ticket_id}/appointments`;
  const one = `${path}/${appointment_id}`;
  const [time] = (await send('GET', `${one}/times`)).body.times;
  t.truthy(time);
  const settings = `${staff}/dispatch/settings.php`;
  const cookie = await signInOnPage(app, await seedTechnician(app, 'administrator'));
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  t.deepEqual((await app.request('GET', settings, { cookie })).body.data, { contacts_move: true });
  const body = { contacts_move: false };
  t.is((await app.request('PUT', settings, { cookie, headers, body })).status, 200);
  t.false((await send('GET', path)).body.appointments[0].can_move);
  t.deepEqual((await send('GET', `${one}/times`)).body.times, []);
  const refused = await send('POST', `${one}/move`, { starts_at: time.starts_at });
  t.deepEqual([refused.status, refused.body.error], [400, 'This appointment can no longer be moved online']);
  const told = await app.app.database.find(ActivityLine);
  t.true(told.some((each) => each.description === 'Contacts can no longer move appointments'));
});

test('two customers who choose the same time of a technician do not both get it', async (t) => {
  const { app, data, plan, employee } = await office(t);
  const hours = [{ weekday: 'wednesday', from: '09:00', to: '10:00' }];
  await data('POST', '/levels/calendars.php', { name: 'Office', time_zone: 'UTC', is_default: true, hours });
  const { company_number, employee_number } = employee;
  const ask = await asEmployee(app, employee);
  const visits = [];
  for (const at of ['2026-03-05', '2026-03-06']) {
    const { ticket_id } = await seedTicket(app, { company_number, employee_number });
    const span = { starts_at: `${at}T09:00:00.000Z`, ends_at: `${at}T10:00:00.000Z` };
    const { appointment_id } = await plan({ ticket_id, kind: 'visit', employee_number, ...span });
    visits.push(`/tickets/${ticket_id}/appointments/${appointment_id}/move`);
  }
  const answers = await Promise.all(visits.map((each) => ask('POST', each, { starts_at: nine })));
  t.deepEqual(
    answers.map((each) => each.status).toSorted((a, b) => a - b),
    [200, 400],
  );
});

test('List your calendar feeds; Add a calendar feed; Revoke a calendar feed: busy-only feeds hide details, and a revoked address returns 404', async (t) => {
  const { app, ticket, user_id } = await office(t);
  const technician = await seedTechnician(app);
  const own = technician.user_id;
  const cookie = await signInOnPage(app, technician);
  const send = async (method: string, path: string, body?: unknown) =>
    app.request(method, `${staff}${path}`, body === undefined ? { cookie } : { cookie, body });
  const team_id = await app.run(async (ctx) => {
    const team = await createTeam(ctx, { name: 'Field', rota_from: '2026-03-02' });
    for (const each of [own, user_id])
      await createMember(ctx, { team_id: team.team_id, user_id: each, skills: [], rota_position: each });
    await createAbsence(ctx, { user_id: own, first_day: '2026-03-05', last_day: '2026-03-05', note: 'Surgery' });
    for (const each of [own, user_id])
      await planAppointment(ctx, {
        ...{ user_id: each, ticket_id: ticket.ticket_id, kind: 'visit', starts_at: nine, ends_at: ten },
        note: 'Umlaut ä; comma, and a text that is long enough to be folded over more than one line of the file',
      });
    return team.team_id;
  });
  const add = async (body: object) => (await send('POST', '/dispatch/feeds.php', body)).body.data.at(-1);
  const feed = await add({ kind: 'own' });
  const busy = await add({ kind: 'team', team_id, busy_only: true });
  const duty = await add({ kind: 'on_call', team_id });
  t.is((await send('POST', '/dispatch/feeds.php', { kind: 'team' })).body.error, 'team_id must be an existing team');
  t.is((await send('GET', '/dispatch/feeds.php')).body.data.length, 3);
  const pathOf = ({ address }: { address: string }) => address.slice(address.indexOf('/calendar-feed'));
  const read = (of: { address: string }, headers: Record<string, string> = {}) =>
    app.request('GET', pathOf(of), { headers });
  const eventsOf = async (of: { address: string }) => {
    const { status, text } = await read(of);
    t.is(status, 200);
    const calendar = new ICAL.Component(ICAL.parse(text));
    return calendar.getAllSubcomponents('vevent').map((each) => new ICAL.Event(each));
  };
  const mine = await eventsOf(feed);
  t.deepEqual(
    mine.map((each) => [each.summary, each.startDate.toString(), each.endDate.toString()]),
    [
      [`Visit: #${ticket.ticket_number} Cabling`, '2026-03-04T09:00:00Z', '2026-03-04T10:00:00Z'],
      ['Absent', '2026-03-05T00:00:00Z', '2026-03-06T00:00:00Z'],
    ],
  );
  t.regex(mine[0]?.description ?? '', /^Umlaut ä; comma, .* of the file$/);
  const hidden = await eventsOf(busy);
  t.deepEqual(new Set(hidden.map((each) => each.summary)), new Set(['Busy']));
  t.is(hidden.length, 3);
  const { text } = await read(busy);
  const names = ['Cabling', 'Umlaut', 'Surgery', 'Terry', String(ticket.ticket_number), '/tickets/'];
  for (const secret of [...names, 'appointment', 'absence']) t.false(text.includes(secret), secret);
  for (const each of hidden)
    t.is(each.component.getFirstPropertyValue('dtstamp')?.toString(), each.startDate.toString());
  t.deepEqual(
    (await eventsOf(busy)).map((each) => each.uid),
    hidden.map((each) => each.uid),
  );
  const shifts = await eventsOf(duty);
  t.is(shifts[0]?.summary, 'On call (Field): Terry Technician');
  const german = { cookie, headers: { 'Sec-Fetch-Site': 'same-origin' }, body: { language: 'de' } };
  await app.request('PUT', `${staff}/technicians.php?action=language`, german);
  const summaries = (await Promise.all([feed, busy, duty].map(eventsOf))).map((each) => each[0]?.summary);
  t.deepEqual(summaries, [
    `Vor-Ort-Termin: #${ticket.ticket_number} Cabling`,
    'Beschäftigt',
    'Bereitschaft (Field): Terry Technician',
  ]);
  await app.request('PUT', `${staff}/technicians.php?action=language`, { ...german, body: { language: null } });
  t.true(shifts.length > 10);
  const first = await read(feed);
  const etag = String(first.headers.get('etag'));
  t.is((await read(feed, { 'If-None-Match': etag })).status, 304);
  t.false(String(first.headers.get('cache-control')).includes('public'));
  await app.run((ctx) =>
    planAppointment(ctx, { user_id: own, ticket_id: null, starts_at: ten, ends_at: eleven, employee_number: null }),
  );
  t.is((await read(feed, { 'If-None-Match': etag })).status, 200);
  const token = feed.address.split('token=')[1] ?? '';
  t.is((await app.request('GET', `/calendar-feed?token=2.${token.split('.')[1]}`, {})).status, 404);
  const other = await signInOnPage(app, await seedTechnician(app));
  const path = `${staff}/dispatch/feeds.php?id=${feed.feed_id}`;
  t.is((await app.request('DELETE', path, { cookie: other })).status, 404);
  t.is((await send('DELETE', `/dispatch/feeds.php?id=${feed.feed_id}`)).status, 204);
  t.is((await read(feed)).status, 404);
});
