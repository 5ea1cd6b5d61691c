// From an empty installation to a customer's first ticket, without a shell or a mail server.
import { setUpLink } from '@keelson/modules/accounts';
import { Ticket } from '@keelson/modules/tickets';
import anyTest from 'ava';
import { openRoom, openWindow, settled, type Room } from './_desk.ts';
import { browserPath } from './_website.ts';

const path = browserPath();
const test = path === undefined ? anyTest.serial.skip : anyTest.serial;
const password = 'a walk along the river';
const MOST_CLICKS = 40;

let room: Room;

if (path !== undefined) {
  anyTest.before(async () => {
    room = await openRoom(path);
  });
  anyTest.after.always(() => room?.close());
}

/** Opens a window that counts a person's clicks and choices in lists. */
async function openCounted(count: () => void) {
  const opened = await openWindow(room.browser);
  await opened.context.exposeBinding('countClick', count);
  await opened.context.addInitScript(() => {
    const told = window as unknown as { countClick(): void };
    // Submitting by Enter clicks the button, too, without a pointer.
    addEventListener('click', (event) => event.isTrusted && event.detail > 0 && told.countClick(), true);
    addEventListener('change', (event) => event.target instanceof HTMLSelectElement && told.countClick(), true);
  });
  return opened;
}

/** The path of a link that a person follows: the base URL is not where the test listens. */
function pathOf(link: string | null | undefined): string {
  const { pathname, search } = new URL(link ?? '');
  return pathname + search;
}

test('from first start to a customer’s first ticket takes at most 40 clicks', async (t) => {
  let clicks = 0;
  const { page, context, complaints } = await openCounted(() => clicks++);

  // The administrator follows the link that the server prints.
  await page.goto(room.app.url + pathOf(await setUpLink(room.app.app)));
  await page.getByLabel('Your name').fill('Ada Byron');
  await page.getByLabel('Email address').fill('ada@provider.example');
  await page.getByLabel(/^Password/).fill(password);
  await page.getByRole('button').first().click();
  await page.getByText('Getting started').waitFor();

  // Time zone and currency.
  await page.getByRole('link', { name: /^Set your time zone and currency/ }).click();
  await page.getByRole('combobox', { name: 'Currency' }).fill('euro');
  await page.getByRole('option', { name: 'Euro' }).click();
  const region = page.locator('.card', { has: page.getByRole('heading', { name: /^Time zone/ }) });
  await region.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved', { exact: true }).waitFor();

  // The first customer and its contacts.
  await page.getByRole('link', { name: 'Home' }).first().click();
  await page.getByRole('link', { name: /^Add your first customer/ }).click();
  await page.getByRole('button', { name: 'New company' }).click();
  await page.getByLabel('Company', { exact: true }).fill('Northwind Dental');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Northwind Dental' }).waitFor();
  await page.getByRole('link', { name: 'Home' }).first().click();
  await page.getByRole('link', { name: /^Add their contacts/ }).click();
  const rows = 'First name,Last name,Email,Company\nNora,New,nora@northwind.example,Northwind Dental\n';
  await page.getByLabel('File').setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) });
  await page.getByRole('button', { name: 'Check 1 row' }).click();
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await page.getByText('Import complete.').waitFor();

  // Without a mail server the invitation is a link to copy.
  await page.getByRole('link', { name: 'Contacts' }).first().click();
  await page.locator('.table').getByText('Nora').first().click();
  await page.getByRole('button', { name: 'Invite to portal' }).click();
  const invitation = await page.locator('.secret code').textContent();

  // The customer chooses a password, signs in and asks for help.
  const theirs = await openCounted(() => clicks++);
  await theirs.page.goto(room.app.url + pathOf(invitation));
  await theirs.page.getByLabel(/^Password/).fill(password);
  await theirs.page.getByRole('button', { name: 'Save password' }).click();
  await theirs.page.goto(`${room.app.url}/helpdesk/sign-in`);
  await theirs.page.getByLabel('Email address').fill('nora@northwind.example');
  await theirs.page.getByLabel('Password').fill(password);
  await theirs.page.getByRole('button', { name: 'Sign in' }).click();
  // Until now nobody was signed in there.
  await theirs.page.waitForURL(`${room.app.url}/helpdesk`);
  theirs.complaints.splice(0);
  await theirs.page.getByRole('textbox', { name: 'What you need' }).fill('The printer is out of toner');
  await theirs.page.getByRole('button', { name: 'Ask' }).click();
  await theirs.page.getByLabel('What happened').fill('Black is empty.');
  await theirs.page.getByRole('button', { name: 'Send' }).click();
  await theirs.page.getByRole('heading', { level: 1, name: 'The printer is out of toner' }).waitFor();

  // The administrator sees it.
  await page.getByRole('link', { name: 'Tickets' }).first().click();
  await page.getByText('The printer is out of toner').first().waitFor();
  await settled(page);
  t.is(await room.app.run((ctx) => ctx.db.countBy(Ticket, {})), 1);
  t.log(`${clicks} clicks`);
  t.true(clicks > 10 && clicks <= MOST_CLICKS, `${clicks} clicks`);
  t.deepEqual([...complaints, ...theirs.complaints], []);
  await context.close();
  await theirs.context.close();
});
