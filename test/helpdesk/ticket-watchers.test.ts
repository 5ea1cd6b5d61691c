// Watchers of tickets (T-40): what colleagues see, receive and may do, and nothing beyond that.
import { Mail } from '@keelson/core/system';
import { Employee, Technician } from '@keelson/modules/directory';
import { readMails, startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { In } from 'typeorm';
import { Notification } from '../../modules/desk/entities.ts';
import { TicketWatcher } from '../../modules/tickets/entities.ts';
import { signInOnPage } from '../accounts-seed.ts';
import { asEmployee, asKey, seedEmployee, seedTeam, seedTechnician, seedTicket, staff } from '../tickets-seed.ts';

/** Returns the mails written since the last call, as `template address`. */
async function news(app: TestApp): Promise<string[]> {
  await app.app.outbox.drain();
  const mails = await readMails(app);
  await app.app.database.delete(Mail, { state: In(['waiting', 'held']) });
  return mails.map(({ template, to }) => `${template} ${to}`).toSorted();
}

async function asTechnician(app: TestApp, technician: Awaited<ReturnType<typeof seedTechnician>>) {
  const cookie = await signInOnPage(app, technician);
  return (method: string, path: string, body?: unknown) =>
    app.request(method, `${staff}${path}`, body === undefined ? { cookie } : { cookie, body });
}

/** A member's ticket with their colleague as a watcher. */
async function seedWatched(app: TestApp) {
  const team = await seedTeam(app);
  const { company_number, member, colleague } = team;
  const ticket = await seedTicket(app, { company_number, employee_number: member.employee_number });
  const key = await asKey(app);
  const path = `/tickets.php?action=watchers&id=${ticket.ticket_id}`;
  const added = await key('POST', path, { employee_number: colleague.employee_number });
  return { ...team, ticket, key, path, added };
}

test('Add a watcher to a ticket', async (t) => {
  const app = await startApp(t);
  const { key, path, added, colleague, stranger, ticket } = await seedWatched(app);
  const technician = await seedTechnician(app);
  t.is(added.status, 200, added.body.error);
  const { employee_number } = colleague;
  t.like(added.body.data.watchers, [{ employee_number, user_id: null, name: 'Erin Example', active: true }]);
  const again = await key('POST', path, { employee_number });
  t.is(again.body.data.watchers.length, 1, 'nobody watches twice');
  const both = await key('POST', path, { user_id: technician.user_id });
  t.like(both.body.data.watchers[1], { employee_number: null, user_id: technician.user_id, name: 'Terry Technician' });
  const history = (await key('GET', `/tickets.php?action=history&id=${ticket.ticket_id}`)).body.data;
  t.deepEqual(
    history.slice(0, 2).map((each: any) => each.changes),
    [{ watchers: [null, 'Terry Technician'] }, { watchers: [null, 'Erin Example'] }],
  );
  await app.app.database.update(Technician, { user_id: technician.user_id }, { active: false });
  const inactive = await seedEmployee(app, { company_number: ticket.company_number });
  await app.app.database.update(Employee, { employee_number: inactive.employee_number }, { status: 'Inactive' });
  const notContact = 'employee_number must be an active person of the company';
  for (const [body, error] of [
    [{ employee_number: stranger.employee_number }, notContact],
    [{ employee_number: inactive.employee_number }, notContact],
    [{ employee_number: 9999 }, notContact],
    [{ user_id: technician.user_id }, 'user_id must be an active technician'],
    [{ user_id: 9999 }, 'user_id must be an active technician'],
    [{}, 'employee_number or user_id is required'],
    [{ employee_number, user_id: 1 }, 'employee_number or user_id is required'],
  ] as const) {
    const refused = await key('POST', path, body);
    t.deepEqual([refused.status, refused.body.error], [400, error]);
  }
  t.is((await key('POST', '/tickets.php?action=watchers&id=99', { employee_number })).status, 404);
  t.is((await (await asKey(app, ['tickets:read']))('POST', path, { employee_number })).status, 403);
  const [first, second] = (await key('GET', `/tickets.php?id=${ticket.ticket_id}`)).body.data.watchers;
  t.false(second.active);
  t.is((await key('DELETE', `${path}&watcher_id=${first.watcher_id}`)).status, 204);
  t.is((await key('DELETE', `${path}&watcher_id=${first.watcher_id}`)).status, 404);
  const other = await seedTicket(app, { company_number: ticket.company_number });
  const elsewhere = `/tickets.php?action=watchers&id=${other.ticket_id}&watcher_id=${second.watcher_id}`;
  t.is((await key('DELETE', elsewhere)).status, 404, 'of another ticket');
  t.is(await app.app.database.count(TicketWatcher), 1);
});

test('Read a ticket: a watcher can view, reply to and find it, and nothing else', async (t) => {
  const app = await startApp(t);
  const { key, ticket, member, colleague, manager, company_number } = await seedWatched(app);
  const id = ticket.ticket_id;
  const hidden = await seedTicket(app, { company_number, employee_number: member.employee_number, subject: 'Secret' });
  await key('POST', `/tickets.php?action=comments&id=${id}`, { comment: 'CANARY', is_internal: true });
  await key('POST', `/tickets.php?action=comments&id=${id}`, { comment: 'We are on it' });
  const watcher = await asEmployee(app, colleague);
  const seen = await watcher('GET', `/tickets/${id}`);
  t.like(seen.body, { ticket_id: id, can_change: false, can_add_watchers: false });
  t.deepEqual(
    seen.body.comments.map((each: any) => each.comment),
    ['We are on it'],
  );
  const idsAt = async (path: string) => (await watcher('GET', path)).body.tickets.map((each: any) => each.ticket_id);
  t.deepEqual(await idsAt('/tickets'), [], 'it is not theirs');
  t.deepEqual(await idsAt('/tickets/search'), [id]);
  t.deepEqual(await idsAt('/tickets/search?watched=true'), [id]);
  t.is((await watcher('POST', `/tickets/${id}/comments`, { comment: 'I see it too' })).status, 201);
  const refused = await watcher('PUT', `/tickets/${id}`, { status: 'closed' });
  t.deepEqual([refused.status, refused.body.error], [403, 'You can read and comment on this ticket but not change it']);
  const bulk = await watcher('POST', '/tickets/bulk', { action: 'close', ticket_ids: [id, hidden.ticket_id] });
  t.deepEqual(bulk.body.results, [
    { ticket_id: id, success: false, error: 'You follow this ticket but cannot change it' },
    { ticket_id: hidden.ticket_id, success: false, error: 'Ticket not found' },
  ]);
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PUT', '', { status: 'closed' }],
    ['POST', '/comments', { comment: 'x' }],
    ['POST', '/watchers', { employee_number: colleague.employee_number }],
    ['GET', '/attachments', undefined],
  ] as const)
    t.is((await watcher(method, `/tickets/${hidden.ticket_id}${path}`, body)).status, 404, `${method} ${path}`);
  const someoneElse = await asEmployee(app, await seedEmployee(app, { company_number }));
  t.is((await someoneElse('GET', `/tickets/${id}`)).status, 404, 'a colleague who does not watch');
  t.true((await (await asEmployee(app, manager))('GET', `/tickets/${id}`)).body.can_change);
  t.deepEqual((await (await asEmployee(app, manager))('GET', '/tickets/search?watched=true')).body.tickets, []);

  const [{ watcher_id }] = seen.body.watchers;
  t.is((await watcher('DELETE', `/tickets/${id}/watchers/${watcher_id}`)).status, 204, 'they may leave');
  t.is((await watcher('GET', `/tickets/${id}`)).status, 404);
});

