import type { Page, Request, Route } from 'playwright-core';

interface Intercepting {
  /** Intercepts this many requests; all by default. */
  readonly times?: number;
  /** An address that the page may fetch; by default that of the server it comes from. */
  readonly origin?: string;
}

/**
 * Intercepts requests of a page. `page.route` alone resolves before the browser applies it: a request that a loaded page
 * sends right after it reaches the server. Resolves once a request was intercepted.
 */
export async function intercept(
  page: Page,
  url: string | RegExp,
  handler: (route: Route, request: Request) => unknown,
  { origin, ...options }: Intercepting = {},
): Promise<void> {
  await page.route(url, handler, options);
  if (page.url() === 'about:blank') return;
  const probe = new URL('/health', origin ?? page.url()).href;
  let intercepted = false;
  await page.route(probe, (route) => {
    intercepted = true;
    return route.fulfill({ status: 204 });
  });
  while (!intercepted) await page.evaluate(async (address) => void (await fetch(address, { mode: 'no-cors' })), probe);
  await page.unroute(probe);
}
