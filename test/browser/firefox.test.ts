// The daily jobs in Firefox, once each: what the pages rely on must not be Chromium's alone.
import { Payment } from '@keelson/modules/billing';
import { Opportunity } from '@keelson/modules/crm';
import { createEmployee } from '@keelson/modules/directory';
import { createTicket, Ticket, TicketComment, TicketTimeEntry } from '@keelson/modules/tickets';
import { openApp, type TestApp } from '@keelson/testing';
import anyTest, { type ExecutionContext } from 'ava';
import type { Browser } from 'puppeteer-core';
import { In } from 'typeorm';
import { fillDemo, type DemoParts } from '../../modules/demo/demo.ts';
import { boundless } from '../_boundless.ts';
import { until } from '../_until.ts';
import { firefoxPath, openFirefox, visitor, type Visitor } from './_firefox.ts';

const path = firefoxPath();
const test = path === undefined ? anyTest.serial.skip : anyTest.serial;

let app: TestApp;
let browser: Browser;
let made: DemoParts;

if (path !== undefined) {
  anyTest.before(async () => {
    [app, browser] = await Promise.all([openApp({ web: true, limiter: boundless }), openFirefox(path)]);
    made = await fillDemo(app.app);
  });
  anyTest.after.always(async () => {
    await browser?.close();
    await app?.close();
  });
}

interface Person {
  readonly email: string;
  readonly password: string;
}

function customer() {
  const [first] = made.customers;
  if (!first) throw new Error('The demo has no customers');
  return first;
}

/** Signs in on the page itself. */
async function signedIn(person: Person, address: '/admin/login' | '/helpdesk/sign-in', width?: number) {
  const at = await visitor(browser, width);
  await at.open(app.url + address);
  await at.fill('Email address', person.email);
  await at.fill('Password', person.password);
  await Promise.all([at.page.waitForNavigation(), at.click('Sign in')]);
  await at.page.locator('main h1').wait();
  // Until now nobody was signed in there.
  at.complaints.splice(0);
  at.begin();
  return at;
}

const asStaff = (person: Person, width?: number) => signedIn(person, '/admin/login', width);
const asCustomer = (person: Person, width?: number) => signedIn(person, '/helpdesk/sign-in', width);

async function leave(t: ExecutionContext, at: Visitor): Promise<void> {
  const { clicks, keys, seconds, waited } = at.effort();
  t.log(`${clicks} clicks, ${keys} keys: ${seconds} s for a person, and ${waited.toFixed(1)} s for the pages`);
  t.deepEqual(at.complaints, []);
  await at.close();
}

const addTicket = (subject: string) =>
  app.run((ctx) => createTicket(ctx, { company_number: customer().company.company_number, subject }));

test('a technician answers a ticket with its time by keyboard', async (t) => {
  const { ticket_id } = await addTicket('The scanner does not start');
  const at = await asStaff(made.staff.technician);
  await at.open(`${app.url}/admin/tickets?search=The+scanner+does+not+start&status=all`);
  await at.sees('The scanner does not start');
  const { keyboard } = at.page;
  await keyboard.press('Enter');
  await at.meets('Send');
  await keyboard.press('r');
  await keyboard.type('Restart it, please.');
  await keyboard.press('Tab');
  await keyboard.type('15');
  await keyboard.down('Control');
  await keyboard.press('Enter');
  await keyboard.up('Control');
  const comments = () => app.run((ctx) => ctx.db.findBy(TicketComment, { ticket_id }));
  await until(async () => (await comments()).length > 0);
  const entries = await app.run((ctx) => ctx.db.findBy(TicketTimeEntry, { ticket_id }));
  t.deepEqual(
    [(await comments()).map((each) => each.comment), entries.map((each) => each.duration_minutes)],
    [['Restart it, please.'], [15]],
  );
  await leave(t, at);
});

