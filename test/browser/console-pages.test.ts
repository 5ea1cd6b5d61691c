// Pages that need more than a declaration: articles, the opportunity board, webhooks, keys, imports.
import { IsNull, Not } from '@keelson/core';
import { ImportRun } from '@keelson/core/system';
import { Asset, AssetPort } from '@keelson/modules/assets';
import { Invoice } from '@keelson/modules/billing';
import { createOpportunity, Opportunity } from '@keelson/modules/crm';
import { Employee, updateEmployee } from '@keelson/modules/directory';
import { Contract, createVlan } from '@keelson/modules/inventory';
import { createArticle, createCategory, KbArticle } from '@keelson/modules/kb';
import { addMailbox } from '@keelson/modules/mailbox';
import { Report } from '@keelson/modules/reports';
import { createTicket, Ticket } from '@keelson/modules/tickets';
import { createWebhook } from '@keelson/modules/webhooks';
import { createWorkflow, Workflow } from '@keelson/modules/workflows';
import anyTest from 'ava';
import type { Page } from 'playwright-core';
import { holdImports } from '../_held-import.ts';
import { startMailServer } from '../_mail-server.ts';
import { startReceiver } from '../_receiver.ts';
import { asStaff, axe, holds, openDesk, sideways, step, visit, type Desk } from './_desk.ts';
import { intercept } from './_intercept.ts';
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

/** Opens a page of the console as an administrator. */
async function openPage(address: string) {
  const opened = await asStaff(desk, desk.made.staff.administrator);
  await visit(opened.page, `${desk.app.url}/admin${address}`);
  opened.complaints.splice(0);
  return opened;
}

test('the URLs of tickets, assets and invoices contain the number people quote, and old URLs redirect', async (t) => {
  const { page, complaints, context } = await openPage('/tickets');
  /** Returns the path of the page with this heading. */
  const at = async (address: string, heading = '') => {
    await visit(page, `${desk.app.url}/admin${address}`);
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    return new URL(page.url()).pathname;
  };
  const [ticket] = await desk.app.run((ctx) => ctx.db.findBy(Ticket, { ticket_id: 14 }));
  const [asset] = await desk.app.run((ctx) => ctx.db.findBy(Asset, { asset_id: 7 }));
  const [invoice] = await desk.app.run((ctx) => ctx.db.findBy(Invoice, { invoice_number: 'INV-000002' }));
  t.deepEqual([ticket?.ticket_number, asset?.asset_number], [1014, 1007]);
  t.is(await at('/tickets/1014', ticket?.subject), '/admin/tickets/1014');
  t.is(await at('/tickets/14', ticket?.subject), '/admin/tickets/1014');
  t.is(await at('/assets/7', asset?.machine_name), '/admin/assets/1007');
  t.is(await at('/invoices/INV-000002', 'INV-000002'), '/admin/invoices/INV-000002');
  t.is(await at(`/invoices/${invoice?.invoice_id}`, 'INV-000002'), `/admin/invoices/${invoice?.invoice_id}`);
  await at('/invoices/INV-999999', 'Not found');
  await at('/assets/SERVER1', 'Not found');
  await visit(page, `${desk.app.url}/admin/invoices`);
  await page.locator('#main').getByRole('link', { name: 'INV-000002' }).click();
  await page.waitForURL('**/admin/invoices/INV-000002');
  await page.keyboard.press('ControlOrMeta+k');
  await page.keyboard.type(ticket?.subject ?? '');
  const company = desk.made.customers[0]?.company.customer ?? '';
  await page.getByRole('option', { name: new RegExp(`1014 .*${company} · Ticket`) }).click();
  await page.waitForURL('**/admin/tickets/1014');
  t.deepEqual(complaints, []);
  await context.close();
});

test('an article is written with a preview, survives a reload, and is restored to an earlier version', async (t) => {
  const article = await desk.app.run((ctx) =>
    createArticle(ctx, { title: 'Scanner', content: 'Press the button.', visibility: 'both' }),
  );
  const { page, complaints, context } = await openPage(`/articles/${article.article_id}/edit`);
  const text = page.getByRole('textbox', { name: 'Text', exact: true });
  await text.fill('# First aid\n\nPress the **button**.');
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByRole('heading', { name: 'First aid' }).waitFor();
  t.deepEqual(await axe(page), []);
  await page.reload();
  await page.getByText('Your unsaved draft was restored.').waitFor();
  await t.notThrowsAsync(holds(text, /First aid/));
  await page.setViewportSize({ width: 390, height: 844 });
  t.is(await sideways(page), 0);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'First aid' }).waitFor();
  await page.getByRole('tab', { name: 'Versions (2)' }).click();
  await page.getByRole('button', { name: 'Changes in version 2' }).click();
  await page.getByText('Removed: Press the button.').waitFor();
  t.deepEqual(await axe(page), []);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByRole('tab', { name: 'Versions (3)' }).waitFor();
  await page.getByRole('tab', { name: 'Article', exact: true }).click();
  await page.getByText('Press the button.').waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});

