/// <reference lib="dom" />
// Settings of the business, as an administrator changes them.
import anyTest from 'ava';
import { password, seedTechnician } from '../accounts-seed.ts';
import { asStaff, axe, openRoom, visit, type Room } from './_desk.ts';
import { browserPath } from './_website.ts';

const path = browserPath();
const test = path === undefined ? anyTest.serial.skip : anyTest.serial;

let room: Room;
let boss: { readonly email: string; readonly password: string };

if (path !== undefined) {
  anyTest.before(async (t) => {
    t.timeout(180_000);
    room = await openRoom(path);
    boss = { email: (await seedTechnician(room.app, 'administrator')).email, password };
  });
  anyTest.after.always(() => room?.close());
}

test('the time zone and the currency are found by typing and saved', async (t) => {
  const { page, context, complaints } = await asStaff(room, boss, { timezoneId: 'America/Chicago' });
  await visit(page, `${room.app.url}/admin/settings`);
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  t.is(await zone.inputValue(), 'America/Chicago', 'suggested until one is saved');
  await zone.click();
  await page.keyboard.type('new york');
  t.deepEqual(await axe(page), []);
  await page.getByRole('option', { name: 'America/New York' }).click();
  const currency = page.getByRole('combobox', { name: 'Currency' });
  await currency.click();
  await page.keyboard.type('cad');
  await page.getByRole('option', { name: 'Canadian Dollar' }).click();
  const card = page.locator('.card', { has: page.getByRole('heading', { name: 'Time zone and currency' }) });
  await card.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Time zone and currency saved').waitFor();
  await visit(page, `${room.app.url}/admin/settings`);
  t.is(await page.getByRole('combobox', { name: 'Time zone' }).inputValue(), 'America/New York');
  t.is(await page.getByRole('combobox', { name: 'Currency' }).inputValue(), 'Canadian Dollar');
  t.deepEqual(complaints, []);
  await context.close();
});