test('a technician on site writes a note with its time on a phone', async (t) => {
  const { ticket_id, ticket_number } = await addTicket('The switch is silent');
  const at = await asStaff(made.staff.technician, 390);
  await at.open(`${app.url}/admin/tickets/${ticket_number}`);
  await at.click('Reply to');
  await at.click('Internal note');
  await at.fill('Internal note', 'Changed the cable');
  await at.fill('Minutes worked', '20');
  await at.click('Add note');
  await at.sees('Changed the cable');
  t.is(await at.page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
  const comments = () => app.run((ctx) => ctx.db.findBy(TicketComment, { ticket_id }));
  await until(async () => (await comments()).length > 0);
  t.true((await comments()).every((each) => each.is_internal));
  await leave(t, at);
});

test('a dispatcher assigns several tickets at once', async (t) => {
  const ids = [(await addTicket('Sort me one')).ticket_id, (await addTicket('Sort me two')).ticket_id];
  const at = await asStaff(made.staff.administrator);
  const { name, user_id } = made.staff.technician;
  await at.open(`${app.url}/admin/tickets?search=Sort+me&status=all`);
  await at.click('Select first 100 rows');
  await at.sees('2 selected');
  await at.click('Assign selected to');
  await at.click(name, '.menu:popover-open');
  await at.click('Change 2 tickets');
  const tickets = () => app.run((ctx) => ctx.db.findBy(Ticket, { ticket_id: In(ids) }));
  await until(async () => (await tickets()).every((each) => each.assigned_to === user_id));
  t.pass();
  await leave(t, at);
});

test('a seller moves an opportunity on the board by keyboard', async (t) => {
  const opportunity = await app.run((ctx) => ctx.db.findOneBy(Opportunity, { stage: 'proposal', status: 'open' }));
  if (!opportunity) throw new Error('The demo has no proposal');
  const { name, opportunity_id } = opportunity;
  const at = await asStaff(made.staff.administrator);
  await at.open(`${app.url}/admin/opportunities/board`);
  await at.focus(name);
  await at.page.keyboard.down('Shift');
  await at.page.keyboard.press('ArrowRight');
  await at.page.keyboard.up('Shift');
  await at.sees(`Negotiation: ${name}`);
  const stage = async () => (await app.run((ctx) => ctx.db.findOneBy(Opportunity, { opportunity_id })))?.stage;
  await until(async () => (await stage()) === 'negotiation');
  await leave(t, at);
});

test('a biller writes an invoice, sends it and records its payment', async (t) => {
  const payments = () => app.run((ctx) => ctx.db.countBy(Payment, {}));
  const before = await payments();
  const at = await asStaff(made.staff.administrator);
  await at.open(`${app.url}/admin/invoices/new`);
  await at.fill('Company', customer().company.customer.slice(0, 6));
  await at.click(customer().company.customer);
  await at.fill('Description of line 1', 'Cabling');
  await at.fill('Quantity of line 1', '2');
  await at.fill('Unit price of line 1', '75,50');
  await at.click('Save draft');
  await at.click('Send');
  await at.click('Send', 'dialog');
  await at.meets('Send again');
  await at.click('Record payment');
  await at.click('Record');
  await until(async () => (await payments()) > before);
  t.pass();
  await leave(t, at);
});

test('an administrator invites a contact, who chooses a password and signs in', async (t) => {
  const person = { first_name: 'Nora', last_name: 'New', email: 'nora.new@northwind-dental.example' };
  const { company_number } = customer().company;
  const { employee_number } = await app.run((ctx) => createEmployee(ctx, { company_number, ...person }));
  const at = await asStaff(made.staff.administrator);
  await at.open(`${app.url}/admin/contacts/${employee_number}`);
  await at.click('Invite to portal');
  const link = await at.page
    .locator('.secret code')
    .map((code) => code.textContent)
    .wait();
  const { pathname, search } = new URL(link ?? '');
  const theirs = await visitor(browser);
  await theirs.open(app.url + pathname + search);
  await theirs.fill('Password', 'a walk along the river');
  await theirs.click('Save password');
  await theirs.sees('saved');
  await leave(t, theirs);
  await leave(t, await asCustomer({ email: person.email, password: 'a walk along the river' }));
  await leave(t, at);
});

test('an employee asks for help, and the manager approves it', async (t) => {
  const asking = await asCustomer(customer().employee, 390);
  await asking.fill('What you need', 'A second screen');
  await asking.click('Ask');
  await asking.fill('What happened', 'One is not enough.');
  await asking.click('Send');
  await asking.sees('Awaiting approval');
  const deciding = await asCustomer(customer().manager);
  await deciding.open(`${app.url}/helpdesk/approvals`);
  await deciding.click('Approve A second screen');
  const ticket = () => app.run((ctx) => ctx.db.findOneBy(Ticket, { subject: 'A second screen' }));
  await until(async () => (await ticket())?.approval_status === 'approved');
  t.pass();
  await leave(t, asking);
  await leave(t, deciding);
});

test('an IT admin looks up a device and an invoice', async (t) => {
  const at = await asCustomer(customer().it_admin);
  await at.click('Equipment');
  await at.sees('LT-DANA');
  await at.click('Billing');
  await at.sees('Balance due');
  await at.click('INV-000001');
  await at.meets('PDF');
  t.pass();
  await leave(t, at);
});