test('an article keeps what a colleague changes while its text is edited', async (t) => {
  const { article_id } = await desk.app.run((ctx) =>
    createArticle(ctx, { title: 'Router', content: 'Restart it.', visibility: 'public' }),
  );
  const { page, context } = await openPage(`/articles/${article_id}/edit`);
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Restart it twice.');
  // Directly, so that the page is not told.
  await desk.app.run((ctx) => ctx.db.update(KbArticle, { article_id }, { visibility: 'internal' }));
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Restart it twice.').waitFor();
  const stored = await desk.app.run((ctx) => ctx.db.findOneBy(KbArticle, { article_id }));
  t.like(stored, { content: 'Restart it twice.', visibility: 'internal', title: 'Router' });
  await context.close();
});

test('the value of a contract is changed and cleared in its form', async (t) => {
  const contract = await desk.app.run((ctx) => ctx.db.findOneBy(Contract, { deleted_at: IsNull() }));
  if (!contract) throw new Error('The demo has a contract');
  const { contract_id, included_minutes } = contract;
  const { page, complaints, context } = await openPage(`/contracts/${contract_id}`);
  const setTo = async (value: string) => {
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Value').fill(value);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    return desk.app.run((ctx) => ctx.db.findOneBy(Contract, { contract_id }));
  };
  t.like(await setTo('1234.5'), { value_minor: 1_234_500, included_minutes });
  await page.getByText('$1,234.50').waitFor();
  t.like(await setTo(''), { value_minor: null, included_minutes });
  t.deepEqual(complaints, []);
  await context.close();
});

test('an opportunity is dragged to another stage, moved by keyboard, and lost with a reason', async (t) => {
  const given = { name: 'New telephones', value: 120_000, stage: 'qualification' };
  const { opportunity_id } = await desk.app.run((ctx) => createOpportunity(ctx, given));
  const stored = () => desk.app.run((ctx) => ctx.db.findOneBy(Opportunity, { opportunity_id }));
  const { page, complaints, context } = await openPage('/opportunities');
  await page.getByRole('link', { name: 'Board' }).click();
  const card = (stage: string) =>
    page.getByRole('region', { name: stage, exact: true }).getByRole('listitem').filter({ hasText: 'New telephones' });
  await card('Qualification').waitFor();
  t.deepEqual(await axe(page), []);
  // The board shows a move before the server has stored it.
  const storedAs = (stage: string) =>
    page.waitForResponse((response) => {
      const request = response.request();
      return request.method() === 'PUT' && request.postDataJSON().stage === stage;
    });
  const dragged = storedAs('proposal');
  await card('Qualification').dragTo(page.getByRole('region', { name: 'Proposal', exact: true }));
  await card('Proposal').waitFor();
  await card('Qualification').waitFor({ state: 'detached' });
  await dragged;
  const menu = page.getByRole('button', { name: 'Move New telephones' });
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.type('neg');
  const saved = storedAs('negotiation');
  await page.keyboard.press('Enter');
  await card('Negotiation').waitFor();
  await saved;
  t.is((await stored())?.stage, 'negotiation');
  await menu.click();
  await page.getByRole('menuitem', { name: 'Closed lost' }).click();
  await page.getByLabel('Reason').fill('Too dear');
  const lost = storedAs('closed_lost');
  await page.getByRole('button', { name: 'Mark as lost' }).click();
  await card('Closed lost').waitFor();
  await lost;
  await page.reload();
  await card('Closed lost').waitFor();
  t.like(await stored(), { status: 'lost', lost_reason: 'Too dear' });
  await page.setViewportSize({ width: 390, height: 844 });
  t.is(await sideways(page), 0);
  t.deepEqual(complaints, []);
  await context.close();
});

