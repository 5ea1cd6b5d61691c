// Chooses among the routes of one path: by method, and for `.php` paths also by `action` and `id` in the query.
import { invalid, Problem } from '@keelson/kit/problem.ts';
import type { Route } from '../../plugin/route/route.ts';

/** The routes of one path. */
export interface PathRoutes {
  readonly routes: readonly Route[];
  /** The methods of all routes. */
  readonly methods: readonly string[];
  /** The values of `action` that select a route. */
  readonly actions: readonly string[];
  /** A `.php` path, where `action` and `id` in the query select the route. */
  readonly php: boolean;
  /** No route needs an identified caller. */
  readonly anonymous: boolean;
  /** Other websites may call at least one route. */
  readonly crossOrigin: boolean;
}

/**
 * Returns the route of this path and method whose action and parameters are in the query.
 * @throws a Problem that says what is missing or wrong (R-09 to R-11, N-35)
 */
export function choose(path: PathRoutes, method: string, query: ReadonlyMap<string, string>): Route {
  const action = path.php ? query.get('action') : undefined;
  const known = action !== undefined && path.actions.includes(action);
  const candidates = path.routes.filter(
    (route) => route.method === method && route.template.select['action'] === (known ? action : undefined),
  );
  if (action !== undefined && !known && !candidates.some((route) => route.freeAction)) throw invalid('Unknown action');
  const complete = candidates.filter((route) => missing(route, query).length === 0);
  const best = complete.toSorted((a, b) => b.template.params.length - a.template.params.length)[0];
  if (!best) throw invalid(`${candidates.flatMap((route) => missing(route, query))[0] ?? 'action'} is required`);
  // An `id` means one record, not the list, so report what that route lacks.
  const meant = query.has('id') && best.template.params.length === 0 ? candidates.find(takesId) : undefined;
  if (meant) throw invalid(`${missing(meant, query)[0]} is required`);
  if (path.php && method === 'post' && !known && query.has('id') && best.template.params.length === 0) {
    throw invalid('Unexpected id');
  }
  return best;
}

/** Returns the methods allowed for this path and `action`, or for the record an `id` names. */
export function allowedMethods(path: PathRoutes, query: ReadonlyMap<string, string>): readonly string[] {
  const action = query.get('action');
  const plain = path.routes.filter((route) => route.template.select['action'] === undefined);
  if (path.php && action === undefined && query.has('id') && plain.some(takesId)) return methodsOf(plain);
  if (action === undefined || !path.actions.includes(action)) return path.methods;
  return methodsOf(path.routes.filter((route) => route.template.select['action'] === action));
}

/** Returns the methods as listed in `Allow`. */
export function methodsOf(routes: readonly Route[]): readonly string[] {
  const methods = new Set(routes.map((route) => route.method.toUpperCase()));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods, 'OPTIONS'].toSorted();
}

function missing(route: Route, query: ReadonlyMap<string, string>): string[] {
  return route.template.params.filter((each) => each.from === 'query' && !query.has(each.key)).map((each) => each.key);
}

function takesId({ template }: Route): boolean {
  return template.params.some((each) => each.key === 'id');
}

export function wrongMethod(allow: readonly string[]): Problem {
  return new Problem('method', 'Method not allowed', { headers: { Allow: allow.join(', ') } });
}
