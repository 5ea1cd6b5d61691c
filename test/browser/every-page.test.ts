// Every declared page, for every role it serves: passes axe, logs no console message or policy violation, never exceeds
// the window's width, in light and dark.
import { create } from '@keelson/core';
import { ImportRun } from '@keelson/core/system';
import { createWebhook } from '@keelson/modules/webhooks';
import anyTest from 'ava';
import type { Page } from 'playwright-core';
import { Spreadsheets } from '../../modules/reports/google/spreadsheets.ts';
import { tenth } from '../_random.ts';
import { seedCollector, seedPlace } from '../collector-seed.ts';
import {
  asCustomer,
  asStaff,
  axe,
  clipped,
  emptyCards,
  openDesk,
  rawWords,
  settled,
  sideways,
  step,
  visit,
  type Desk,
} from './_desk.ts';
import { browserPath } from './_website.ts';

const path = browserPath();
const test = path === undefined ? anyTest.serial.skip : anyTest.serial;
/** Timeout of one test, in milliseconds. */
const MOST = 1_800_000;

let desk: Desk;

if (path !== undefined) {
  anyTest.before(async () => {
    desk = await openDesk(path);
    // The demo has none, because it would call an external server.
    const url = 'https://status.example.com/hook';
    await desk.app.run((ctx) => createWebhook(ctx, 'admin', { url, events: ['outage.started'], active: false }));
    const company_number = desk.made.customers[0]?.company.company_number ?? 0;
    const sheet = { company_number, name: 'Figures', spreadsheet_id: '1aBcDeFgHiJk' };
    await desk.app.run((ctx) => create(ctx, Spreadsheets, sheet));
    const imported = { noun: 'contacts', status: 'done', author_type: 'technician', created: 3 } as const;
    await desk.app.run((ctx) => ctx.db.insert(ImportRun, { ...imported, created_at: ctx.now, updated_at: ctx.now }));
    const collector = await seedCollector(desk.app, await seedPlace(desk.app));
    await collector.send('POST', '/connect/sync/discovery.php', { devices: [{ hostname: 'LAB-PC-1' }] });
  });
  anyTest.after.always(() => desk?.close());
}

interface Shown {
  readonly pages: readonly { readonly path: string }[];
  readonly records: readonly { readonly path: string; readonly id: string; readonly find?: string }[];
}

/** Returns what the shell receives in the person's session. */
async function shownTo(page: Page, operation: string): Promise<Shown> {
  return page.evaluate(async (address) => {
    const answer = (await (await fetch(address)).json()) as { data?: Shown } & Shown;
    return answer.data ?? answer;
  }, operation);
}

/** Returns page addresses; a record's address uses the first record, or lands in `without` if there is none. */
async function addressesOf(page: Page, { pages, records }: Shown, { base, root }: typeof consoleAt) {
  const [addresses, without]: [string[], string[]] = [[], []];
  for (const { path: each } of pages) {
    if (!each.includes(':')) {
      addresses.push(each);
      continue;
    }
    const plain = (one: string) => one.replace(/:\w+.*$/, ':');
    const record = records.find((one) => one.find && plain(one.path) === plain(each));
    const id = record?.find
      ? await firstId(page, root, record.find, record.id)
      : await firstLink(page, base + each.replace(/\/:.*$/, ''));
    if (id === undefined) without.push(each);
    else addresses.push(each.replace(/:\w+/, id));
  }
  return { addresses, without };
}

/** Returns the last path segment of a list's first link. */
async function firstLink(page: Page, address: string): Promise<string | undefined> {
  await step(page, address);
  const links = await page.locator('.table a').evaluateAll((all) => all.map((each) => each.getAttribute('href') ?? ''));
  return links.find((each) => each.startsWith(`${address}/`))?.slice(address.length + 1);
}

async function firstId(page: Page, root: string, find: string, name: string): Promise<string | undefined> {
  const crm = find.startsWith('crm:');
  const [, line = ''] = find.replace('crm:', '').split(' ');
  return page.evaluate(
    async ([address, key]) => {
      const answer = await fetch(address ?? '', { headers: { 'X-Console': '1' } });
      const body = (await answer.json()) as Record<string, unknown>;
      const rows = (Object.values(body).find(Array.isArray) ?? []) as Record<string, unknown>[];
      const [first] = rows;
      return first ? String(first[key ?? '']) : undefined;
    },
    [root + (crm ? '/crm' : '') + line, name],
  );
}

/** Window size and colour scheme of a visit. */
interface Look {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
  /** Whether axe checks it too. */
  readonly judged: boolean;
}

/**
 * PAGES=full visits every size, light and dark, for every role. Otherwise the first role visits each page once, and a
 * tenth of the pages gets a closer look.
 */
const full = process.env['PAGES'] === 'full';
const everyLook = [1440, 390, 320].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme): Look => ({ width, colorScheme, judged: true })),
);
/** A desktop in light mode and a phone in dark mode. */
const some: readonly Look[] = full
  ? everyLook
  : [
      { width: 1440, colorScheme: 'light', judged: true },
      { width: 390, colorScheme: 'dark', judged: true },
    ];
/** Adds a small phone for the first role. */
const more: readonly Look[] = full ? everyLook : [...some, { width: 320, colorScheme: 'dark', judged: false }];
const once: readonly Look[] = [{ width: 1440, colorScheme: 'light', judged: false }];