test('a webhook is created with chosen events, shows its secret once, is tested, and redelivers', async (t) => {
  const receiver = await startReceiver(t);
  const { page, complaints, context } = await openPage('/webhooks');
  await page.getByRole('link', { name: 'New webhook' }).click();
  await page.getByLabel('Address').fill(`${receiver.url}/hook`);
  await page.getByRole('group', { name: 'Ticket', exact: true }).getByLabel('Created').check();
  t.deepEqual(await axe(page), []);
  await page.getByRole('button', { name: 'Create webhook' }).click();
  await page.getByText('Copy it now').waitFor();
  t.true(((await page.locator('.secret code').textContent()) ?? '').length > 20);
  await page.getByRole('link', { name: 'Go to webhook' }).click();
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('Test delivered.').waitFor();
  await receiver.until(1);
  const company_number = desk.made.customers[0]?.company.company_number ?? 0;
  await desk.app.run((ctx) => createTicket(ctx, { company_number, subject: 'Told' }));
  await desk.app.app.outbox.drain();
  await receiver.until(2);
  await page.reload();
  await page.getByRole('row', { name: /Ticket created/ }).waitFor();
  t.deepEqual(await axe(page), []);
  await page.getByRole('button', { name: 'Redeliver Ticket created' }).first().click();
  await page.getByText('Delivery queued').waitFor();
  await desk.app.app.outbox.drain();
  await receiver.until(3);
  t.deepEqual(complaints, []);
  await context.close();
});

test('a workflow is built from rows, shows server errors, is tested on a ticket, run and edited', async (t) => {
  const customer = desk.made.customers[0]?.company;
  if (!customer) throw new Error('There is no customer');
  const { company_number } = customer;
  const made = await desk.app.run((ctx) => createTicket(ctx, { company_number, subject: 'Server down', priority: 1 }));
  const { technician } = desk.made.staff;
  const { page, complaints, context } = await openPage('/workflows');
  await page.getByRole('link', { name: 'New workflow' }).click();
  await page.getByLabel('Name').fill('Critical ones wait for nobody');
  await page.getByLabel('Event').selectOption('ticket.created');
  await page.getByRole('button', { name: 'Add condition' }).click();
  await page.getByLabel('Field').selectOption('Priority');
  await page.getByLabel('Value').selectOption('Critical');
  await page.getByLabel('Action', { exact: true }).selectOption('add_comment');
  await page.getByLabel('Comment').fill('About {{ ticket.colour }}');
  await page.getByLabel(/^Internal/).check();
  await page.getByRole('button', { name: 'Add action' }).click();
  await page.getByLabel('Status').selectOption('in_progress');
  await page.getByRole('button', { name: 'Add action' }).click();
  await page.getByLabel('Action', { exact: true }).nth(2).selectOption('assign');
  await page.getByRole('combobox', { name: 'Technician' }).fill(technician.name);
  await page.getByRole('option', { name: technician.name }).click();
  t.deepEqual(await axe(page), []);
  await page.getByRole('button', { name: 'Create workflow' }).click();
  await page
    .getByText(/ticket\.colour/)
    .last()
    .waitFor();
  await page.getByLabel('Comment').fill('About {{ ticket.subject }}');
  await page.getByRole('button', { name: 'Create workflow' }).click();
  await page.getByRole('heading', { name: 'Test run' }).waitFor();
  const [workflow] = await desk.app.run((ctx) => ctx.db.findBy(Workflow, { name: 'Critical ones wait for nobody' }));
  t.deepEqual(workflow?.conditions, [{ field: 'priority', operator: 'eq', value: 1 }]);
  t.deepEqual(workflow?.actions, [
    { type: 'add_comment', comment: 'About {{ ticket.subject }}', is_internal: true },
    { type: 'set_status', status: 'in_progress' },
    { type: 'assign', assigned_to: technician.user_id },
  ]);
  const steps = page.locator('.card').filter({ hasText: /^(When|If|Then)/ });
  await steps.getByRole('link', { name: technician.name }).waitFor();
  t.deepEqual(
    (await steps.allInnerTexts()).map((each) => each.split(/\n+/)),
    [
      ['When', 'Ticket created'],
      ['If', 'Priority is Critical'],
      [
        'Then',
        ...['Add comment', 'Comment', 'About {{ ticket.subject }}', 'Internal note (hidden from customers)', 'Yes'],
        ...['Set status', 'Status', 'In progress'],
        ...['Assign', 'Technician', technician.name],
      ],
    ],
  );
  await page.getByRole('combobox', { name: 'Ticket' }).fill('Server down');
  await page.getByRole('option', { name: /Server down/ }).click();
  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByText('The workflow would run.').waitFor();
  t.deepEqual(await axe(page), []);
  await page.getByRole('button', { name: 'Run now' }).click();
  await page.locator('.toast').waitFor();
  const ticket = await desk.app.run((ctx) => ctx.db.findOneBy(Ticket, { ticket_id: made.ticket_id }));
  t.like(ticket, { status: 'in_progress', assigned_to: technician.user_id });
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByRole('button', { name: 'Remove action 3' }).click();
  await page.getByRole('button', { name: 'Remove action 1' }).click();
  await page.getByLabel('Comparison').selectOption('is one of');
  await page.getByLabel('Value').selectOption(['Critical', 'High']);
  await page.getByRole('button', { name: 'Add condition' }).click();
  const second = page.getByRole('group', { name: 'If, 2' });
  await second.getByLabel('Field').selectOption('Company');
  await second.getByRole('combobox', { name: 'Value' }).fill(customer.customer);
  await second.getByRole('option', { name: customer.customer }).click();
  await page.getByRole('button', { name: 'Add condition' }).click();
  const third = page.getByRole('group', { name: 'If, 3' });
  await third.getByLabel('Field').selectOption('Assigned to');
  await third.getByLabel('Comparison').selectOption('has not changed');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Test run' }).waitFor();
  const [changed] = await desk.app.run((ctx) => ctx.db.findBy(Workflow, { name: 'Critical ones wait for nobody' }));
  t.deepEqual(
    [changed?.conditions, changed?.actions, changed?.active],
    [
      [
        { field: 'priority', operator: 'in', value: [1, 2] },
        { field: 'company_number', operator: 'eq', value: customer.company_number },
        { field: 'assigned_to', operator: 'changed', value: false },
      ],
      [{ type: 'set_status', status: 'in_progress' }],
      true,
    ],
  );
  await steps.getByText(`Company is ${customer.customer}`).waitFor();
  await steps.getByText('Assigned to has not changed').waitFor();
  t.deepEqual(
    complaints.filter((each) => !each.includes('400')),
    [],
  );
  await context.close();
});

