// Lists and sums that are shown whole: rows past the first page count, too.
import { sendInvoice } from '@keelson/modules/billing';
import anyTest from 'ava';
import { password, seedEmployee } from '../accounts-seed.ts';
import { seedInvoice, switchBilling } from '../billing-seed.ts';
import { asCustomer, openRoom, visit, type Room } from './_desk.ts';
import { browserPath } from './_website.ts';

const path = browserPath();
const test = path === undefined ? anyTest.serial.skip : anyTest.serial;

/** More than the server returns at once. */
const MANY = 105;

let room: Room;
let company_number: number;
let customer: { readonly email: string; readonly password: string };

if (path !== undefined) {
  anyTest.before(async () => {
    room = await openRoom(path);
    const employee = await seedEmployee(room.app, { can_view_billing: true, it_privileges: true, ismgr: true });
    ({ company_number } = employee);
    await switchBilling(room.app, company_number, true);
    customer = { email: employee.email, password };
  });
  anyTest.after.always(() => room?.close());
}

/** Opens a page of the portal. */
async function inPortal(address: string) {
  const { page, context } = await asCustomer(room, customer);
  await visit(page, `${room.app.url}/helpdesk${address}`);
  return { page, context };
}

test('the portal sums and lists all invoices', async (t) => {
  for (let count = 1; count <= MANY; count++) {
    const draft = await seedInvoice(room.app, { company_number });
    await room.app.run((ctx) => sendInvoice(ctx, draft));
  }
  const { page, context } = await inPortal('/billing');
  await page.getByText('Balance due').first().waitFor();
  t.regex((await page.locator('.figures').textContent()) ?? '', /\$10,500\.00/);
  t.is(await page.getByRole('region', { name: 'Invoices' }).getByRole('row').count(), MANY + 1);
  await context.close();
});
