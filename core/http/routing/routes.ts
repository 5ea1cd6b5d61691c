// Compiles a tenant's routes onto routers: one @koa/router per surface, each path registered once with all its routes.
import { METHODS } from 'node:http';
import { dictionary } from '@keelson/kit/dictionary.ts';
import { memoize } from '@keelson/kit/memoize.ts';
import type { Zone } from '@keelson/kit/moment.ts';
import { compileSerialiser } from '@keelson/kit/serialise.ts';
import { parse } from '@keelson/kit/validate.ts';
import Router from '@koa/router';
import type { Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import type { Identity } from '../../plugin/declaration/identity.ts';
import type { Plugin } from '../../plugin/plugin.ts';
import type { Route } from '../../plugin/route/route.ts';
import type { Surface } from '../../plugin/route/surface.ts';
import { adminSurface } from '../../surfaces/admin.ts';
import { crmSurface } from '../../surfaces/crm.ts';
import { helpdeskSurface } from '../../surfaces/helpdesk.ts';
import { pagesSurface } from '../../surfaces/pages.ts';
import { searchTest } from '../search-turn.ts';
import { methodsOf, type PathRoutes } from './php-actions.ts';

export interface CompiledRoute {
  readonly route: Route;
  readonly serialise: (value: unknown) => unknown;
  /** Validates the query parameters. @throws invalid() naming them */
  readonly readQuery: (text: string, given: ReadonlyMap<string, string>, zone: Zone) => unknown;
  /** Returns true if a validated query contains a text search. */
  readonly isSearch: (query: unknown) => boolean;
}

/** A surface with the routes and identities of all plugins. */
export interface Interface {
  readonly surface: Surface<any>;
  readonly paths: readonly PathRoutes[];
  /** In the order they are tried: headers first (A-25). */
  readonly identities: readonly Identity[];
  compiled(route: Route): CompiledRoute;
}

export interface Interfaces {
  readonly all: readonly Interface[];
  /** Returns the interface a path belongs to. */
  of(path: string): Interface;
  /** Returns the routes of a path, or undefined if it has none. */
  find(path: string): PathRoutes | undefined;
}

export const surfaces: readonly Surface<any>[] = [helpdeskSurface, crmSurface, adminSurface, pagesSurface];

/** Compiles the routes of an application's plugins, once. */
export const compileRoutes = memoize((plugins: readonly Plugin[]): Interfaces => {
  const all = surfaces.map((surface) => compileInterface(surface, plugins));
  // Only used for shortcuts and by tests, so it is built when needed.
  const routers = memoize((face: Interface) => routerOf(face));
  const faceOf = (id: Surface<any>['id']): Interface => {
    const face = all.find(({ surface }) => surface.id === id);
    if (!face) throw new Error(`No surface ${id}`);
    return face;
  };
  const findIn = (id: Surface<any>['id'], path: string): PathRoutes | undefined => {
    const face = faceOf(id);
    const [layer] = routers(face).match(path, 'GET').pathAndMethod;
    return layer && face.paths[Number(layer.name)];
  };
  const of = (path: string): Interface => {
    const { id } = surfaceAt(path);
    // Below /crm/ only declared paths such as crm/leads.php belong to the admin surface (N-13).
    const shortcut = id === 'admin' && path.startsWith(`${crmSurface.prefix}/`) && !findIn(id, path);
    return faceOf(shortcut ? 'crm' : id);
  };
  return { all, of, find: (path) => findIn(of(path).surface.id, path) };
});

/** Creates an interface's router: each path, for every method, sets `http.state.path` and runs the steps. */
export function routerOf(face: Interface, steps: readonly unknown[] = []): Router<any> {
  const router = new Router<any>({ sensitive: true });
  for (const [at, path] of face.paths.entries()) {
    const begin: Middleware = (http, next) => {
      http.state.path = path;
      return next();
    };
    // A cast: the router's context has additions that our steps do not use.
    const all = [begin, ...steps] as unknown as Parameters<typeof router.register>[2];
    router.register(`${face.surface.prefix}${pathOf(path)}`, METHODS, all, { name: String(at) });
  }
  return router;
}

/** Returns the path in @koa/router's syntax. Parameters are numbered, because routes may name them differently. */
function pathOf({ routes }: PathRoutes): string {
  const segments = routes[0]?.template.segments ?? [];
  return `/${segments.map((each, at) => each ?? `:p${at}`).join('/')}`;
}

/** Returns the surface a path belongs to. */
export function surfaceAt(path: string): Surface<any> {
  const under = (surface: Surface<any>) => path.startsWith(`${surface.prefix}/`);
  if (under(helpdeskSurface)) return helpdeskSurface;
  // Shortcuts such as crm/leads.php belong to the admin surface, everything else below /crm/ to the CRM (N-13).
  if (under(crmSurface) && !/\.php\/?$/.test(path)) return crmSurface;
  if (under(adminSurface)) return adminSurface;
  // Other API versions do not exist. Their 404 uses the interface's own format (R-03, R-23).
  if (/^\/helpdesk\/api(\/|$)/.test(path)) return helpdeskSurface;
  if (/^\/admin\/api(\/|$)/.test(path)) return adminSurface;
  return pagesSurface;
}

function compileInterface(surface: Surface<any>, plugins: readonly Plugin[]): Interface {
  const routes = plugins.flatMap((plugin) => plugin.routes ?? []).filter((route) => route.surface === surface);
  const known = new Set(routes);
  const identities = plugins.flatMap((plugin) => plugin.identities ?? []).filter((each) => each.surface === surface);
  return {
    surface,
    paths: pathsOf(routes),
    identities: identities.toSorted((a, b) => Number(a.via === 'cookie') - Number(b.via === 'cookie')),
    compiled(route) {
      if (!known.has(route)) throw new Error(`Route ${route.path} does not belong to this interface`);
      return compileRoute(route);
    },
  };
}

/** Groups routes by path. Literal segments sort before parameters, so that they win (R-19). */
function pathsOf(routes: readonly Route[]): PathRoutes[] {
  const shapeOf = ({ template }: Route) => template.segments.map((each) => each ?? '{}').join('/');
  const byShape = Map.groupBy(routes, shapeOf);
  // `!` sorts before `{`.
  const orderOf = (shape: string) => shape.replaceAll(/[^/{}]+/g, '!');
  const sorted = [...byShape]
    .map(([shape, together]) => ({ order: orderOf(shape), together }))
    .toSorted((a, b) => (a.order === b.order ? 0 : a.order < b.order ? -1 : 1));
  return sorted.map(({ together }) => ({
    routes: together,
    methods: methodsOf(together),
    actions: [...new Set(together.flatMap((route) => route.template.select['action'] ?? []))],
    php: together.some((route) => route.template.segments.at(-1)?.endsWith('.php')),
    anonymous: together.every((route) => route.anonymous),
    crossOrigin: together.some((route) => route.crossOrigin),
  }));
}

/** Compiled at a route's first request, because most processes never use most of the routes. */
const compileRoute = memoize((route: Route): CompiledRoute => ({
  route,
  serialise: serialiserOf(route),
  isSearch: searchTest(route.query),
  readQuery: queryReader(route.query),
}));

function serialiserOf(route: Route): (value: unknown) => unknown {
  const { shape, shown } = route.returns;
  return shape && !shown ? compileSerialiser(shape) : (value) => value;
}

/**
 * Parses queries, with a small cache per route, because clients repeat the same ones. Tenants share it, so it is kept by
 * time zone.
 */
function queryReader(schema: z.ZodType | undefined): CompiledRoute['readQuery'] {
  if (!schema) return () => ({});
  const kept = new LRUCache<string, object>({ max: 200 });
  return (text, given, zone) => {
    const key = `${zone.name} ${text}`;
    const known = kept.get(key);
    if (known) return known;
    const value: object = Object.freeze(Object(parse(schema, dictionary(given), 'Query', zone)));
    if (text.length <= 500) kept.set(key, value);
    return value;
  };
}
