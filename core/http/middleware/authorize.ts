// Authorises the caller for the route: credential, forgery check, module switch and access rule.
import type { Next } from 'koa';
import { forbidden, invalid } from '../../kit/problem.ts';
import type { App } from '../../plugin/app.ts';
import type { Route } from '../../plugin/route.ts';
import { unauthenticated } from '../caller.ts';
import { isUtf8, paramsOf } from '../request-params.ts';
import type { Routed } from '../request-state.ts';
import { forgery } from './forgery.ts';

export function authorize(app: App) {
  return async (http: Routed, next: Next): Promise<void> => {
    const { route, caller, originAllowed, query } = http.state;
    if (!route.access.open && caller.actor === undefined)
      throw unauthenticated(route.surface.challenge, route.signedOutExtra);
    const forged = forgery(http, route, caller.via === 'cookie' && caller.actor !== undefined, app.config.baseUrl);
    if (forged) throw forged;
    if (!originAllowed) throw forbidden('This key is not for this website');
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
