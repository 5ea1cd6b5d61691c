// Notifications in browsers, with a push service that checks and decrypts them.
import { plus } from '@keelson/core';
import { setTechnicianPassword } from '@keelson/modules/accounts';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { PushSubscription } from '../../modules/desk/push/entities.ts';
import { startPushService } from '../_push-service.ts';
import { seedCompany, seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { asKey, seedTicket } from '../tickets-seed.ts';

const root = '/admin/api/v1';
const path = '/notifications.php?action=browsers';

async function person(app: TestApp) {
  const technician = await seedTechnician(app, 'technician');
  const cookie = await signInOnPage(app, technician);
  const ask = (method: string, of: string, body?: unknown) =>
    app.request(method, root + of, { cookie, ...(body !== undefined && { body }) });
  return { ...technician, cookie, ask };
}

async function desks(t: Parameters<typeof startApp>[0]) {
  const app = await startApp(t);
  const [ada, ben, service] = [await person(app), await person(app), await startPushService(t)];
  const { company_number } = await seedCompany(app);
  const browsers = () => app.app.database.find(PushSubscription, { order: { subscription_id: 'ASC' } });
  /** Assigns another ticket to Ben, and delivers what follows. */
  const assign = async () => {
    const ticket = await seedTicket(app, { company_number, subject: 'Server down' });
    await ada.ask('PUT', `/tickets.php?id=${ticket.ticket_id}`, { assigned_to: ben.user_id });
    await app.app.outbox.drain();
    return ticket;
  };
  return { app, ada, ben, service, browsers, assign };
}

test('Show your notifications in a browser: encrypted for it, signed, and in your language', async (t) => {
  const { app, ada, ben, service, assign } = await desks(t);
  const added = await ben.ask('POST', path, service.subscription('Firefox, Linux'));
  t.is(added.status, 200);
  t.like(added.body.data.subscriptions, [{ device: 'Firefox, Linux', delivered_at: null }]);
  const { ticket_number, ticket_id } = await assign();
  t.deepEqual(
    service.pushed.map(({ content }) => content),
    [
      {
        title: `${ada.name} assigned you`,
        body: `${ticket_number} Server down`,
        tag: `ticket ${ticket_id}`,
        path: `/admin/tickets/${ticket_number}`,
      },
    ],
  );
  t.like(service.pushed[0], { urgency: 'normal', ttl: 4 * 60 * 60, subject: `mailto:${ben.email}` });
  const [shown] = (await ben.ask('GET', path)).body.data.subscriptions;
  t.is(shown.delivered_at, app.clock.now().replace('.000Z', 'Z'));
  t.is((await ben.ask('PUT', '/technicians.php?action=language', { language: 'de' })).status, 200);
  await assign();
  t.is(service.pushed[1]?.content.title, `${ada.name} hat Ihnen zugewiesen:`);
});

test('List the browsers that show your notifications; Stop showing your notifications in a browser: each only their own', async (t) => {
  const { app, ada, ben, service, assign, browsers } = await desks(t);
  const { public_key, subscriptions } = (await ben.ask('GET', path)).body.data;
  t.is(Buffer.from(public_key, 'base64url').length, 65);
  t.deepEqual(subscriptions, []);
  t.is((await ada.ask('GET', path)).body.data.public_key, public_key);
  const added = await ben.ask('POST', path, service.subscription('One'));
  const [{ subscription_id }] = added.body.data.subscriptions;
  t.false(JSON.stringify(await browsers()).includes('/push/'), 'its address is sealed');
  t.deepEqual((await ada.ask('GET', path)).body.data.subscriptions, []);
  const one = `${path}&subscription_id=${subscription_id}`;
  t.is((await ada.ask('DELETE', one)).status, 404);
  t.is((await (await asKey(app, ['settings:read']))('GET', path)).status, 403);
  t.is((await ben.ask('DELETE', one)).status, 204);
  await assign();
  t.deepEqual(service.pushed, []);
  for (let at = 0; at < 12; at++) await ben.ask('POST', path, service.subscription(`Number ${at}`));
  t.deepEqual(
    (await browsers()).map(({ device }) => device),
    Array.from({ length: 10 }, (_, at) => `Number ${at + 2}`),
  );
  await ada.ask('POST', path, service.subscription('Number 5'));
  const owners = (await browsers()).filter(({ device }) => device === 'Number 5').map(({ user_id }) => user_id);
  t.deepEqual(owners, [ada.user_id], 'a shared browser shows the notifications of the last person who added it');
});

test('an address that the server must not reach, and keys that are none, are refused', async (t) => {
  const { ben, service } = await desks(t);
  const good = service.subscription('One');
  const refused = async (over: object) => (await ben.ask('POST', path, { ...good, ...over })).body.error;
  t.regex(await refused({ endpoint: 'https://169.254.169.254/' }), /^endpoint: /);
  t.regex(await refused({ endpoint: 'nothing' }), /^endpoint: /);
  t.is(await refused({ p256dh: good.auth }), 'p256dh must be the key that the browser generated');
  t.is(await refused({ auth: 'a b' }), 'auth must be the key that the browser generated');
});

test('a browser is forgotten when its push service no longer knows it, and kept while the service is away', async (t) => {
  const { app, ben, service, assign, browsers } = await desks(t);
  await ben.ask('POST', path, service.subscription('One'));
  service.answer(503);
  await assign();
  t.is((await browsers()).length, 1);
  service.answer(201);
  app.clock.set(plus(app.clock.now(), { minutes: 1 }));
  await app.app.outbox.drain();
  t.is(service.pushed.length, 1, 'sent again');
  service.answer(410);
  await assign();
  t.is((await browsers()).length, 0);
});

test('signing out ends the browser’s notifications, ending other sessions those of others, and a new password all', async (t) => {
  const { app, ben, service, assign, browsers } = await desks(t);
  await ben.ask('POST', path, service.subscription('Here'));
  const there = await signInOnPage(app, ben);
  const body = service.subscription('There');
  await app.request('POST', root + path, { cookie: there, body });
  await ben.ask('DELETE', '/technicians.php?action=sessions');
  await app.app.outbox.drain();
  const left = async () => (await browsers()).map(({ device }) => device);
  t.deepEqual(await left(), ['Here']);
  await app.request('POST', '/admin/logout', { cookie: ben.cookie, headers: { 'Sec-Fetch-Site': 'same-origin' } });
  await app.app.outbox.drain();
  t.deepEqual(await left(), []);
  const cookie = await signInOnPage(app, ben);
  await app.request('POST', root + path, { cookie, body });
  const password = 'another long walk by the sea';
  await setTechnicianPassword(app.app.system(), { user_id: ben.user_id, password });
  await assign();
  t.deepEqual([await left(), service.pushed], [[], []]);
});
