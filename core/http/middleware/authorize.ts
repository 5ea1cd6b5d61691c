// Authorises the caller for the route: credential, forgery check, module switch and access rule.
import { forbidden, invalid, type Problem } from '@keelson/kit/problem.ts';
import type { Next } from 'koa';
import type { App } from '../../plugin/app.ts';
import type { Route } from '../../plugin/route/route.ts';
import { allowedWithCookie } from '../body/body.ts';
import { unauthenticated } from '../caller.ts';
import type { Routed } from '../request-state.ts';
import { isUtf8, paramsOf } from '../routing/request-params.ts';

export function authorize(app: App) {
  return async (http: Routed, next: Next): Promise<void> => {
    const { route, caller, originAllowed, query } = http.state;
    if (!route.access.open && caller.actor === undefined)
      throw unauthenticated(route.surface.challenge, route.signedOutExtra);
    const forged = forgery(http, route, caller.via === 'cookie' && caller.actor !== undefined, app.config.baseUrl);
    if (forged) throw forged;
    if (!originAllowed) throw forbidden('This key is not allowed on this website');
    await requireModule(app, route, caller.actor);
    if (caller.actor !== undefined || !route.access.open) requireRule(route, caller.actor);
    // Other encodings would decode to U+FFFD and find the wrong records (V-29).
    if (!isUtf8(http.querystring)) throw invalid('The query must be UTF-8');
    // By position, as the router names them (routes.ts).
    http.state.params = paramsOf(route, Object.values(http['params'] as Record<string, string>), query);
    return next();
  };
}

async function requireModule(app: App, route: Route, actor: unknown): Promise<void> {
  const company = actor === undefined ? undefined : route.surface.company(actor);
  if (company === undefined) return;
  // A route under another module's path requires both modules.
  const above = app.plugins.filter(({ id }) => id === route.module);
  for (const { id, title, perCompany } of [...above, app.ownerOf(route)]) {
    if (perCompany && !(await app.switches.enabled(app.system(), company, id)))
      throw forbidden(`${title} module is disabled`);
  }
}

function requireRule(route: Route, actor: unknown): void {
  if (!route.access.allows(actor)) throw forbidden(route.access.refusal);
}

// Cross-site request forgery: browsers send cookies automatically, so an unsafe request that uses or sets one
// must come from our own pages.
const safe: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Returns the problem of a forged request, or undefined. `usesCookie` means a cookie identified the caller. */
function forgery(http: Routed, route: Route, usesCookie: boolean, baseUrl: string): Problem | undefined {
  if (safe.has(http.method) || !(usesCookie || route.cookie)) return undefined;
  if (!sameSite(http, baseUrl)) return forbidden('Cross-site request rejected');
  return allowedWithCookie(http, route)
    ? undefined
    : forbidden('This content type is not accepted with cookie authentication');
}

function sameSite(http: Routed, baseUrl: string): boolean {
  const site = http.get('Sec-Fetch-Site');
  if (site) return site === 'same-origin' || site === 'none';
  const origin = http.get('Origin');
  // Browsers send at least one of these headers, so this client is not a browser and has no cookies to abuse.
  return origin === '' || origin === new URL(baseUrl).origin;
}
