// A real Firefox as Debian ships it. Playwright drives only its own build of Firefox, Puppeteer drives this one.
import { existsSync } from 'node:fs';
import puppeteer, { PuppeteerNode, type Browser, type Page } from 'puppeteer-core';

const FIREFOX = ['/usr/bin/firefox-esr', '/usr/bin/firefox'];
/** A deadline for tests that hang. */
const TIMEOUT_MS = 60_000;

// Firefox's own search by accessible name takes seconds on a page with a long table.
PuppeteerNode.registerCustomQueryHandler('named', {
  queryOne: (root, wanted) => {
    const PARTS = 'a, button, input, textarea, select, [role=option], [role^=menuitem]';
    const nameOf = (part: Element): string => {
      const labels = part instanceof HTMLInputElement || part instanceof HTMLTextAreaElement ? part.labels : null;
      const texts = labels?.length ? [...labels].map((each) => each.textContent) : [part.textContent];
      return (part.getAttribute('aria-label') ?? texts.join(' ')).replaceAll(/\s+/g, ' ').trim();
    };
    const parts = [...(root as ParentNode).querySelectorAll(PARTS)].filter((each) => each.checkVisibility());
    return (
      parts.find((each) => nameOf(each) === wanted) ?? parts.find((each) => nameOf(each).startsWith(wanted)) ?? null
    );
  },
});

/** Returns the path of the local Firefox; undefined where there is none. CI requires one. */
export function firefoxPath(): string | undefined {
  const found = FIREFOX.find((path) => existsSync(path));
  if (!found && process.env['CI']) throw new Error('No Firefox: apt-get install firefox-esr (.ci/run does)');
  return found;
}

export function openFirefox(executablePath: string): Promise<Browser> {
  return puppeteer.launch({ browser: 'firefox', executablePath, headless: true, timeout: TIMEOUT_MS });
}

/** What a job takes. */
interface Effort {
  readonly clicks: number;
  readonly keys: number;
  /** Seconds for a practised person, by the keystroke-level model of Card, Moran and Newell, without the product's own. */
  readonly seconds: number;
  /** Seconds that the pages took, including what drives the browser. */
  readonly waited: number;
}

/** Seconds of the keystroke-level model: a key of an average typist, pointing and clicking, and deciding what to do. */
const [KEY, POINT, DECIDE] = [0.28, 1.3, 1.35];

/** A person's window. Parts of a page are found by their visible or accessible name, or its beginning. */
export interface Visitor {
  readonly page: Page;
  /** The page's errors and policy violations. */
  readonly complaints: string[];
  /** Returns what the person has done since `begin`. */
  effort(): Effort;
  /** Starts counting anew: what came before does not belong to the job. */
  begin(): void;
  open(address: string): Promise<void>;
  /** Clicks a button, link or choice, in the part of the page that a CSS selector names. */
  click(name: string, within?: string): Promise<void>;
  /** Replaces the text of a field. */
  fill(name: string, text: string): Promise<void>;
  focus(name: string): Promise<void>;
  /** Waits until a button, link, field or choice is there. */
  meets(name: string): Promise<void>;
  /** Waits until a text is visible. */
  sees(text: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens an empty window with its own cookies. */
export async function visitor(browser: Browser, width = 1440): Promise<Visitor> {
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  await page.setViewport({ width, height: width < 500 ? 844 : 900 });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (line) => {
    if (line.type() === 'error') complaints.push(line.text());
  });
  /** Says what was looked for, and what the page showed instead. */
  const find = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      const shown = await page.evaluate(() => document.body.innerText);
      throw new Error(`${what} on ${page.url()}, which shows: ${shown.slice(0, 3000)}`, { cause: error });
    }
  };
  const named = (name: string, within = '') => page.locator(`${within} ::-p-named(${name})`);
  let [clicks, keys, fields, began] = [0, 0, 0, performance.now()];
  const click = (name: string, within?: string) => {
    clicks++;
    return find(`No “${name}” to click`, () => named(name, within).click());
  };
  const press = page.keyboard.press.bind(page.keyboard);
  page.keyboard.press = (...given) => {
    keys++;
    return press(...given);
  };
  const type = page.keyboard.type.bind(page.keyboard);
  page.keyboard.type = (text) => {
    keys += text.length;
    fields++;
    return type(text);
  };
  return {
    page,
    complaints,
    effort: () => ({
      clicks,
      keys,
      seconds: Math.round(keys * KEY + clicks * POINT + (clicks + fields) * DECIDE),
      waited: (performance.now() - began) / 1000,
    }),
    begin: () => void ([clicks, keys, fields, began] = [0, 0, 0, performance.now()]),
    open: async (address) => void (await page.goto(address)),
    click,
    fill(name, text) {
      // With Tab into the field.
      keys += text.length + 1;
      fields++;
      return find(`No field “${name}”`, () => named(name).fill(text));
    },
    focus: (name) =>
      find(`No “${name}” to focus`, () =>
        named(name)
          .wait()
          .then(() => page.focus(` ::-p-named(${name})`)),
      ),
    meets: (name) => find(`No “${name}”`, () => named(name).wait()),
    sees: (text) => find(`No “${text}”`, () => page.locator(`::-p-text(${text})`).wait()),
    close: () => context.close(),
  };
}
