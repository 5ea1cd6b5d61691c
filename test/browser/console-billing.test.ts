// Money in the console: an invoice with lines of its own.
import anyTest from 'ava';
import { asStaff, axe, openDesk, sideways, visit, type Desk } from './_desk.ts';
import { browserPath } from './_website.ts';

const path = browserPath();
const test = path === undefined ? anyTest.serial.skip : anyTest.serial;

let desk: Desk;

if (path !== undefined) {
  anyTest.before(async (t) => {
    t.timeout(180_000);
    desk = await openDesk(path);
  });
  anyTest.after.always(() => desk?.close());
}

test('an invoice is written with its lines, and a line of it is changed', async (t) => {
  const [customer] = desk.made.customers;
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/invoices`);
  complaints.splice(0);
  await page.getByRole('button', { name: 'New invoice' }).click();
  const dialog = page.getByRole('dialog', { name: 'New invoice' });
  await dialog.getByRole('combobox', { name: /^Company/ }).fill(customer?.company.customer.slice(0, 6) ?? '');
  await dialog.getByRole('listbox').getByRole('option').first().click();
  const row = (number: number) => dialog.getByRole('group', { name: `Line items, ${number}` });
  await row(1)
    .getByLabel(/^Description/)
    .fill('Cabling');
  await row(1)
    .getByLabel(/^Quantity/)
    .fill('2');
  await row(1)
    .getByLabel(/^Unit price/)
    .fill('75.50');
  await dialog.getByRole('button', { name: 'Add a row' }).click();
  await row(2)
    .getByLabel(/^Description/)
    .fill('Travel');
  await row(2)
    .getByLabel(/^Unit price/)
    .fill('40');
  await dialog.getByRole('button', { name: 'Add a row' }).click();
  await row(3).getByRole('button', { name: 'Remove row 3' }).click();
  t.deepEqual(await axe(page), []);
  await page.setViewportSize({ width: 390, height: 844 });
  t.true((await sideways(page)) <= 0);
  await page.setViewportSize({ width: 1440, height: 900 });
  await dialog.getByRole('button', { name: 'New invoice' }).click();
  await page.waitForURL(/\/admin\/invoices\/INV-\d+$/);
  const cells = () => page.getByRole('region', { name: 'Lines' }).getByRole('row').allTextContents();
  await page.getByText('Cabling').waitFor();
  t.deepEqual(
    (await cells()).slice(1).map((each) => /^(Cabling|Travel)/.exec(each)?.[0]),
    ['Cabling', 'Travel'],
  );
  await page.getByRole('button', { name: /^(Change|Edit)/ }).click();
  const change = page.getByRole('dialog');
  await change
    .getByRole('group', { name: 'Line items, 2' })
    .getByLabel(/^Description/)
    .fill('Travel, two hours');
  await change.getByRole('button', { name: /^(Change|Save|Edit)/ }).click();
  await page.getByText('Travel, two hours').waitFor();
  t.is((await cells()).length, 3);
  t.deepEqual(complaints, []);
  await context.close();
});
