/// <reference lib="dom" />
// The console and the portal of a provider in daily use, in a real browser.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createTicket } from '@keelson/modules/tickets';
import { openApp, type TestApp, type TestOptions } from '@keelson/testing';
import type { BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { fillDemo, type DemoParts } from '../../modules/demo/demo.ts';
import { boundless } from '../_boundless.ts';
import { complaintsOf, openBrowser, type Windows } from './_website.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

export interface Room {
  readonly app: TestApp;
  readonly browser: Windows;
  close(): Promise<void>;
}

export interface Desk extends Room {
  readonly made: DemoParts;
}

/** Builds the pages of an empty installation and opens a browser. */
export async function openRoom(executablePath: string, options: TestOptions = {}): Promise<Room> {
  const [app, browser] = await Promise.all([
    openApp({ web: true, limiter: boundless, ...options }),
    openBrowser(executablePath),
  ]);
  return {
    app,
    browser,
    async close() {
      await browser.close();
      await app.close();
    },
  };
}

/** Builds the pages, fills an installation and opens a browser. */
export async function openDesk(executablePath: string, options: TestOptions = {}): Promise<Desk> {
  const room = await openRoom(executablePath, options);
  return { ...room, made: await fillDemo(room.app.app) };
}

/** Adds tickets of the first customer, `Subject 1` and so on; returns their ids. */
export async function addTickets({ app, made }: Desk, count: number, subject: string): Promise<number[]> {
  const company_number = made.customers[0]?.company.company_number ?? 0;
  const ids: number[] = [];
  for (let index = 1; index <= count; index++)
    ids.push((await app.run((ctx) => createTicket(ctx, { company_number, subject: `${subject} ${index}` }))).ticket_id);
  return ids;
}

interface Person {
  readonly email: string;
  readonly password: string;
}

/** Opens an empty window signed in as a technician, bypassing the sign-in form. */
export async function asStaff({ app, browser }: Room, person: Person, options: BrowserContextOptions = {}) {
  const opened = await openWindow(browser, options);
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const form = { email: person.email, password: person.password };
  const answer = await opened.page.request.post(`${app.url}/admin/login`, { form, headers, maxRedirects: 0 });
  if (answer.status() !== 303) throw new Error(`Sign-in responded ${answer.status()}: ${await answer.text()}`);
  return opened;
}

/** Opens an empty window signed in as a customer's employee, bypassing the sign-in form. */
export async function asCustomer({ app, browser }: Room, person: Person, options: BrowserContextOptions = {}) {
  const opened = await openWindow(browser, options);
  const data = { username: person.email, password: person.password };
  const answer = await opened.page.request.post(`${app.url}/helpdesk/api/v1/auth/login`, { data });
  if (answer.status() !== 200) throw new Error(`Sign-in responded ${answer.status()}: ${await answer.text()}`);
  return opened;
}

interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: string[];
}

/** Opens an empty window without signing in. */
export async function openWindow(browser: Windows, options: BrowserContextOptions = {}): Promise<Opened> {
  // The page's policy stays in force; the browser itself injects axe.
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, bypassCSP: false, ...options });
  context.setDefaultTimeout(60_000);
  await context.addInitScript(keepToasts);
  const page = await context.newPage();
  return { page, context, complaints: complaintsOf(page) };
}

/** Shows toasts for a minute: on a busy machine a test may look at the page only after the usual seconds. */
function keepToasts(): void {
  const usual = [4000, 8000];
  const start = window.setTimeout.bind(window);
  const hide = (work: () => void) => (document.querySelector('.toast') ? start(work, 60_000) : work());
  window.setTimeout = ((work: () => void, ms?: number, ...rest: unknown[]) =>
    usual.includes(ms ?? 0) ? start(hide, ms, work) : start(work, ms, ...rest)) as typeof setTimeout;
}

/** Opens a page and waits until it has no pending requests. */
export async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await settled(page);
}

/** Navigates within the same shell, as a link does, and waits for the page. */
export async function step(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => history.pushState(null, '', to), address);
  await settled(page);
}

