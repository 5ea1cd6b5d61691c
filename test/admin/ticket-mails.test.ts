// Recipients of ticket mails.
import { Mail } from '@keelson/core/system';
import { Company, Employee } from '@keelson/modules/directory';
import { openApp, readMails, type TestApp } from '@keelson/testing';
import test from 'ava';
import { In } from 'typeorm';
import { StoredEvent } from '../../packages/events/delivery/delivery.ts';
import { signInOnPage } from '../accounts-seed.ts';
import {
  asEmployee,
  asKey,
  seedCompany,
  seedEmployee,
  seedTeam,
  seedTechnician,
  seedTicket,
  staff,
} from '../tickets-seed.ts';

// One application for all tests, run serially: each reads its own mails.
let shared: TestApp;
test.before(async () => {
  shared = await openApp();
});
test.after.always(() => shared?.close());

/** Returns the mails written since the last call. */
async function news(app: TestApp) {
  await app.app.outbox.drain();
  const mails = await readMails(app);
  await app.app.database.delete(Mail, { state: In(['waiting', 'held']) });
  return mails;
}

async function asTechnician(app: TestApp) {
  const cookie = await signInOnPage(app, await seedTechnician(app));
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  return (method: string, path: string, body: unknown) =>
    app.request(method, `${staff}${path}`, { cookie, headers, body });
}

async function newPlace(app: TestApp) {
  const { company_number } = await seedCompany(app, undefined);
  const requester = await seedEmployee(app, { company_number });
  return { company_number, requester, employee_number: requester.employee_number };
}

test.serial('the requester is notified of tickets opened for them, replies and closing', async (t) => {
  const app = shared;
  const { company_number, requester, employee_number } = await newPlace(app);
  const technician = await asTechnician(app);
  const opened = { company_number, employee_number, subject: 'New <laptop>', description: 'As you asked' };
  const { ticket_id, ticket_number } = (await technician('POST', '/tickets.php', opened)).body.data;
  const [created, ...none] = await news(app);
  t.deepEqual(none, []);
  t.like(created, { template: 'ticket_created', to: requester.email, subject: `[#${ticket_number}] New <laptop>` });
  t.regex(created?.text ?? '', /^Hello Erin Example,\n\n.*As you asked/s);

  await technician('POST', `/tickets.php?action=comments&id=${ticket_id}`, { comment: 'Proposal sent' });
  const [answer] = await news(app);
  t.like(answer, { template: 'ticket_comment', to: requester.email });
  t.regex(answer?.text ?? '', /Terry Technician commented on .*Proposal sent/s);
  t.true(answer?.text.includes(`${app.app.config.baseUrl}/helpdesk/tickets/${ticket_number}\n`));

  await technician('PUT', `/tickets.php?id=${ticket_id}`, { status: 'closed' });
  const [closed] = await news(app);
  t.like(closed, { template: 'ticket_closed', to: requester.email });
  t.regex(closed?.text ?? '', /was closed by Terry Technician/);
});

test.serial('an internal note appears in no mail or event', async (t) => {
  const app = shared;
  const { company_number, employee_number } = await newPlace(app);
  const { ticket_id } = await seedTicket(app, { company_number, employee_number });
  await news(app);
  const technician = await asTechnician(app);
  const comment = 'CANARY: this customer never pays';
  await technician('POST', `/tickets.php?action=comments&id=${ticket_id}`, { comment, is_internal: true });
  t.deepEqual(await news(app), []);
  await technician('PUT', `/tickets.php?id=${ticket_id}`, { status: 'closed' });
  const [closed] = await news(app);
  t.is(closed?.template, 'ticket_closed');
  t.notRegex(closed?.text ?? '', /CANARY/);
  t.notRegex(JSON.stringify(await app.app.database.find(StoredEvent)), /CANARY/);
});

test.serial('no one is notified of their own actions', async (t) => {
  const app = shared;
  const { requester } = await newPlace(app);
  const send = await asEmployee(app, requester);
  const { body } = await send('POST', '/tickets', { subject: 'My own', description: 'x' });
  await send('POST', `/tickets/${body.ticket_id}/comments`, { comment: 'More of it' });
  await send('PUT', `/tickets/${body.ticket_id}`, { status: 'closed' });
  t.deepEqual(await news(app), []);
});

test.serial('inactive and deleted people, and people of inactive companies, are not notified', async (t) => {
  const app = shared;
  const tell = async (change: (place: { employee_number: number; company_number: number }) => Promise<unknown>) => {
    const { company_number, employee_number } = await newPlace(app);
    await seedTicket(app, { company_number, employee_number });
    await change({ employee_number, company_number });
    return (await news(app)).length;
  };
  const { database } = app.app;
  t.is(await tell(async () => {}), 1);
  t.is(await tell(({ employee_number }) => database.update(Employee, { employee_number }, { status: 'Inactive' })), 0);
  const deleted_at = app.clock.now();
  t.is(await tell(({ employee_number }) => database.update(Employee, { employee_number }, { deleted_at })), 0);
  t.is(await tell(({ company_number }) => database.update(Company, { company_number }, { status: 'inactive' })), 0);
});

test.serial('managers are asked for approval, and the requester gets the reason for a rejection', async (t) => {
  const app = shared;
  const { member, manager } = await seedTeam(app);
  const told = await news(app);
  t.deepEqual(
    told.map(({ template, to }) => [template, to]),
    [['security_change', manager.email]],
    'the manager gets a mail about the new rights',
  );
  const asMember = await asEmployee(app, member);
  const { body } = await asMember('POST', '/tickets', { subject: 'A yacht', description: 'For customers' });
  const [asked, ...none] = await news(app);
  t.deepEqual(none, []);
  t.like(asked, { template: 'approval_requested', to: manager.email });
  t.regex(asked?.text ?? '', /Erin Example submitted a request .*A yacht.*For customers/s);
  t.true(asked?.text.includes(`${app.app.config.baseUrl}/approval?token=`));
  const asManager = await asEmployee(app, manager);
  await asManager('PUT', `/tickets/${body.ticket_id}`, { priority: 1 });
  t.deepEqual(await news(app), [], 'it is pending as before');
  await asManager('POST', `/tickets/${body.ticket_id}/reject`, { reason: 'Too small' });
  const [refused] = await news(app);
  t.like(refused, { template: 'ticket_closed', to: member.email });
  t.regex(refused?.text ?? '', /Too small/);
});

test.serial('closing many tickets notifies each requester once, with the closing comment', async (t) => {
  const app = shared;
  const { company_number, employee_number } = await newPlace(app);
  const other = await seedEmployee(app, { company_number });
  const tickets = [
    await seedTicket(app, { company_number, employee_number }),
    await seedTicket(app, { company_number, employee_number: other.employee_number }),
    await seedTicket(app, { company_number }),
  ];
  await news(app);
  const send = await asKey(app);
  const ticket_ids = tickets.map((each) => each.ticket_id);
  const { status } = await send('POST', '/bulk/tickets.php', { action: 'close', ticket_ids, comment: 'Solved' });
  t.is(status, 200);
  const mails = await news(app);
  t.is(mails.length, 2);
  for (const each of mails) t.regex(each.text, /Solved/);
});
