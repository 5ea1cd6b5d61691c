// A third-party website on another origin, with a strict policy, and a real browser that visits it.
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { atEnd } from '../all/_at-end.ts';
import { onFailure } from '../all/_on-failure.ts';

// The shell is the same engine without a window, and takes two thirds of the time.
const CHROMIUM = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Returns the path of the local browser; undefined where there is none. CI requires one. */
export function browserPath(): string | undefined {
  const found = CHROMIUM.find((path) => existsSync(path));
  if (!found && process.env['CI'])
    throw new Error('No chromium: apt-get install chromium-headless-shell (.ci/run does)');
  return found;
}

/** Characters of a page that a failure shows. */
const MOST_SHOWN = 4000;

let started: Promise<Browser> | undefined;

/** The windows of a test file. */
export interface Windows {
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** Closes the windows. The browser stays for other files of the process: starting one takes a second of CPU. */
  close(): Promise<void>;
}

/** Opens the browser of this process. */
export async function openBrowser(executablePath: string): Promise<Windows> {
  const browser = await (started ??= startBrowser(executablePath));
  const contexts: BrowserContext[] = [];
  return {
    async newContext(options) {
      const context = await browser.newContext(options);
      contexts.push(context);
      return context;
    },
    async close() {
      await Promise.all(contexts.map((each) => each.close()));
    },
  };
}

async function startBrowser(executablePath: string): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
  atEnd(() => browser.close());
  onFailure(async () => {
    const pages = browser.contexts().flatMap((context) => context.pages());
    return Promise.all(pages.map(shown));
  });
  return browser;
}

/** Returns the address of a page, and its elements as assistive technology gets them, without the navigation. */
async function shown(page: Page): Promise<string> {
  const main = page.locator('main');
  const all = (await main.count()) === 1 ? main : page.locator('body');
  const elements = await all.ariaSnapshot({ timeout: 5000 }).catch(String);
  return `${page.url()}\n${elements.slice(0, MOST_SHOWN)}`;
}

export interface Website {
  readonly url: string;
  close(): void;
}

/** Serves a page with the chat: `?config=<JSON>` configures it; `?without` omits the script. */
export async function openWebsite(base: string): Promise<Website> {
  const policy = `default-src 'none'; img-src data:; script-src 'nonce-page' ${base}; connect-src ${base}; require-trusted-types-for 'script'`;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://website');
    if (pathname !== '/') return response.writeHead(404).end();
    const config = (searchParams.get('config') ?? 'null').replaceAll('<', '\\u003c');
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy });
    response.end(`<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width">
      <title>Ada &amp; Sons</title><link rel="icon" href="data:,">
      <script nonce="page">window.ChatWidgetConfig = ${config};</script>
      ${searchParams.has('without') ? '' : `<script async src="${base}/widget/chat.js"></script>`}</head>
      <body><main><h1>Ada &amp; Sons</h1><button>Order</button></main></body></html>`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Returns the page's errors and policy violations. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (line) => {
    if (['error', 'warning'].includes(line.type())) complaints.push(line.text());
  });
  return complaints;
}