/** Returns visible defects once the page has settled: content that loads late may show placeholders for a moment. */
async function unclean(page: Page): Promise<string[]> {
  for (const end = Date.now() + 60_000; ; await settled(page)) {
    const found = [...(await rawWords(page)), ...(await emptyCards(page)), ...(await clipped(page))];
    if (found.length === 0 || Date.now() > end) return found;
  }
}

/** Visits a page in each size and colour scheme; returns its defects. */
async function look(page: Page, complaints: string[], address: string, looks: readonly Look[]): Promise<string[]> {
  const said: string[] = [];
  const say = (where: string, lines: readonly string[]) =>
    said.push(...lines.map((line) => `${address} ${where}: ${line}`));
  await page.setViewportSize({ width: 1440, height: 900 });
  await step(page, address);
  const [heading, title] = await page.evaluate(() => [document.querySelector('h1')?.textContent ?? '', document.title]);
  // The portal's home page greets the person.
  if (title !== 'Home' && (heading === '' || !title.includes(heading))) say('title', [`“${title}” over “${heading}”`]);
  for (const { width, colorScheme, judged } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await settled(page);
    const over = await sideways(page);
    if (over > 0) say(`${width}`, [`${over} px too wide`]);
    if (judged) say(`${colorScheme}, ${width}`, await axe(page));
    if (width > 320) say(`${width}`, await unclean(page));
  }
  say('console', complaints.splice(0));
  return said;
}

const consoleAt = { base: '/admin', root: '/admin/api/v1', start: '/admin/api/v1/console.php' };
const portalAt = { base: '/helpdesk', root: '/helpdesk/api/v1', start: '/helpdesk/api/v1/portal' };

type Opened = Awaited<ReturnType<typeof asStaff>>;

/** Visits all pages shown to a person; returns the pages and their defects. */
async function lookAtAll({ page, complaints }: Opened, at: typeof consoleAt, looks: readonly Look[], first: boolean) {
  await visit(page, desk.app.url + at.base);
  const shown = await shownTo(page, at.start);
  const { addresses, without } = await addressesOf(page, shown, at);
  complaints.splice(0);
  const said: string[] = [];
  const closely = new Set(full ? addresses : tenth(addresses));
  for (const each of addresses) {
    const its = closely.has(each) ? looks : first ? once : [];
    if (its.length > 0) said.push(...(await look(page, complaints, at.base + (each === '/' ? '' : each), its)));
  }
  return { paths: shown.pages.map((each) => each.path), addresses, without, said };
}

/** Returns the paths that do not report a missing page to this person. */
async function notHidden(page: Page, base: string, paths: readonly string[]): Promise<string[]> {
  const wrong: string[] = [];
  await visit(page, desk.app.url + base);
  for (const each of paths) {
    await step(page, base + each.replace(/:\w+/g, '1'));
    if ((await page.locator('h1').textContent()) !== 'Not found') wrong.push(each);
    // The next address is another page and must report this itself.
    await step(page, base);
  }
  return wrong;
}

let consolePaths: readonly string[] = [];
let portalPaths: readonly string[] = [];

test('every console page is clean for an administrator', async (t) => {
  t.timeout(MOST);
  const opened = await asStaff(desk, desk.made.staff.administrator);
  const { paths, addresses, without, said } = await lookAtAll(opened, consoleAt, more, true);
  consolePaths = paths;
  t.true(addresses.length > 60);
  t.deepEqual(without, []);
  t.deepEqual(said, []);
  await opened.context.close();
});

test('every console page a technician can open is clean, and the others are absent', async (t) => {
  t.timeout(MOST);
  const opened = await asStaff(desk, desk.made.staff.technician);
  const { paths, addresses, said } = await lookAtAll(opened, consoleAt, some, false);
  t.true(addresses.length > 20);
  t.deepEqual(said, []);
  const others = consolePaths.filter((each) => !paths.includes(each));
  t.true(others.includes('/log'));
  t.deepEqual(await notHidden(opened.page, consoleAt.base, full ? others : tenth(others)), []);
  await opened.context.close();
});

test('every portal page is clean for an IT admin', async (t) => {
  t.timeout(MOST);
  const opened = await asCustomer(desk, customer().it_admin);
  const { paths, addresses, said } = await lookAtAll(opened, portalAt, more, true);
  portalPaths = paths;
  t.true(addresses.length > 5);
  t.deepEqual(said, []);
  await opened.context.close();
});

for (const role of ['manager', 'employee'] as const)
  test(`every portal page the ${role} can open is clean, and the others are absent`, async (t) => {
    t.timeout(MOST);
    const opened = await asCustomer(desk, customer()[role]);
    const { paths, addresses, said } = await lookAtAll(opened, portalAt, some, false);
    t.true(addresses.length > 3);
    t.deepEqual(said, []);
    const others = portalPaths.filter((each) => !paths.includes(each));
    t.deepEqual(await notHidden(opened.page, portalAt.base, others), []);
    await opened.context.close();
  });

function customer() {
  const [first] = desk.made.customers;
  if (!first) throw new Error('The demo has no customers');
  return first;
}

test('opening a forbidden page directly shows a message', async (t) => {
  const { page, context } = await asStaff(desk, desk.made.staff.technician);
  await visit(page, `${desk.app.url}/admin/log`);
  t.is(await page.locator('h1').textContent(), 'Not found');
  t.is(await page.getByRole('link', { name: 'Log', exact: true }).count(), 0);
  await context.close();
});
