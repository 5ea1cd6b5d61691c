// Notifications for technicians (NW-23).
import { plus, type Context } from '@keelson/core';
import { Ticket } from '@keelson/modules/tickets';
import { readMails, startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { Notification } from '../../modules/desk/entities.ts';
import { seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { listen, streamsOf } from '../core/_live.ts';
import { asEmployee, seedTeam, seedTicket } from '../tickets-seed.ts';

const root = '/admin/api/v1';

async function person(app: TestApp) {
  const technician = await seedTechnician(app, 'technician');
  const cookie = await signInOnPage(app, technician);
  const ask = (method: string, path: string, body?: unknown) =>
    app.request(method, root + path, { cookie, ...(body !== undefined && { body }) });
  const told = async () => {
    await app.app.outbox.drain();
    const { data } = (await ask('GET', '/notifications.php?unread=true')).body;
    return data.map(({ kind, key, by_name }: any) => `${kind} ${key} by ${by_name}`);
  };
  const unread = async () => (await ask('GET', '/notifications.php?action=unread')).body.data.unread;
  return { ...technician, ask, told, unread };
}

test('List your notifications; Count your unread notifications; Mark notifications as read: notifies you of what others do with your tickets', async (t) => {
  const app = await startApp(t);
  const [ada, ben] = [await person(app), await person(app)];
  const { member, company_number } = await seedTeam(app);
  const { ticket_id, ticket_number, subject } = await seedTicket(app, {
    company_number,
    employee_number: member.employee_number,
  });
  const ticket = `/tickets.php?id=${ticket_id}`;
  await ada.ask('PUT', ticket, { assigned_to: ada.user_id });
  t.deepEqual(await ada.told(), [], 'one’s own doing is no news');
  const live = streamsOf(app);
  const actor = { kind: 'technician', name: '', email: '', role: 'technician', session_id: 1 } as const;
  const [adas, bens] = [
    await listen(app, { ...actor, user_id: ada.user_id }),
    await listen(app, { ...actor, user_id: ben.user_id }),
  ];
  await ada.ask('PUT', ticket, { assigned_to: ben.user_id });
  t.deepEqual([await ada.told(), await ben.told()], [[], [`assigned ${ticket_id} by ${ada.name}`]]);
  await live.look();
  const mine = (lines: string[]) => lines.filter((each) => each.includes('notification'));
  t.deepEqual([mine(adas.heard()), mine(bens.heard())], [[], [`changed notification ${ben.user_id} by system null`]]);
  const [first] = (await ben.ask('GET', '/notifications.php')).body.data;
  const { notification_id, created_at: at, ...rest } = first;
  t.is(at, app.clock.now().replace('.000Z', 'Z'));
  const about = { type: 'ticket', key: ticket_id, title: `${ticket_number} ${subject}` };
  t.deepEqual(rest, { kind: 'assigned', ...about, by_name: ada.name, read_at: null });

  const customer = await asEmployee(app, member);
  for (const comment of ['Still broken', 'Hello?'])
    await customer('POST', `/tickets/${ticket_id}/comments`, { comment });
  await ben.ask('POST', `/tickets.php?action=comments&id=${ticket_id}`, { comment: 'On it' });
  t.deepEqual(await ben.told(), [`answered ${ticket_id} by Erin Example`, `assigned ${ticket_id} by ${ada.name}`]);
  t.is(await ben.unread(), 2, 'twice the same is told once');
  const foreign = await ada.ask('PUT', '/notifications.php', { notification_ids: [notification_id] });
  t.deepEqual([foreign.body.data, await ben.unread()], [{ unread: 0 }, 2], 'another’s stay as they are');
  const marked = await ben.ask('PUT', '/notifications.php', { notification_ids: [notification_id] });
  t.deepEqual(marked.body.data, { unread: 1 });
  t.deepEqual((await ben.ask('PUT', '/notifications.php', { type: 'ticket', key: ticket_id })).body.data, {
    unread: 0,
  });
  t.is((await ben.ask('GET', '/notifications.php')).body.pagination.total, 2, 'what is read stays');
  for (const wrong of [{}, { type: 'ticket' }, { all: false }, { notification_ids: [] }, { notification_ids: ['1'] }])
    t.is((await ben.ask('PUT', '/notifications.php', wrong)).status, 400, JSON.stringify(wrong));
});

test('opening a ticket marks your notifications about it as read', async (t) => {
  const app = await startApp(t);
  const [ada, ben] = [await person(app), await person(app)];
  const { company_number } = await seedTeam(app);
  const [first, second] = [await seedTicket(app, { company_number }), await seedTicket(app, { company_number })];
  for (const { ticket_id } of [first, second])
    await ada.ask('PUT', `/tickets.php?id=${ticket_id}`, { assigned_to: ben.user_id });
  t.is((await ben.told()).length, 2);
  const open = (who: typeof ada, doing: string) =>
    who.ask('POST', '/presence.php', { type: 'ticket', key: first.ticket_id, doing });
  await open(ada, 'viewing');
  t.is(await ben.unread(), 2, 'only one’s own');
  await open(ben, 'viewing');
  t.deepEqual(await ben.told(), [`assigned ${second.ticket_id} by ${ada.name}`]);
});

test('people mentioned in a note are notified', async (t) => {
  const app = await startApp(t);
  const [ada, ben] = [await person(app), await person(app)];
  const { company_number } = await seedTeam(app);
  const { ticket_id } = await seedTicket(app, { company_number });
  const [name] = ben.email.split('@');
  const note = { comment: `@${name} can you help?`, is_internal: true };
  t.is((await ada.ask('POST', `/tickets.php?action=comments&id=${ticket_id}`, note)).status, 201);
  t.deepEqual([await ada.told(), await ben.told()], [[], [`mentioned ${ticket_id} by ${ada.name}`]]);
});

test('approval decisions are notified, but not for deleted tickets', async (t) => {
  const app = await startApp(t);
  const ada = await person(app);
  const { member, manager } = await seedTeam(app, { require_approval: true });
  const customer = await asEmployee(app, member);
  const raise = async () => {
    const raised = await customer('POST', '/tickets', {
      subject: 'New laptop',
      description: 'Please',
      job_type: 'Hardware',
    });
    await ada.ask('PUT', `/tickets.php?id=${raised.body.ticket_id}`, { assigned_to: ada.user_id });
    return raised.body.ticket_id as number;
  };
  const [first, second] = [await raise(), await raise()];
  const boss = await asEmployee(app, manager);
  t.is((await boss('POST', `/tickets/${first}/approve`, {})).status, 200);
  t.deepEqual(await ada.told(), [`decided ${first} by Erin Example`]);
  t.is((await boss('POST', `/tickets/${second}/reject`, { reason: 'Too dear' })).status, 200);
  await app.run((ctx) => ctx.db.update(Ticket, { ticket_id: second }, { deleted_at: ctx.now }));
  t.deepEqual(await ada.told(), [`decided ${first} by Erin Example`]);
});

test('a customer’s comment on closing several tickets reaches their assignees, in as many statements for more', async (t) => {
  const app = await startApp(t);
  const [ada, ben] = [await person(app), await person(app)];
  const { member, company_number } = await seedTeam(app);
  await ada.ask('PUT', '/preferences.php', { mails: 'own' });
  const customer = await asEmployee(app, member);
  const seed = (assigned_to: number | null) =>
    seedTicket(app, { company_number, employee_number: member.employee_number, assigned_to });
  const tickets = [await seed(ada.user_id), await seed(ben.user_id), await seed(null)];
  const more = [];
  for (let i = 0; i < 10; i++) more.push(await seed(ben.user_id));
  await app.app.outbox.drain();
  for (const each of [ada, ben]) await each.ask('PUT', '/notifications.php', { all: true });
  const close = (some: typeof tickets) =>
    app.statements(() =>
      customer('POST', '/tickets/bulk', {
        action: 'close',
        ticket_ids: some.map((each) => each.ticket_id),
        comment: 'The printer still smells',
      }),
    );
  const few = await close(tickets);
  const [first, second] = tickets.map((each) => each.ticket_id);
  t.deepEqual(await ada.told(), [`answered ${first} by Erin Example`]);
  t.deepEqual(await ben.told(), [`answered ${second} by Erin Example`]);
  const { body } = await customer('GET', `/tickets/${first}`);
  t.deepEqual(
    body.comments.map((each: any) => each.comment),
    ['The printer still smells'],
  );
  const texts = (await readMails(app)).filter((each) => each.to === ada.email).map((each) => each.text);
  t.is(texts.filter((each) => /Erin Example replied:\s+The printer still smells/.test(each)).length, 1);
  t.true((await close(more)) <= few + 5, `${few}`);
});

test('notifications are limited and pruned, and a page takes few statements', async (t) => {
  const app = await startApp(t);
  const ada = await person(app);
  const { company_number } = await seedTeam(app);
  const { user_id } = ada;
  const old = plus(app.clock.now(), { days: -61 });
  await app.run(async ({ db, now }: Context) => {
    const row = { user_id, kind: 'assigned', type: 'ticket', title: 'x', by_name: 'y' } as const;
    for (let i = 1; i <= 200; i++)
      await db.insert(Notification, { ...row, record_id: 10_000 + i, created_at: i <= 50 ? old : now });
  });
  const { ticket_id } = await seedTicket(app, { company_number, assigned_to: user_id });
  await app.app.outbox.drain();
  t.is(await app.app.database.countBy(Notification, { user_id }), 200);
  t.is(await app.app.database.countBy(Notification, { record_id: ticket_id }), 1);
  await app.app.scheduler.runNow('desk.prune-notifications');
  t.is(await app.app.database.countBy(Notification, { user_id }), 151);
  await ada.ask('GET', '/notifications.php');
  t.true((await app.fewestStatements(() => ada.ask('GET', '/notifications.php'))) <= 4);
  t.deepEqual((await ada.ask('PUT', '/notifications.php', { all: true })).body.data, { unread: 0 });
});