test('conditions and actions of a workflow that are not edited stay as they are stored', async (t) => {
  const conditions = [
    // The event no longer has it.
    { field: 'shoe_size', operator: 'gt' as const, value: 44 },
    { field: 'subject', operator: 'in' as const, value: ['Cables, plugs', 'Mail'] },
    { field: 'created_at', operator: 'gt' as const, value: '2026-03-01T08:00:12Z' },
  ];
  const actions = [
    { type: 'set_status' as const, status: 'in_progress' as const },
    { type: 'add_comment' as const, comment: ' Indented\n', is_internal: true },
  ];
  const { workflow_id } = await desk.app.run(async (ctx) => {
    const trigger = { type: 'event', event: 'ticket.created' } as const;
    const { workflow } = await createWorkflow(ctx, { name: 'Large shoes', active: false, trigger, actions });
    await ctx.db.update(Workflow, { workflow_id: workflow.workflow_id }, { conditions });
    return workflow;
  });
  const { page, context } = await openPage('');
  const { promise: loaded, resolve: go } = Promise.withResolvers<void>();
  await intercept(page, /workflows\.php\?action=/, async (route) => {
    await loaded;
    return route.continue();
  });
  await page.goto(`${desk.app.url}/admin/workflows/${workflow_id}/edit`);
  await page.getByRole('heading', { name: 'Edit Large shoes' }).waitFor();
  t.is(await page.getByRole('button', { name: 'Save' }).count(), 0, 'the form could not show all that is stored');
  go();
  const field = page.getByRole('group', { name: 'If, 1' }).getByLabel('Field');
  t.is(await field.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text), 'Shoe size');
  // The rows that remain are others' places now.
  await page.getByRole('button', { name: 'Remove action 1' }).click();
  const request = page.waitForRequest((each) => each.method() === 'PUT');
  await page.getByRole('button', { name: 'Save' }).click();
  t.like((await request).postDataJSON(), { conditions, actions: actions.slice(1) });
  await context.close();
});

interface Held {
  readonly address: string;
  /** Opens the form on the page. */
  readonly open?: (page: Page) => Promise<void>;
  /** The request for its choices. */
  readonly choices: string | RegExp;
  /** What it answers; undefined: nothing, for ever. */
  readonly answer?: readonly unknown[];
  /** How a choice that is not in the answer is named. */
  readonly shown?: string;
}