test('Read a ticket: a watcher who moves to another company no longer sees it', async (t) => {
  const app = await startApp(t);
  const { ticket, colleague, stranger, key } = await seedWatched(app);
  await news(app);
  const { employee_number } = colleague;
  await app.app.database.update(Employee, { employee_number }, { company_number: stranger.company_number });
  const moved = await asEmployee(app, colleague);
  t.is((await moved('GET', `/tickets/${ticket.ticket_id}`)).status, 404);
  await key('POST', `/tickets.php?action=comments&id=${ticket.ticket_id}`, { comment: 'Hello' });
  t.false((await news(app)).some((each) => each.includes(colleague.email)));
});

test('Add a colleague as a watcher of a ticket', async (t) => {
  const app = await startApp(t);
  const { ticket, member, colleague, itAdmin, manager, stranger } = await seedWatched(app);
  const path = `/tickets/${ticket.ticket_id}/watchers`;
  const requester = await asEmployee(app, member);
  const seen = (await requester('GET', `/tickets/${ticket.ticket_id}`)).body;
  t.like(seen, { can_change: true, can_add_watchers: true });
  const { employee_number } = manager;
  const added = await requester('POST', path, { employee_number });
  t.is(added.status, 200, added.body.error);
  t.deepEqual(
    added.body.watchers.map((each: any) => each.employee_number),
    [colleague.employee_number, employee_number],
  );
  for (const unknown of [stranger.employee_number, 9999]) {
    const refused = await requester('POST', path, { employee_number: unknown });
    t.deepEqual([refused.status, refused.body.error], [400, 'employee_number must be an active person of the company']);
  }
  const watcher = await asEmployee(app, colleague);
  t.is((await watcher('POST', path, { employee_number: itAdmin.employee_number })).status, 403);
  const [, second] = added.body.watchers;
  t.is((await watcher('DELETE', `${path}/${second.watcher_id}`)).status, 403);
  t.is((await (await asEmployee(app, itAdmin))('DELETE', `${path}/${second.watcher_id}`)).status, 204);
  t.is((await requester('DELETE', `${path}/${second.watcher_id}`)).status, 404);

  const technician = await seedTechnician(app);
  const key = await asKey(app);
  await key('POST', `/tickets.php?action=watchers&id=${ticket.ticket_id}`, { user_id: technician.user_id });
  const now = (await requester('GET', `/tickets/${ticket.ticket_id}`)).body.watchers;
  t.is(now.length, 1, 'customers do not see which technicians follow');
  const { watchers } = (await key('GET', `/tickets.php?id=${ticket.ticket_id}`)).body.data;
  t.is((await requester('DELETE', `${path}/${watchers[1].watcher_id}`)).status, 404);
});

