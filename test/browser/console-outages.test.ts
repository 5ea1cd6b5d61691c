/// <reference lib="dom" />
// An outage's updates with their notices, and a network's address map.
import { raiseAlert } from '@keelson/modules/monitoring';
import { Outage } from '@keelson/modules/outages';
import anyTest from 'ava';
import { Network } from '../../modules/inventory/networks/entities.ts';
import { asStaff, axe, openDesk, sideways, visit, type Desk } from './_desk.ts';
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

test('an update is written beside its notice, sent to everyone affected, and listed', async (t) => {
  const [outage] = await desk.app.run((ctx) => ctx.db.findBy(Outage, { status: 'active' }));
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/outages/${outage?.outage_id}`);
  const notice = page.getByRole('region', { name: /^Notice to \d+ people$/ });
  await notice.getByText(`${outage?.title}: active`).waitFor();
  await page.getByRole('heading', { name: /^Affected customers/ }).waitFor();
  await page.getByLabel('Message').fill('A technician is on the way.');
  await notice.getByText('A technician is on the way.').waitFor();
  await page.getByLabel('Status').selectOption('Resolved');
  await notice.getByText(`${outage?.title}: operating normally`).waitFor();
  t.deepEqual(await axe(page), []);
  await page.getByRole('button', { name: 'Post and send' }).click();
  await page.locator('.outage-updates li').first().getByText('A technician is on the way.').waitFor();
  await page.locator('.outage-updates li').first().getByText('notice sent').waitFor();
  await page.getByLabel('Send to everyone affected').isChecked().then(t.false);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('Title').fill('No internet in the branch');
  // What a colleague changes meanwhile stays.
  const colleagues = { headers: { 'X-Console': '1' }, data: { severity: 'critical' } };
  const answer = await page.request.put(`${desk.app.url}/admin/api/v1/outages.php?id=${outage?.outage_id}`, colleagues);
  t.is(answer.status(), 200, await answer.text());
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'No internet in the branch' }).waitFor();
  await page.getByText('Critical', { exact: true }).first().waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  t.true((await sideways(page)) <= 0);
  t.deepEqual(complaints, []);
  await context.close();
});

test('planned maintenance says in the list when it begins', async (t) => {
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/outages?status=scheduled`);
  await page.getByRole('columnheader', { name: 'Scheduled start' }).waitFor();
  t.is(await page.locator('.sight .row').first().locator('time').count(), 1);
  await context.close();
});

test('the end of planned maintenance is moved in the technician’s own time zone', async (t) => {
  const [outage] = await desk.app.run((ctx) => ctx.db.findBy(Outage, { status: 'scheduled' }));
  if (!outage) return t.fail('The demo has no planned maintenance');
  const { outage_id, scheduled_start } = outage;
  const { page, context } = await asStaff(desk, desk.made.staff.technician, { timezoneId: 'Asia/Tokyo' });
  await visit(page, `${desk.app.url}/admin/outages/${outage_id}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Planned end/).fill('2031-02-03T09:30');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  const stored = await desk.app.run((ctx) => ctx.db.findOneBy(Outage, { outage_id }));
  t.is(Date.parse(stored?.scheduled_end ?? ''), Date.parse('2031-02-03T00:30:00Z'));
  t.is(stored?.scheduled_start, scheduled_start);
  await context.close();
});

test('more alerts of a machine than fit are linked', async (t) => {
  const company_number = desk.made.customers[1]?.company.company_number ?? 0;
  await desk.app.run(async (ctx) => {
    const alert = { alert_type: 'test', severity: 'warning', company_number } as const;
    for (let at = 1; at <= 6; at++) await raiseAlert(ctx, `more:${at}`, { ...alert, message: `Disk ${at} is full` });
  });
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/alerts/by-machine`);
  await page.getByRole('link', { name: 'All 6 alerts' }).click();
  await page.getByText('6 alerts').waitFor();
  await page.getByText('Disk 1 is full').waitFor();
  t.is(await page.locator('.sight .row').count(), 6);
  await context.close();
});

test('a network lists its free addresses first, and the asset of each used one', async (t) => {
  const [network] = await desk.app.run((ctx) => ctx.db.find(Network, { order: { network_id: 'ASC' }, take: 1 }));
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/networks/${network?.network_id}`);
  await page.getByText(/\d+ used, [\d,]+ free/).waitFor();
  t.is(await page.locator('.free-addresses li').count(), 5);
  const map = page.getByRole('table', { name: 'Address map' });
  t.is(await map.locator('td').count(), 256);
  t.is(await map.locator('td[data-state=gateway]').count(), 1);
  t.deepEqual(await axe(page), []);
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.locator('.address-blocks').getByText('10.20.1.0').waitFor();
  await page.getByRole('button', { name: 'Previous', exact: true }).click();
  await map.getByRole('link', { name: '10.20.0.10, SERVER1' }).click();
  await page.getByRole('heading', { name: /SERVER1/ }).waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});

test('an update that is being written stays when a colleague posts one', async (t) => {
  const [outage] = await desk.app.run((ctx) => ctx.db.findBy(Outage, { status: 'scheduled' }));
  const address = `${desk.app.url}/admin/api/v1/outages.php?id=${outage?.outage_id}`;
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/outages/${outage?.outage_id}`);
  await page.getByLabel('Message').fill('We begin in the server room.');
  await page.getByLabel('Send to everyone affected').uncheck();
  const colleagues = { headers: { 'X-Console': '1' }, data: { status: 'active', notes: 'It has begun.' } };
  const answer = await page.request.put(address, colleagues);
  t.is(answer.status(), 200, await answer.text());
  const latest = page.locator('.outage-updates li').first();
  await latest.getByText('It has begun.').waitFor();
  t.is(await page.getByLabel('Message').inputValue(), 'We begin in the server room.');
  t.false(await page.getByLabel('Send to everyone affected').isChecked());
  t.is(await page.getByLabel('Status').locator('option:checked').textContent(), 'Still active');
  await page.getByRole('button', { name: 'Post', exact: true }).click();
  await latest.getByText('We begin in the server room.').waitFor();
  t.is(await page.getByLabel('Message').inputValue(), '', 'what was posted is not offered again');
  t.deepEqual(complaints, []);
  await context.close();
});