/** Saves a form as it opens. Returns what it sends. */
async function savedUnchanged(page: Page, held: Held): Promise<unknown> {
  const { address, open, choices, answer, shown = 'Not listed' } = held;
  await intercept(page, choices, (each) =>
    answer ? each.fulfill({ json: { success: true, data: answer } }) : undefined,
  );
  await visit(page, `${desk.app.url}/admin${address}`);
  await open?.(page);
  if (answer) await page.locator('option', { hasText: shown }).waitFor({ state: 'attached' });
  const stored = page.waitForResponse((each) => each.request().method() === 'PUT');
  await page.getByRole('button', { name: 'Save' }).click();
  const response = await stored;
  if (!response.ok()) throw new Error(await response.text());
  await page.unroute(choices);
  return response.request().postDataJSON();
}

test('a form keeps its choices when they are not loaded yet, or no longer among those offered', async (t) => {
  const events = ['ticket.created', 'ticket.closed'];
  const job_type = 'Fax machines';
  const made = await desk.app.run(async (ctx) => {
    const { category_id } = await createCategory(ctx, { name: 'Scanners' });
    const text = { title: 'Feeder', content: 'Clean it.', visibility: 'both' } as const;
    const article = await createArticle(ctx, { ...text, category_id });
    const url = 'https://status.example.com/hook';
    const { webhook } = await createWebhook(ctx, 'admin', { url, events, active: false });
    const { mailbox_id } = await addMailbox(ctx, {
      ...{ name: 'Fax', address: 'fax@brightline.example', username: 'fax', host: '127.0.0.1', port: 993 },
      ...{ password: 'secret', active: false, job_type },
    });
    const [asset, other] = await ctx.db.find(Asset, { where: { company_number: 1 }, take: 2 });
    if (!asset || !other) throw new Error('The demo has no two assets of a company');
    const { vlan_id } = await createVlan(ctx, { company_number: 1, vlan_number: 77, name: 'Voice' });
    const to = { asset_id: other.asset_id, port_name: 'far', created_at: ctx.now, updated_at: ctx.now };
    const far = await ctx.db.insertReturningId(AssetPort, to);
    const link = { vlan_id, connected_asset_id: other.asset_id, connected_port_id: far };
    await ctx.db.insert(AssetPort, { ...to, ...link, asset_id: asset.asset_id, port_name: 'near' });
    const [report] = await ctx.db.find(Report, { where: { schedule: Not(IsNull()) }, take: 1 });
    return { article, webhook, mailbox_id, asset, other, link, report };
  });
  const { article, webhook, mailbox_id, asset, other, link, report } = made;
  const { page, context } = await openPage('');

  const ofArticle = {
    address: `/articles/${article.article_id}/edit`,
    // Without an edit, nothing would be sent.
    open: (page: Page) => page.getByLabel('Title').pressSequentially('1'),
    choices: '**/kb/categories.php',
  };
  t.deepEqual(await savedUnchanged(page, ofArticle), { title: '1Feeder' });
  t.deepEqual(await savedUnchanged(page, { ...ofArticle, answer: [] }), { title: '11Feeder' });

  const open = (page: Page) => page.getByRole('button', { name: 'Edit', exact: true }).click();
  const ofMailbox = { address: `/mailboxes/${mailbox_id}`, open, choices: '**/job-types.php' };
  t.like(await savedUnchanged(page, ofMailbox), { job_type });
  t.like(await savedUnchanged(page, { ...ofMailbox, answer: [{ name: 'Printers' }], shown: job_type }), { job_type });

  const ofPort = {
    address: `/assets/${asset.asset_number}`,
    open: async (page: Page) => {
      await page.getByRole('tab', { name: 'Ports' }).click();
      await page.getByRole('button', { name: 'Edit near' }).click();
      // Without an edit, nothing would be sent.
      const speed = page.getByLabel(/^Speed/);
      await speed.fill(`${await speed.inputValue()}1`);
    },
  };
  const portSaved = async (held: Pick<Held, 'choices' | 'answer'>) => {
    await savedUnchanged(page, { ...ofPort, ...held });
    const [port] = await desk.app.run((ctx) => ctx.db.findBy(AssetPort, { port_name: 'near' }));
    return port;
  };
  const vlans = /vlans\.php/;
  t.like(await portSaved({ choices: vlans }), { ...link, speed_mbps: 1 });
  t.like(await portSaved({ choices: vlans, answer: [] }), { ...link, speed_mbps: 11 });
  const ports = `**/assets.php?action=ports&id=${other.asset_id}`;
  t.like(await portSaved({ choices: ports }), { ...link, speed_mbps: 111 });

  const ofWebhook = {
    address: `/webhooks/${webhook.webhook_id}`,
    open: async (page: Page) => {
      await open(page);
      await page.getByLabel('Address').fill('https://status.example.com/moved');
    },
    choices: '**/webhooks.php?action=events',
  };
  t.deepEqual(await savedUnchanged(page, ofWebhook), { url: 'https://status.example.com/moved' });

  const format = report?.schedule?.format === 'csv' ? 'xlsx' : 'csv';
  const ofReport = {
    address: `/reports/${report?.report_id}/edit`,
    // Without an edit of the schedule, it would not be sent.
    open: async (page: Page) => void (await page.getByLabel('As', { exact: true }).selectOption(format)),
    choices: '**/tech-status.php',
  };
  const { schedule } = (await savedUnchanged(page, ofReport)) as Pick<Report, 'schedule'>;
  t.deepEqual(schedule?.recipients, report?.schedule?.recipients);
  await context.close();
});