test('Create a ticket: with colleagues as watchers', async (t) => {
  const app = await startApp(t);
  const { member, manager, colleague, stranger } = await seedTeam(app, { require_approval: false });
  t.deepEqual(await news(app), [`security_change ${manager.email}`], 'the manager gets a mail about the new rights');
  const send = await asEmployee(app, member);
  const asked = { subject: 'Move of the office', description: 'In May' };
  const wrong = await send('POST', '/tickets', {
    ...asked,
    watchers: [colleague.employee_number, stranger.employee_number],
  });
  t.deepEqual([wrong.status, wrong.body.error], [400, 'watchers must be active people of the company']);
  t.is(await app.app.database.count(TicketWatcher), 0);
  const watchers = [colleague.employee_number, member.employee_number, colleague.employee_number];
  const made = await send('POST', '/tickets', { ...asked, watchers });
  t.is(made.status, 201, made.body.error);
  t.deepEqual(await news(app), [`ticket_watched ${colleague.email}`]);
  const { body } = await send('GET', `/tickets/${made.body.ticket_id}`);
  t.deepEqual(
    body.watchers.map((each: any) => each.employee_number),
    [colleague.employee_number],
  );
});

test('watchers get the requester’s public mails, and never internal notes', async (t) => {
  const app = await startApp(t);
  const { ticket, member, colleague } = await seedWatched(app);
  const id = ticket.ticket_id;
  const technician = await asTechnician(app, await seedTechnician(app));
  t.true((await news(app)).includes(`ticket_watched ${colleague.email}`));
  const both = (template: string) => [`${template} ${member.email}`, `${template} ${colleague.email}`].toSorted();
  await technician('POST', `/tickets.php?action=comments&id=${id}`, { comment: 'On our way' });
  t.deepEqual(await news(app), both('ticket_comment'));
  await technician('POST', `/tickets.php?action=comments&id=${id}`, { comment: 'CANARY', is_internal: true });
  t.deepEqual(await news(app), []);
  await (
    await asEmployee(app, member)
  )('POST', `/tickets/${id}/comments`, { comment: 'Thank you' });
  t.deepEqual(await news(app), [`ticket_comment ${colleague.email}`]);
  await (
    await asEmployee(app, colleague)
  )('POST', `/tickets/${id}/comments`, { comment: 'From me, too' });
  t.deepEqual(await news(app), [`ticket_comment ${member.email}`]);
  await technician('POST', `/tickets.php?action=reply&id=${id}`, { comment: 'Done', status: 'closed' });
  t.deepEqual(await news(app), both('ticket_closed'));

  const { employee_number } = colleague;
  await technician('PUT', `/tickets.php?id=${id}`, { status: 'open' });
  await app.app.database.update(Employee, { employee_number }, { status: 'Inactive' });
  await technician('POST', `/tickets.php?action=comments&id=${id}`, { comment: 'Once more' });
  t.deepEqual(await news(app), [`ticket_comment ${member.email}`], 'nothing for inactive people');
  await app.app.database.update(Employee, { employee_number }, { status: 'Active' });
  const { watchers } = (await technician('GET', `/tickets.php?id=${id}`)).body.data;
  await technician('POST', `/tickets.php?action=comments&id=${id}`, { comment: 'And again' });
  const path = `/tickets.php?action=watchers&id=${id}&watcher_id=${watchers[0].watcher_id}`;
  await technician('DELETE', path);
  t.deepEqual(await news(app), [`ticket_comment ${member.email}`], 'removed before the mail was written');
});

