/// <reference lib="dom" />
// Size budgets of the pages. Sizes are the same on every machine and enforced; times vary and are only reported.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTicket } from '@keelson/modules/tickets';
import { buildInto } from '@keelson/web-build';
import anyTest, { type ExecutionContext } from 'ava';
import type { Page, Response } from 'playwright-core';
import { loadInstallation } from '../../core/plugin/load/load.ts';
import { readSources } from '../../core/web/build-sources.ts';
import { password, seedCompany, seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { asStaff, openRoom, settled, visit, type Room } from './_desk.ts';
import { browserPath } from './_website.ts';

const path = browserPath();
const test = path === undefined ? anyTest.serial.skip : anyTest.serial;

const KIB = 1024;
const FIRST_SCRIPT = 150 * KIB;
const FIRST_REQUESTS = 25;
const FIRST_STYLE = 12 * KIB;
const FONT = 50 * KIB;
const FURTHER_PAGE = 16 * KIB;
const HEAP = 30 * KIB * KIB;
const NODES = 1500;
const ROWS = 1200;
/** Few enough for a transaction's deadline on a busy machine. */
const BATCH = 100;

let room: Room;
let person: { readonly email: string; readonly password: string };

if (path !== undefined) {
  anyTest.before(async () => {
    room = await openRoom(path);
    const { email } = await seedTechnician(room.app);
    person = { email, password };
    const { company_number } = await seedCompany(room.app);
    for (let made = 0; made < ROWS; made += BATCH)
      await room.app.run(async (ctx) => {
        for (let index = made + 1; index <= made + BATCH; index++)
          await createTicket(ctx, { company_number, subject: `Ticket ${index}` });
      });
  });
  anyTest.after.always(() => room?.close());
}

/** Records the requests of a page, in bytes on the wire. */
function requestsOf(page: Page) {
  const answers: Response[] = [];
  page.on('response', (answer) => answers.push(answer));
  const weigh = async (type: string): Promise<number> => {
    const those = answers.filter((each) => each.request().resourceType() === type);
    const sizes = await Promise.all(those.map(async (each) => (await each.request().sizes()).responseBodySize));
    return sizes.reduce((sum, each) => sum + each, 0);
  };
  return { answers, weigh };
}

function within(t: ExecutionContext, what: string, given: number, most: number): void {
  const kib = (bytes: number) => (most >= KIB * 4 ? `${Math.round((bytes / KIB) * 10) / 10} KiB` : String(bytes));
  t.log(`${what}: ${kib(given)} of ${kib(most)}`);
  t.true(given > 0 && given <= most, `${what}: ${kib(given)} of ${kib(most)}`);
}

test('the first screen is small: script, style, font and number of requests', async (t) => {
  const { page, context } = await asStaff(room, person);
  const tab = await context.newPage();
  const devtools = await context.newCDPSession(tab);
  await devtools.send('Network.enable');
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  const { answers, weigh } = requestsOf(tab);
  await tab.goto(`${room.app.url}/admin/tickets`);
  await tab.locator('.table [role=row]').nth(1).waitFor();
  const [paint, rows] = await tab.evaluate(() => [
    performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    performance.now(),
  ]);
  await settled(tab);
  await tab.waitForLoadState('load');
  const scripts = answers.filter((each) => each.request().resourceType() === 'script');
  const encodings = await Promise.all(scripts.map((each) => each.headerValue('content-encoding')));
  t.true(encodings.filter((each) => each === 'br').length > 5);
  within(t, 'script', await weigh('script'), FIRST_SCRIPT);
  within(t, 'style', await weigh('stylesheet'), FIRST_STYLE);
  within(t, 'font', await weigh('font'), FONT);
  within(t, 'requests', answers.length, FIRST_REQUESTS);
  t.log(`rows after ${(rows / paint).toFixed(1)} × the time to the first paint`);
  await page.close();
  await context.close();
});

test('every other page and panel, including plugins’, is small', async (t) => {
  const cookie = await signInOnPage(room.app, person);
  const { body } = await room.app.request('GET', '/admin/api/v1/console.php', { cookie });
  const pieces: { module: string; style?: string }[] = [...body.data.pages, ...body.data.panels, ...body.data.commands];
  const first = await sharedBy(`${room.app.url}/admin`);
  const heavy: string[] = [];
  let heaviest = 0;
  for (const module of new Set(pieces.map((each) => each.module))) {
    const bytes = await weightOf(new URL(module, room.app.url).href, new Set(first));
    heaviest = Math.max(heaviest, bytes);
    if (bytes > FURTHER_PAGE) heavy.push(`${module}: ${bytes} bytes`);
  }
  t.true(pieces.some((each) => each.module.includes('/warranty/')));
  t.deepEqual(heavy, []);
  within(t, 'the heaviest of them', heaviest, FURTHER_PAGE);
});

/** Returns the files the page itself references: they are already loaded. */
async function sharedBy(address: string): Promise<string[]> {
  const html = await (await fetch(address)).text();
  return [...html.matchAll(/"(\/web\/[^"]+\.js)"/g)].map(([, each = '']) => new URL(each, address).href);
}

/** Returns the compressed size of a script and its imports, except known files. */
async function weightOf(address: string, known: Set<string>): Promise<number> {
  if (known.has(address)) return 0;
  known.add(address);
  const answer = await fetch(address, { headers: { 'Accept-Encoding': 'br' } });
  const text = await answer.text();
  let bytes = Number(answer.headers.get('content-length'));
  for (const [, file = ''] of text.matchAll(/(?:from|import)"(\.[^"]+)"/g))
    bytes += await weightOf(new URL(file, address).href, known);
  return bytes;
}

test('scrolling to the end of a long list and back leaks little memory', async (t) => {
  const { page, context } = await asStaff(room, person);
  await visit(page, `${room.app.url}/admin/tickets?sort=ticket_id&order=asc`);
  await page.locator('.table [role=row]').nth(1).waitFor();
  await page.locator('.table [role=row]').nth(1).hover();
  for (const by of [1, -1]) {
    for (let step = 0; step < 80; step++) {
      await page.mouse.wheel(0, by * 1000);
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    }
    await page
      .getByText(by === 1 ? `Ticket ${ROWS}` : /^Ticket 1\s*$/)
      .first()
      .waitFor();
  }
  const devtools = await context.newCDPSession(page);
  await devtools.send('Performance.enable');
  await devtools.send('HeapProfiler.collectGarbage');
  const { metrics } = await devtools.send('Performance.getMetrics');
  within(t, 'heap', metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0, HEAP);
  within(t, 'elements', await page.evaluate(() => document.querySelectorAll('*').length), NODES);
  await context.close();
});

test('pages are built in a child process while the APIs respond', async (t) => {
  const place = await mkdtemp(join(tmpdir(), 'keelson-build-'));
  const { loaded } = await loadInstallation('plugins');
  const sources = await readSources(loaded);
  const since = performance.now();
  let built = false;
  const building = buildInto(place, sources).finally(() => (built = true));
  let answered = 0;
  let slowest = 0;
  let inChild = false;
  while (!built) {
    const asked = performance.now();
    t.is((await room.app.request('GET', '/helpdesk/api/v1/bootstrap')).status, 200);
    slowest = Math.max(slowest, performance.now() - asked);
    answered++;
    inChild ||= process.getActiveResourcesInfo().includes('ProcessWrap');
  }
  const { manifest } = await building;
  t.log(
    `built in ${Math.round(performance.now() - since)} ms; ${answered} responses meanwhile, the slowest ${Math.round(slowest)} ms`,
  );
  t.true(inChild);
  t.true(answered > 5, `${answered} answers`);
  t.deepEqual(manifest.problems, []);
  t.true(Object.keys(manifest.files).length > 100);
  await rm(place, { recursive: true });
});
