// npm run shots: screenshots of console and portal for review before a release. Those used by the README and the guides
// go to docs/pictures, the others to an optional folder: npm run shots -- /tmp/shots
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { end } from '../test/all/_at-end.ts';
import { asCustomer, asStaff, openDesk, visit, type Desk } from '../test/browser/_desk.ts';
import { browserPath } from '../test/browser/_website.ts';

const kept = join(import.meta.dirname, '../docs/pictures');
const folder = process.argv[2] ?? join(import.meta.dirname, '../shots');

interface Shot {
  readonly name: string;
  readonly address: string;
  /** Keys pressed in order; `type:` types the text that follows. */
  readonly keys?: readonly string[];
  readonly dark?: true;
  readonly phone?: true;
  /** Saved to docs/pictures. */
  readonly kept?: true;
}

const console_: readonly Shot[] = [
  { name: 'home', address: '/admin', kept: true },
  { name: 'queue', address: '/admin/tickets', kept: true },
  { name: 'queue-dark', address: '/admin/tickets', dark: true, kept: true },
  { name: 'queue-selection', address: '/admin/tickets', keys: ['j', 'x', 'j', 'x'] },
  { name: 'split', address: '/admin/tickets?split=1&at=1', kept: true },
  { name: 'ticket', address: '/admin/tickets/1', kept: true },
  { name: 'ticket-phone', address: '/admin/tickets/1', phone: true, kept: true },
  { name: 'ticket-note', address: '/admin/tickets/1', keys: ['n', 'type:Called back, she restarts it tomorrow.'] },
  { name: 'ticket-status', address: '/admin/tickets/1', keys: ['s'] },
  { name: 'ticket-undo', address: '/admin/tickets/2', keys: ['h'] },
  { name: 'ticket-missing', address: '/admin/tickets/999999' },
  { name: 'palette', address: '/admin/tickets', keys: ['ControlOrMeta+K'], kept: true },
  { name: 'palette-found', address: '/admin/tickets', keys: ['ControlOrMeta+K', 'type:printer'] },
  { name: 'ticket-new', address: '/admin/tickets/new' },
  { name: 'company', address: '/admin/companies/1', kept: true },
  { name: 'contact', address: '/admin/contacts/1' },
  { name: 'asset', address: '/admin/assets/1', kept: true },
  { name: 'invoice', address: '/admin/invoices/1', kept: true },
  { name: 'sales', address: '/admin/sales', kept: true },
  { name: 'board', address: '/admin/opportunities/board' },
  { name: 'outages', address: '/admin/outages' },
  { name: 'article', address: '/admin/articles/1' },
  { name: 'article-edit', address: '/admin/articles/1/edit' },
  { name: 'chats', address: '/admin/chats' },
  { name: 'projects', address: '/admin/projects/1' },
  { name: 'reports', address: '/admin/reports' },
  { name: 'workflows', address: '/admin/workflows' },
  { name: 'workflow', address: '/admin/workflows/1' },
  { name: 'workflow-edit', address: '/admin/workflows/1/edit' },
  { name: 'workflow-edit-phone', address: '/admin/workflows/1/edit', phone: true },
  { name: 'webhooks', address: '/admin/webhooks' },
  { name: 'webhook-new', address: '/admin/webhooks/new' },
  { name: 'key-new', address: '/admin/keys/new' },
  { name: 'assets-import', address: '/admin/assets/import' },
  { name: 'contacts-import', address: '/admin/contacts/import' },
  { name: 'settings', address: '/admin/settings' },
  { name: 'mail-template', address: '/admin/settings/mails' },
  { name: 'log', address: '/admin/log' },
  { name: 'plugins', address: '/admin/plugins' },
  { name: 'warranty', address: '/admin/warranty' },
  { name: 'empty', address: '/admin/tickets?search=nothinglikethis' },
  { name: 'home-phone', address: '/admin', phone: true },
  { name: 'queue-phone', address: '/admin/tickets', phone: true },
  { name: 'ticket-new-phone', address: '/admin/tickets/new', phone: true },
  { name: 'company-phone', address: '/admin/companies/1', phone: true },
  { name: 'asset-phone', address: '/admin/assets/1', phone: true, dark: true },
  { name: 'invoice-phone', address: '/admin/invoices/1', phone: true },
];

const portal: readonly Shot[] = [
  { name: 'portal', address: '/helpdesk', kept: true },
  { name: 'portal-phone', address: '/helpdesk', phone: true, kept: true },
  { name: 'portal-ticket', address: '/helpdesk/tickets/1', kept: true },
  { name: 'portal-approvals', address: '/helpdesk/approvals', kept: true },
  { name: 'portal-new', address: '/helpdesk/tickets/new' },
  { name: 'portal-billing', address: '/helpdesk/billing' },
  { name: 'portal-help', address: '/helpdesk/help' },
  { name: 'portal-status', address: '/helpdesk/status' },
  { name: 'portal-me', address: '/helpdesk/me' },
];

const path = browserPath();
if (path === undefined) throw new Error('No browser: apt-get install chromium-headless-shell');
for (const each of [kept, folder]) mkdirSync(each, { recursive: true });
const desk = await openDesk(path);
try {
  await takeSignIn(desk);
  const staff = await asStaff(desk, desk.made.staff.administrator);
  // The demo data is of the application's day.
  await staff.page.clock.setFixedTime(desk.app.clock.now());
  for (const each of console_) await take(desk, staff.page, each);
  const [customer] = desk.made.customers;
  if (customer) {
    const manager = await asCustomer(desk, customer.manager);
    await manager.page.clock.setFixedTime(desk.app.clock.now());
    for (const each of portal) await take(desk, manager.page, each);
  }
} finally {
  await desk.close();
  await end();
}

async function takeSignIn({ app, browser }: Desk): Promise<void> {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  for (const [name, address] of [
    ['sign-in', '/admin/login'],
    ['portal-sign-in', '/helpdesk/sign-in'],
  ] as const) {
    await page.goto(app.url + address);
    await page.screenshot({ path: join(folder, `${name}.png`) });
  }
  await page.close();
}

async function take({ app }: Desk, page: Page, shot: Shot): Promise<void> {
  await page.emulateMedia({ colorScheme: shot.dark ? 'dark' : 'light' });
  await page.setViewportSize(shot.phone ? { width: 390, height: 844 } : { width: 1440, height: 900 });
  await visit(page, app.url + shot.address);
  for (const key of shot.keys ?? [])
    if (key.startsWith('type:')) await page.keyboard.type(key.slice('type:'.length));
    else await page.keyboard.press(key);
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(shot.kept ? kept : folder, `${shot.name}.png`) });
}