test('technicians who watch are notified of replies, notes and status changes', async (t) => {
  const app = await startApp(t);
  const { ticket, member, path, key } = await seedWatched(app);
  const id = ticket.ticket_id;
  const technician = await seedTechnician(app);
  const colleague = await seedTechnician(app);
  const { user_id } = technician;
  for (const each of [technician, colleague]) await key('POST', path, { user_id: each.user_id });
  const send = await asTechnician(app, colleague);
  const kinds = async (of = user_id) => {
    await app.app.outbox.drain();
    const rows = await app.app.database.findBy(Notification, { user_id: of });
    await app.app.database.delete(Notification, { user_id: of });
    return rows.map(({ kind }) => kind).toSorted();
  };
  await (
    await asEmployee(app, member)
  )('POST', `/tickets/${id}/comments`, { comment: 'Any news?' });
  t.deepEqual([await kinds(), await kinds(colleague.user_id)], [['replied'], ['replied']]);
  await send('POST', `/tickets.php?action=comments&id=${id}`, { comment: 'Hm', is_internal: true });
  t.deepEqual([await kinds(), await kinds(colleague.user_id)], [['noted'], []]);
  await send('POST', `/tickets.php?action=comments&id=${id}`, { comment: '@Terry Technician look', is_internal: true });
  t.deepEqual(await kinds(), ['mentioned']);
  await send('PUT', `/tickets.php?id=${id}`, { status: 'on_hold' });
  t.deepEqual([await kinds(), await kinds(colleague.user_id)], [['moved'], []]);
  await send('PUT', `/tickets.php?id=${id}`, { priority: 1 });
  t.deepEqual(await kinds(), []);
  await send('PUT', `/tickets.php?id=${id}`, { assigned_to: user_id });
  t.deepEqual(await kinds(), ['assigned']);
  await (
    await asEmployee(app, member)
  )('POST', `/tickets/${id}/comments`, { comment: 'Any news?' });
  t.deepEqual(await kinds(), ['answered'], 'the assignee is notified once');
  const mine = await (await asTechnician(app, technician))('GET', '/tickets.php?watched_by=me');
  t.deepEqual(
    mine.body.data.map((each: any) => each.ticket_id),
    [id],
  );
  t.deepEqual((await key('GET', '/tickets.php?watched_by=99')).body.data, []);
  t.is((await key('GET', '/tickets.php?watched_by=me')).body.error, 'watched_by=me requires a technician session');
});

test('Merge a ticket into another: watchers see the one it was merged into', async (t) => {
  const app = await startApp(t);
  const { ticket, company_number, colleague, key } = await seedWatched(app);
  const into = await seedTicket(app, { company_number });
  await key('POST', `/tickets.php?action=merge&id=${ticket.ticket_id}`, { into: into.ticket_id });
  const watcher = await asEmployee(app, colleague);
  t.is((await watcher('GET', `/tickets/${into.ticket_id}`)).status, 200);
});
