// Cross-site request forgery: browsers send cookies automatically, so an unsafe request that uses or sets one
// must come from our own pages.
import { allowedWithCookie } from '../body.ts';
import type { Routed } from '../request-state.ts';
import { forbidden, type Problem } from '../../kit/problem.ts';
import type { Route } from '../../plugin/route.ts';

const safe: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Returns the problem of a forged request, or undefined. `usesCookie` means a cookie identified the caller. */
export function forgery(http: Routed, route: Route, usesCookie: boolean, baseUrl: string): Problem | undefined {
  if (safe.has(http.method) || !(usesCookie || route.cookie)) return undefined;
  if (!sameSite(http, baseUrl)) return forbidden('Cross-site request refused');
  return allowedWithCookie(http, route) ? undefined : forbidden('This content type is not accepted with a cookie');
}

function sameSite(http: Routed, baseUrl: string): boolean {
  const site = http.get('Sec-Fetch-Site');
  if (site) return site === 'same-origin' || site === 'none';
  const origin = http.get('Origin');
  // Browsers send at least one of these headers, so this client is not a browser and has no cookies to abuse.
  return origin === '' || origin === new URL(baseUrl).origin;
}
