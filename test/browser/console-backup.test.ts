// The morning check of backups in the console: failures, their log, and a ticket about one.
import anyTest from 'ava';
import { asStaff, axe, holds, openDesk, settled, visit, type Desk } from './_desk.ts';
import { browserPath } from './_website.ts';

const path = browserPath();
const test = path === undefined ? anyTest.serial.skip : anyTest.serial;

let desk: Desk;

if (path !== undefined) {
  anyTest.before(async () => {
    desk = await openDesk(path);
  });
  anyTest.after.always(() => desk?.close());
}

test('failed backups come first, with the log of a day and a ticket one click away', async (t) => {
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/backup`);
  const failed = page.getByRole('region', { name: 'Last backup failed' });
  await failed.waitFor();
  await page.getByRole('heading', { name: /^Backed up/ }).waitFor();
  t.true(((await page.locator('.card h2').first().textContent()) ?? '').startsWith('Last backup failed'));
  t.is(await failed.locator('thead abbr').count(), 14);
  t.deepEqual(await axe(page), []);
  await failed
    .getByRole('button', { name: /: Failed/ })
    .last()
    .click();
  const log = page.getByRole('dialog');
  await log.getByRole('cell', { name: 'Failed' }).first().waitFor();
  t.deepEqual(await axe(page), []);
  await log.getByRole('link', { name: 'Create ticket' }).click();
  await settled(page);
  await t.notThrowsAsync(holds(page.getByLabel('Subject'), /^Backup of .+ failed/));
  await page.goBack();
  await settled(page);
  await page.getByRole('button', { name: 'Days: Days' }).click();
  await page.getByRole('menuitemradio', { name: 'Last 30 days' }).click();
  await failed.locator('thead abbr').nth(29).waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});