test('a key is created with chosen permissions and shown once', async (t) => {
  const { page, complaints, context } = await openPage('/keys/new');
  await page.getByLabel('Name').fill('Dashboard');
  await page.getByRole('group', { name: 'Tickets', exact: true }).getByLabel(/^Read/).check();
  t.deepEqual(await axe(page), []);
  await page.getByRole('button', { name: 'Create key' }).click();
  const key = (await page.locator('.secret code').textContent()) ?? '';
  const ask = (address: string) => fetch(desk.app.url + address, { headers: { Authorization: `Bearer ${key}` } });
  t.is((await ask('/admin/api/v1/tickets.php')).status, 200);
  t.is((await ask('/admin/api/v1/assets.php')).status, 403);
  await page.getByRole('link', { name: 'Go to key' }).click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  t.false((await page.content()).includes(key));
  t.deepEqual(complaints, []);
  await context.close();
});

for (const [path, heading, good, bad] of [
  ['/assets', 'Import assets', 'machine_name,asset_type\nIMPORTED-1,Laptop', 'IMPORTED-2,Laptop,1,2\n,Laptop'],
  ['/contacts', 'Import contacts', 'first_name,last_name,email\nIda,Import,ida@example.com', 'Ida,Bad,no address'],
] as const)
  test(`${heading}: a file is validated row by row and imported on request`, async (t) => {
    const { page, complaints, context } = await openPage(path);
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await page.getByRole('heading', { name: heading }).waitFor();
    const choose = (text: string) =>
      page.getByLabel('File').setInputFiles({ name: 'rows.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await choose(`${good}\n${bad}`);
    const customer = desk.made.customers[0]?.company.customer ?? '';
    const company = page.getByRole('combobox', { name: 'Company', exact: false }).last();
    await company.fill(customer);
    await page.getByRole('option', { name: customer }).click();
    await page.getByRole('button', { name: /^Check \d rows$/ }).click();
    await page.getByText('Nothing has been imported yet.').waitFor();
    await page.getByRole('region', { name: 'Rejected rows' }).waitFor();
    t.deepEqual(await axe(page), []);
    await page.setViewportSize({ width: 390, height: 844 });
    t.is(await sideways(page), 0);
    await choose(good);
    await page.getByRole('button', { name: 'Check 1 row' }).waitFor();
    await company.fill(customer);
    await page.getByRole('option', { name: customer }).click();
    await page.getByRole('button', { name: 'Check 1 row' }).click();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByText('Import complete.').waitFor();
    await page.getByRole('button', { name: 'Undo this import' }).waitFor();
    await page.getByRole('link', { name: 'Go to list' }).click();
    await page
      .getByText(/IMPORTED-1|ida@example\.com/)
      .first()
      .waitFor();
    t.deepEqual(complaints, []);
    await context.close();
  });

interface Closed {
  readonly what: string;
  readonly address: string;
  /** Opens the form and saves it. */
  readonly save: (page: Page) => Promise<void>;
  /** Leaves it before the answer. */
  readonly leave: (page: Page) => Promise<void>;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const escape = async (page: Page) => {
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
};

const closed: readonly Closed[] = [
  {
    what: 'a generated form that was closed',
    address: '/vendors',
    async save(page) {
      await press(page, 'New vendor');
      await page.getByRole('dialog').getByLabel(/^Name/).fill('Cable World');
      await page.getByRole('dialog').getByRole('button', { name: 'New vendor' }).click();
    },
    leave: escape,
  },
  {
    what: 'a form of a page that was closed',
    address: '/companies/1',
    async save(page) {
      await press(page, 'Edit');
      await page.getByRole('dialog').getByRole('textbox').first().fill('Cable World');
      await press(page, 'Save');
    },
    leave: escape,
  },
  {
    what: 'a fact that was closed',
    address: '/tickets/1014',
    async save(page) {
      await press(page, 'Change start date');
      await press(page, 'Save');
    },
    async leave(page) {
      // The ticket stays: Esc is for the fact.
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Change start date' }).waitFor();
    },
  },
  {
    what: 'a page that was left',
    address: '/reports/1/edit',
    save: async (page) => {
      await page.getByRole('textbox', { name: 'Description' }).fill('For the meeting on Mondays');
      await press(page, 'Save');
    },
    leave: (page) => step(page, `${desk.app.url}/admin/reports`),
  },
];

for (const { what, address, save, leave } of closed)
  test(`${what} while it was saved still says that it failed`, async (t) => {
    const { page, context } = await openPage(address);
    const { promise: waited, resolve: go } = Promise.withResolvers<void>();
    await intercept(page, /\/api\/v1\//, async (route) => {
      if (!['POST', 'PUT'].includes(route.request().method())) return route.continue();
      await waited;
      return route.fulfill({ status: 409, json: { success: false, error: 'name Cable World already exists' } });
    });
    await save(page);
    await leave(page);
    go();
    await page.locator('.toast', { hasText: 'Cable World' }).waitFor();
    t.pass();
    await context.close();
  });

test('a form that is left while it is saved opens nothing elsewhere', async (t) => {
  const { page, context } = await openPage('/reports/1/edit');
  const { promise: waited, resolve: go } = Promise.withResolvers<void>();
  await intercept(page, '**/api/v1/reports.php*', async (route) => {
    if (route.request().method() === 'PUT') await waited;
    return route.continue();
  });
  await page.getByRole('textbox', { name: 'Description' }).fill('For the meeting on Fridays');
  await press(page, 'Save');
  await step(page, `${desk.app.url}/admin/vendors`);
  go();
  await page.locator('.toast').waitFor();
  t.is(await page.locator('h1').textContent(), 'Vendors');
  t.true(page.url().endsWith('/admin/vendors'));
  await context.close();
});

test('a cancelled import says that it is undone, and nothing else', async (t) => {
  const { page, complaints, context } = await openPage('/contacts/import');
  const customer = desk.made.customers[0]?.company.customer ?? '';
  const rows = Array.from({ length: 1200 }, (_, i) => `Many${i},Last${i},many${i}@cancel.example,${customer}`);
  const text = ['First name,Last name,Email,Company', ...rows].join('\n');
  await page.getByLabel('File').setInputFiles({ name: 'many.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await page.getByRole('button', { name: 'Check 1,200 rows' }).click();
  // The check writes its progress too, if it takes long.
  const begin = page.getByRole('button', { name: 'Import 1,200 rows' });
  await begin.waitFor();
  const release = holdImports(desk.app.app);
  t.teardown(release);
  await begin.click();
  await page.getByText('Importing: ').waitFor();
  t.is(await page.getByText('Nothing has been imported yet.').count(), 0);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Undoing: ').waitFor();
  release();
  await page.getByRole('button', { name: 'Check 1,200 rows' }).waitFor();
  t.is(await page.getByRole('alert').count(), 0);
  await desk.app.app.outbox.drain();
  await page.getByText('The import was cancelled and undone.').waitFor();
  complaints.splice(0, complaints.length, ...complaints.filter((each) => !each.includes('400')));
  t.deepEqual(complaints, []);
  await context.close();
});

test('an import is undone from the history, listing records changed since', async (t) => {
  const { page, complaints, context } = await openPage('/contacts/import');
  const customer = desk.made.customers[0]?.company.customer ?? '';
  const rows = [
    'Display Name,Mail,Client',
    `Uma Undo,uma@undo.example,${customer}`,
    `Kit Kept,kit@undo.example,${customer}`,
  ];
  await page
    .getByLabel('File')
    .setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(rows.join('\n')) });
  await page.getByRole('button', { name: 'Check 2 rows' }).click();
  await page.getByRole('button', { name: 'Import 2 rows' }).click();
  await page.getByText('Import complete.').waitFor();
  const kit = await desk.app.run((ctx) => ctx.db.findOneBy(Employee, { email: 'kit@undo.example' }));
  desk.app.clock.set(new Date(Date.parse(desk.app.clock.now()) + 1000).toISOString());
  if (kit) await desk.app.run((ctx) => updateEmployee(ctx, kit, { title: 'Manager' }));
  await visit(page, `${desk.app.url}/admin/imports`);
  await page.getByText('people.csv').first().waitFor();
  t.deepEqual(await axe(page), []);
  const run = await desk.app.run((ctx) => ctx.db.findOneBy(ImportRun, { file_name: 'people.csv' }));
  await visit(page, `${desk.app.url}/admin/imports/${run?.import_id}`);
  await page.getByRole('button', { name: 'Undo this import' }).click();
  const asked = page.waitForResponse((response) => response.url().includes('action=undo'));
  await page.getByRole('button', { name: 'Undo the import' }).click();
  await asked;
  await desk.app.app.outbox.drain();
  await page.getByText('The import is undone.').waitFor();
  await page.getByText('1 removed, 0 restored, 1 left as they are').waitFor();
  await page.getByText('Changed after the import').waitFor();
  t.deepEqual(await axe(page), []);
  await page.setViewportSize({ width: 390, height: 844 });
  t.is(await sideways(page), 0);
  t.deepEqual(complaints, []);
  await context.close();
});

test('an administrator sets the mail server after a connection test and sends a test mail', async (t) => {
  const server = await startMailServer(t, { user: 'desk', password: 'hush hush' });
  const { page, complaints, context } = await asStaff(desk, desk.made.staff.administrator);
  await visit(page, `${desk.app.url}/admin/settings`);
  complaints.splice(0);
  const card = page.locator('.card', { hasText: 'Outgoing mail' });
  await card.getByText('No mail server is set up').waitFor();
  const fields = {
    Server: '127.0.0.1',
    Port: new URL(server.url).port,
    Username: 'desk',
    Password: 'wrong',
    'Sender address': 'desk@harbour-it.example',
  };
  for (const [label, value] of Object.entries(fields)) await card.getByLabel(label).fill(value);
  await card.getByRole('button', { name: 'Test and save' }).click();
  await card.getByText('Could not connect to the mail server').waitFor();
  complaints.splice(0);
  await card.getByLabel('Password').fill('hush hush');
  await card.getByRole('button', { name: 'Test and save' }).click();
  await card.getByRole('button', { name: 'Send test mail' }).click();
  await page.getByText('Test mail sent to').waitFor();
  t.deepEqual(server.received.at(-1)?.to, [desk.made.staff.administrator.email]);
  t.deepEqual(await axe(page), []);
  await card.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await card.getByText('No mail server is set up').waitFor();
  t.deepEqual(complaints, []);
  await context.close();
});

test('a search keeps the space between its words, even if it is typed slowly', async (t) => {
  const { page, context } = await openPage('/vendors');
  const search = page.getByRole('searchbox');
  await search.pressSequentially('cable ');
  await page.waitForURL(/search=cable$/);
  await search.pressSequentially('world');
  await page.waitForURL(/search=cable(\+|%20)world$/);
  t.is(await search.inputValue(), 'cable world');
  await context.close();
});

test('a form that is submitted twice at once is sent once', async (t) => {
  const { page, context } = await openPage('/vendors');
  const sent: string[] = [];
  page.on('request', (each) => each.method() === 'POST' && sent.push(each.url()));
  await press(page, 'New vendor');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Name/).fill('Twice Ltd');
  // As by a double-click while the page is busy.
  await dialog.locator('form').evaluate((form: HTMLFormElement) => {
    form.requestSubmit();
    form.requestSubmit();
  });
  await page.getByRole('heading', { name: 'Twice Ltd' }).waitFor();
  t.is(sent.filter((each) => each.endsWith('/vendors.php')).length, 1);
  await context.close();
});

test('a form that is opened again before the first one is stored stays open', async (t) => {
  const { page, context } = await openPage('/vendors');
  const { promise: typed, resolve: go } = Promise.withResolvers<void>();
  await intercept(page, /vendors\.php/, async (route) => {
    if (route.request().method() === 'POST') await typed;
    return route.continue();
  });
  const name = page.getByRole('dialog').getByLabel(/^Name/);
  await press(page, 'New vendor');
  await name.fill('First and Sons');
  await page.getByRole('dialog').getByRole('button', { name: 'New vendor' }).click();
  await escape(page);
  await press(page, 'New vendor');
  await name.fill('Second and Daughters');
  go();
  await page.locator('.toast', { hasText: 'Saved' }).waitFor();
  t.is(await name.inputValue(), 'Second and Daughters');
  await page.getByRole('link', { name: 'First and Sons' }).waitFor();
  await context.close();
});
