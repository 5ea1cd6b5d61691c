// Finds the route of a request by method, path and query. It is a tree of path segments, built once, so the cost does not
// depend on the number of routes (@koa/router scans its whole list: 86 µs more for 500 routes).
import { invalid, Problem } from '../kit/problem.ts';
import type { Route } from '../plugin/route.ts';

export interface Group {
  readonly routes: readonly Route[];
  /** The methods of all routes of this path. */
  readonly methods: readonly string[];
  /** The values of `action` that select routes of this path. */
  readonly actions: readonly string[];
  /** Whether it is a `.php` path, where `action` and `id` in the query select the route. */
  readonly php: boolean;
  /** Whether nobody need be known for any of them. */
  readonly anonymous: boolean;
  /** Whether pages of other websites may use one of them. */
  readonly crossOrigin: boolean;
}

export interface Match {
  readonly group: Group;
  /** The decoded path segments of the template's parameters, in order. */
  readonly values: readonly string[];
}

interface Branch {
  readonly named: Map<string, Branch>;
  any: Branch | undefined;
  routes: Route[];
  group: Group | undefined;
}

export interface Dispatcher {
  /** The group of routes at a path below the surface's prefix, or undefined. */
  find(path: string): Match | undefined;
}

/** Builds the tree of a surface's routes. */
export function dispatcher(routes: readonly Route[]): Dispatcher {
  const root = branch();
  for (const route of routes) {
    let at = root;
    for (const segment of route.template.segments) at = segment === null ? (at.any ??= branch()) : named(at, segment);
    at.routes.push(route);
  }
  seal(root);
  return { find: (path) => find(root, path) };
}

/**
 * Chooses among the routes of one path and method the one whose action and parameters are in the query.
 * @throws a Problem that says what is missing or wrong (R-09 to R-11, N-35)
 */
export function choose(group: Group, method: string, query: ReadonlyMap<string, string>): Route {
  const action = group.php ? query.get('action') : undefined;
  const known = action !== undefined && group.actions.includes(action);
  const candidates = group.routes.filter(
    (route) => route.method === method && route.template.select['action'] === (known ? action : undefined),
  );
  if (action !== undefined && !known && !candidates.some((route) => route.freeAction)) throw invalid('Unknown action');
  const complete = candidates.filter((route) => missing(route, query).length === 0);
  const best = complete.toSorted((a, b) => b.template.params.length - a.template.params.length)[0];
  if (!best) throw invalid(`${candidates.flatMap((route) => missing(route, query))[0] ?? 'action'} is required`);
  // A request with an id means one record, not the list, so the error is about what that route lacks.
  const meant = query.has('id') && best.template.params.length === 0 ? candidates.find(takesId) : undefined;
  if (meant) throw invalid(`${missing(meant, query)[0]} is required`);
  if (group.php && method === 'post' && !known && query.has('id') && best.template.params.length === 0) {
    throw invalid('Unexpected id');
  }
  return best;
}

/** The methods that are allowed for this path and `action`, or for the record that an `id` names. */
export function allowedMethods(group: Group, query: ReadonlyMap<string, string>): readonly string[] {
  const action = query.get('action');
  const plain = group.routes.filter((route) => route.template.select['action'] === undefined);
  if (group.php && action === undefined && query.has('id') && plain.some(takesId)) return methodsOf(plain);
  if (action === undefined || !group.actions.includes(action)) return group.methods;
  return methodsOf(group.routes.filter((route) => route.template.select['action'] === action));
}

function missing(route: Route, query: ReadonlyMap<string, string>): string[] {
  return route.template.params.filter((each) => each.from === 'query' && !query.has(each.key)).map((each) => each.key);
}

function takesId({ template }: Route): boolean {
  return template.params.some((each) => each.key === 'id');
}

function branch(): Branch {
  return { named: new Map(), any: undefined, routes: [], group: undefined };
}

function named(at: Branch, segment: string): Branch {
  const known = at.named.get(segment);
  if (known) return known;
  const made = branch();
  at.named.set(segment, made);
  return made;
}

function seal(at: Branch): void {
  if (at.routes.length > 0) {
    const actions = at.routes.flatMap((route) => route.template.select['action'] ?? []);
    at.group = {
      routes: at.routes,
      methods: methodsOf(at.routes),
      actions: [...new Set(actions)],
      php: at.routes.some((route) => route.template.segments.at(-1)?.endsWith('.php')),
      anonymous: at.routes.every((route) => route.anonymous),
      crossOrigin: at.routes.some((route) => route.crossOrigin),
    };
  }
  for (const each of at.named.values()) seal(each);
  if (at.any) seal(at.any);
}

function methodsOf(routes: readonly Route[]): readonly string[] {
  const methods = new Set(routes.map((route) => route.method.toUpperCase()));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods, 'OPTIONS'].toSorted();
}

function find(root: Branch, path: string): Match | undefined {
  // `OPTIONS *` asks about the server, and names no path.
  if (!path.startsWith('/')) return undefined;
  const trimmed = path.length > 2 && path.endsWith('/') ? path.slice(1, -1) : path.slice(1);
  const segments: string[] = [];
  for (const raw of trimmed.split('/')) {
    const segment = decode(raw);
    if (segment === undefined) return undefined;
    segments.push(segment);
  }
  return walk(root, segments, 0, []);
}

// Literal segments win over parameters; when a literal leads to no route, the parameter is tried.
function walk(at: Branch, segments: readonly string[], depth: number, values: readonly string[]): Match | undefined {
  const segment = segments[depth];
  if (segment === undefined) return at.group && { group: at.group, values };
  const literal = at.named.get(segment);
  const found = literal && walk(literal, segments, depth + 1, values);
  if (found) return found;
  return at.any && segment !== '' ? walk(at.any, segments, depth + 1, [...values, segment]) : undefined;
}

function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

export function wrongMethod(allow: readonly string[]): Problem {
  return new Problem('method', 'Method not allowed', { headers: { Allow: allow.join(', ') } });
}
