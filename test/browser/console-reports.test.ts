/// <reference lib="dom" />
// A report is built with its result in sight.
import { Report } from '@keelson/modules/reports';
import anyTest from 'ava';
import { asCustomer, asStaff, axe, holds, openDesk, sideways, visit, type Desk } from './_desk.ts';
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

test('a report is built from pickers with a live preview, saved, mailed on a schedule and edited', async (t) => {
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/reports`);
  await page.getByRole('link', { name: 'New report' }).click();
  const preview = page.locator('.report-preview');
  await preview.getByRole('heading', { name: /\d+ rows/ }).waitFor();
  await preview.getByRole('columnheader', { name: 'Subject' }).waitFor();
  await page.getByRole('checkbox', { name: /Status/ }).uncheck();
  await preview.getByRole('columnheader', { name: 'Status' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Add condition' }).click();
  const condition = page.getByRole('group', { name: 'Condition 1' });
  await condition.getByLabel('Field').selectOption('Status');
  await condition.getByLabel('Value').selectOption('Closed');
  await page.getByLabel('Group by').selectOption({ label: 'Priority' });
  await preview.locator('.chart').waitFor();
  await preview.getByRole('cell', { name: 'Normal' }).waitFor();
  await condition.getByLabel('Field').selectOption('Priority');
  await condition.getByLabel('Comparison').selectOption('is one of');
  await condition.getByLabel('Value').selectOption(['High', 'Normal']);
  await preview.getByRole('cell', { name: 'High' }).waitFor();
  await preview.getByRole('cell', { name: 'Low' }).waitFor({ state: 'detached' });
  await condition.getByLabel('Field').selectOption('Status');
  await condition.getByLabel('Value').selectOption('Closed');
  await page.getByRole('button', { name: 'Add figure' }).click();
  t.deepEqual(await axe(page), []);
  await page.getByLabel('Name').fill('Closed by priority');
  await page.getByLabel('How often').selectOption('Every week');
  await page.getByLabel('Day', { exact: true }).selectOption('Friday');
  await page.getByLabel('Time').fill('17:30');
  await page.getByLabel(desk.made.staff.administrator.name).check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Closed by priority' }).waitFor();
  await page.getByText('At 17:30, only on Friday').waitFor();
  await page.locator('.chart').waitFor();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByRole('heading', { name: 'Edit Closed by priority' }).waitFor();
  await t.notThrowsAsync(holds(page.getByLabel('Group by'), 'priority'));
  await t.notThrowsAsync(holds(page.getByLabel('Time'), '17:30'));
  await page.getByLabel('Group by').selectOption({ label: 'Created by week' });
  await preview.getByRole('columnheader', { name: /Created/ }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  t.true((await sideways(page)) <= 0);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Closed by priority' }).waitFor();
  await page.getByText('Created (week)').nth(1).waitFor();
  const weeks = await page.locator('.chart tbody td:first-child').allTextContents();
  t.true(weeks.length > 1 && weeks.every((each) => /^[A-Z]\w+ \d+, \d{4}$/.test(each)), weeks.join('; '));
  t.deepEqual(
    weeks,
    weeks.toSorted((a, b) => Date.parse(a) - Date.parse(b)),
  );
  await visit(page, `${desk.app.url}/admin/reports`);
  await page.getByRole('row', { name: /Closed by priority.*At 17:30, only on Friday(?! ·)/ }).waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});

test('a report that is renamed keeps its conditions, also those the builder cannot make', async (t) => {
  const { page, context } = await asStaff(desk, desk.made.staff.administrator);
  const headers = { 'X-Console': '1' };
  const root = `${desk.app.url}/admin/api/v1/reports.php`;
  const made = {
    ...{ name: 'Overdue', source: 'invoices', group_by: 'status', aggregates: [{ function: 'sum', field: 'total' }] },
    filters: [
      { field: 'status', operator: 'in', value: ['sent', 'overdue'] },
      { field: 'total', operator: 'gte', value: 10.5 },
      { field: 'sent_at', operator: 'empty', value: false },
      { field: 'created_at', operator: 'gte', value: '2020-03-01T08:00:00Z' },
    ],
    sort: [
      { field: 'sum_total', order: 'desc' },
      { field: 'status', order: 'asc' },
    ],
  };
  const created = await page.request.post(root, { headers, data: made });
  t.is(created.status(), 201, await created.text());
  const { report_id } = ((await created.json()) as { data: { report_id: number } }).data;
  await visit(page, `${desk.app.url}/admin/reports/${report_id}/edit`);
  const condition = (number: number) => page.getByRole('group', { name: `Condition ${number}` });
  t.deepEqual(
    // A list once the fields are known.
    await condition(1)
      .getByRole('listbox', { name: 'Value' })
      .evaluate((select: HTMLSelectElement) => Array.from(select.selectedOptions, (each) => each.text)),
    ['Sent', 'Overdue'],
  );
  t.is(await condition(3).getByLabel('Comparison').locator('option:checked').textContent(), 'is not empty');
  await page.getByLabel('Name').fill('Overdue invoices');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Overdue invoices' }).waitFor();
  const read = async () =>
    ((await (await page.request.get(`${root}?id=${report_id}`, { headers })).json()) as { data: object }).data;
  t.like(await read(), { ...made, name: 'Overdue invoices' });

  // An amount with cents is built, and a condition without a value is not saved.
  await visit(page, `${desk.app.url}/admin/reports/${report_id}/edit`);
  await condition(2).getByLabel('Value').fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  t.true(
    await condition(2)
      .getByLabel('Value')
      .evaluate((input: HTMLInputElement) => input.validity.valueMissing),
  );
  await condition(2).getByLabel('Value').fill('99.95');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Overdue invoices' }).waitFor();
  t.like(await read(), { filters: made.filters.with(1, { field: 'total', operator: 'gte', value: 99.95 }) });
  await context.close();
});

test('a customer’s report shows priorities and months in words, months in order of time', async (t) => {
  const person = desk.made.customers[0]?.it_admin;
  if (!person) throw new Error('The demo has a customer');
  const { page, complaints, context } = await asCustomer(desk, person);
  const shown = async (group_by: string) => {
    const data = { name: 'Tickets', source: 'tickets', fields: [], group_by, aggregates: [{ function: 'count' }] };
    const headers = { 'Sec-Fetch-Site': 'same-origin' };
    const answer = await page.request.post(`${desk.app.url}/helpdesk/api/v1/reports`, { data, headers });
    const { report_id } = (await answer.json()) as { report_id: number };
    await visit(page, `${desk.app.url}/helpdesk/reports/${report_id}`);
    await page.locator('tbody tr').first().waitFor();
    return page.locator('tbody td:first-child').allTextContents();
  };
  t.true((await shown('priority')).includes('Normal'));
  const months = await shown('created_at:month');
  t.regex(months.join('; '), /^(?:[A-Z]\w+ \d{4}(?:; )?)+$/);
  t.deepEqual(
    months,
    months.toSorted((a, b) => Date.parse(a) - Date.parse(b)),
  );
  t.deepEqual(complaints, []);
  await context.close();
});

test('a report keeps what a colleague changes while its name is edited', async (t) => {
  const { administrator, technician } = desk.made.staff;
  const read = (name: string) => desk.app.run((ctx) => ctx.db.findOneBy(Report, { name }));
  const report = await read('Open tickets, oldest first');
  if (!report?.schedule) return t.fail();
  const { report_id, fields, schedule } = report;
  const { page, complaints, context } = await asStaff(desk, administrator);
  await visit(page, `${desk.app.url}/admin/reports/${report_id}/edit`);
  await page.getByLabel('Name').fill('Open tickets');
  await page.getByLabel(administrator.name).waitFor();
  const colleagues = {
    filters: [{ field: 'priority', operator: 'eq', value: 1 }],
    schedule: { ...schedule, recipients: [technician.user_id] },
  };
  await desk.app.run((ctx) => ctx.db.update(Report, { report_id }, colleagues));
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Open tickets', exact: true }).waitFor();
  t.like(await read('Open tickets'), { report_id, fields, ...colleagues });
  t.deepEqual(complaints, []);
  await context.close();
});