/** Stops the page's timers until `page.clock.resume()`, so that nothing can be too late. Call `page.clock.install()` first. */
export const stopTime = (page: Page): Promise<void> => page.clock.pauseAt(Date.now() + 3_600_000);

/** Waits for the heading and the content after it. */
export async function settled(page: Page): Promise<void> {
  // After a frame, old content is gone or laid out for the new window size; skeletons mark pending content.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.locator('h1').first().waitFor();
  await page.waitForFunction(() => document.querySelector('.bones') === null);
  // Key handlers attach in effects, after the first frame.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
}

/** Returns axe's findings on the page as readable lines. */
export async function axe(page: Page): Promise<string[]> {
  // Evaluated by the browser itself, which no page policy blocks; once per page, because the script is large.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const found = await page.evaluate(async (rules) => {
    const { axe: tool } = window as unknown as {
      axe: { run(root: Document, options: object): Promise<{ violations: readonly Violation[] }> };
    };
    interface Violation {
      readonly id: string;
      readonly nodes: readonly { readonly html: string }[];
    }
    const { violations } = await tool.run(document, { runOnly: rules, preload: false });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
  }, RULES);
  return found;
}

/** Returns text people should not see: identifiers, machine-formatted timestamps, `12 lines`. */
export const rawWords = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const RAW = [
      /\b[a-z]+(?:_[a-z0-9]+)+\b/,
      /\b\d{4}-\d\d-\d\d(?:T\d\d:\d\d)?/,
      /\b\d+ lines?\b/,
      /^[a-z]+(?:\.[a-z]+)+$/,
      /\b(?:undefined|NaN|null|\[object)\b/,
      /^(?:Ach\b|Cron:)/,
    ];
    // User input, and text meant to be copied verbatim.
    const exempt = 'code, pre, textarea, option, .text, .rich-text, .code, [hidden], .hidden, script, style';
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = new Set<string>();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const { parentElement } = node;
      // Templates show their placeholders while edited.
      const text = (node.textContent ?? '').replaceAll(/\{\{.*?\}\}/g, '').trim();
      if (!text || !parentElement || parentElement.closest(exempt)) continue;
      if (RAW.some((each) => each.test(text))) found.add(text.slice(0, 80));
    }
    return [...found];
  });

/** Returns cards without content. */
export const emptyCards = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.card')]
      .filter((card) => {
        const heading = card.querySelector('h2, h3')?.textContent ?? '';
        const rest = (card.textContent ?? '').trim().slice(heading.trim().length).trim();
        return rest === '' && !card.querySelector('canvas, svg, img, input, button, a, iframe');
      })
      .map((card) => `empty card “${card.querySelector('h2, h3')?.textContent ?? ''}”`),
  );

/** Returns texts cut off at the edge of their box without an ellipsis. */
export const clipped = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main *')]
      .filter((each) => {
        const { overflowX, textOverflow, display, visibility } = getComputedStyle(each);
        if (display === 'none' || visibility === 'hidden' || each.clientWidth < 2) return false;
        const list = each.matches('.table, .simple-table') && !each.closest('.rich-text');
        if (!list && (!/hidden|clip/.test(overflowX) || textOverflow === 'ellipsis')) return false;
        return each.scrollWidth > each.clientWidth + 1 && (each.textContent ?? '').trim() !== '';
      })
      .map((each) => `${each.className} cuts ${each.scrollWidth - each.clientWidth} px off`),
  );

/** Returns how many pixels the page scrolls sideways. */
export const sideways = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

/** Maximum times a field is read. */
const MOST_LOOKS = 3000;

/** Waits until a field contains the text (or a match): a page may fill it in after it opens. */
export async function holds(field: Locator, expected: string | RegExp): Promise<void> {
  let value = '';
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    value = await field.inputValue();
    if (typeof expected === 'string' ? value === expected : expected.test(value)) return;
    await field.page().waitForTimeout(20);
  }
  throw new Error(`the field holds ${JSON.stringify(value)}, expected ${String(expected)}`);
}
