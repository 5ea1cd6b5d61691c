// Which route a request is for, and what those are told who may not know.
import { unauthenticated, type Caller } from './caller.ts';
import { choose, type Match } from './dispatch.ts';
import { forbidden } from '../kit/problem.ts';
import type { Route } from '../plugin/route.ts';
import type { Interface } from './routes.ts';

/** The sort of programs that a path is for, whatever its method (check.ts). */
export const programOf = (match: Match | undefined): string | undefined => match?.group.routes[0]?.access.program;

// Errors about `id` and `action` are for callers who may use one of the path's routes; others get 401 or 403.
export function routeFor(
  face: Interface,
  match: Match,
  method: string,
  query: ReadonlyMap<string, string>,
  caller: Caller,
): Route {
  try {
    return choose(match.group, method, query);
  } catch (error) {
    const near = match.group.routes.filter((route) => route.method === method);
    const open = near.some((route) => route.access.open);
    if (!open && caller.actor === undefined) throw unauthenticated(face.surface.challenge);
    if (!open && !near.some((route) => route.access.allows(caller.actor))) throw forbidden(near[0]?.access.refusal);
    throw error;
  }
}
