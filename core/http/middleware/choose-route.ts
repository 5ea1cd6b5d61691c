// Chooses among a path's routes by method, action and id. Details of the choice are for authorised callers only.
import { forbidden } from '@keelson/kit/problem.ts';
import type { Next } from 'koa';
import type { Route } from '../../plugin/route/route.ts';
import { unauthenticated } from '../caller.ts';
import type { Routed } from '../request-state.ts';
import { allowedMethods, choose, wrongMethod } from '../routing/php-actions.ts';

export function chooseRoute(http: Routed, next: Next): Promise<void> {
  const { path, query } = http.state;
  const allowed = allowedMethods(path, query);
  if (!allowed.includes(http.method)) throw wrongMethod(allowed);
  http.state.route = routeFor(http, http.method === 'HEAD' ? 'get' : http.method.toLowerCase());
  http.state.compiled = http.state.face.compiled(http.state.route);
  return next();
}

// Errors about `id` and `action` go only to callers who may use one of the path's routes. Others get 401 or 403.
function routeFor({ state: { path, query, caller, face } }: Routed, method: string): Route {
  try {
    return choose(path, method, query);
  } catch (error) {
    const near = path.routes.filter((route) => route.method === method);
    const open = near.some((route) => route.access.open);
    if (!open && caller.actor === undefined) throw unauthenticated(face.surface.challenge);
    if (!open && !near.some((route) => route.access.allows(caller.actor))) throw forbidden(near[0]?.access.refusal);
    throw error;
  }
}
