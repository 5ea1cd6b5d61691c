// Compiles the declared routes of a tenant: look-up trees, serialisers, parameter readers.
import { LRUCache } from 'lru-cache';
import type { z } from 'zod';
import { dictionary } from '../kit/dictionary.ts';
import { dispatcher, type Dispatcher } from './dispatch.ts';
import type { Identity } from '../plugin/identity.ts';
import type { Plugin } from '../plugin/plugin.ts';
import type { Route } from '../plugin/route.ts';
import type { Zone } from '../kit/moment.ts';
import { searchTest } from './search-turn.ts';
import { compileSerialiser } from '../plugin/serialise.ts';
import type { Surface } from '../plugin/surface.ts';
import { adminSurface } from '../surfaces/admin.ts';
import { crmSurface } from '../surfaces/crm.ts';
import { helpdeskSurface } from '../surfaces/helpdesk.ts';
import { pagesSurface } from '../surfaces/pages.ts';
import { memoize } from '../kit/memoize.ts';
import { parse } from '../kit/validate.ts';

export interface CompiledRoute {
  readonly route: Route;
  readonly serialise: (value: unknown) => unknown;
  /** Validates the query parameters. @throws invalid() naming them */
  readonly readQuery: (text: string, given: ReadonlyMap<string, string>, zone: Zone) => unknown;
  /** Whether a validated query asks for a text search. */
  readonly isSearch: (query: unknown) => boolean;
}

/** A surface with the routes and identities of all plugins. */
export interface Interface {
  readonly surface: Surface<any>;
  readonly find: Dispatcher['find'];
  /** In the order in which they are tried: headers first. */
  readonly identities: readonly Identity[];
  compiled(route: Route): CompiledRoute;
}

export interface Interfaces {
  /** The interface a path belongs to, and the rest of the path below its prefix. */
  locate(path: string): { face: Interface; rest: string };
}

export const surfaces: readonly Surface<any>[] = [helpdeskSurface, crmSurface, adminSurface, pagesSurface];

/** The routes of an application's plugins, compiled once. */
export const compileRoutes = memoize((plugins: readonly Plugin[]): Interfaces => {
  const faces = new Map(surfaces.map((surface) => [surface.id, compileInterface(surface, plugins)]));
  const of = (id: Surface<any>['id']): Interface => {
    const face = faces.get(id);
    if (!face) throw new Error(`No surface ${id}`);
    return face;
  };
  return {
    locate(path) {
      const { surface, rest } = surfaceAt(path);
      const face = of(surface.id);
      // Below /crm/ only declared paths such as crm/leads.php belong to the admin surface (N-13).
      const shortcut = surface !== adminSurface || !path.startsWith(`${crmSurface.prefix}/`) || face.find(rest);
      return shortcut ? { face, rest } : { face: of('crm'), rest: path.slice(crmSurface.prefix.length) };
    },
  };
});

/** The surface a path belongs to, and the rest of the path below its prefix. */
export function surfaceAt(path: string): { surface: Surface<any>; rest: string } {
  const under = (surface: Surface<any>) => path.startsWith(`${surface.prefix}/`);
  const at = (surface: Surface<any>) => ({ surface, rest: path.slice(surface.prefix.length) });
  if (under(helpdeskSurface)) return at(helpdeskSurface);
  // Shortcuts such as crm/leads.php belong to the admin surface, everything else below /crm/ to the CRM (N-13).
  if (under(crmSurface) && !/\.php\/?$/.test(path)) return at(crmSurface);
  if (under(adminSurface)) return at(adminSurface);
  // Other versions do not exist; the 404 is in the interface's own form.
  if (/^\/helpdesk\/api(\/|$)/.test(path)) return { surface: helpdeskSurface, rest: '' };
  if (/^\/admin\/api(\/|$)/.test(path)) return { surface: adminSurface, rest: '' };
  return { surface: pagesSurface, rest: path };
}

function compileInterface(surface: Surface<any>, plugins: readonly Plugin[]): Interface {
  const routes = plugins.flatMap((plugin) => plugin.routes ?? []).filter((route) => route.surface === surface);
  const compiled = new Map<Route, CompiledRoute>(routes.map((route) => [route, compileRoute(route)]));
  const identities = plugins.flatMap((plugin) => plugin.identities ?? []).filter((each) => each.surface === surface);
  return {
    surface,
    find: dispatcher(routes).find,
    identities: identities.toSorted((a, b) => Number(a.via === 'cookie') - Number(b.via === 'cookie')),
    compiled(route) {
      const found = compiled.get(route);
      if (!found) throw new Error(`Route ${route.path} was not compiled`);
      return found;
    },
  };
}

function compileRoute(route: Route): CompiledRoute {
  return {
    route,
    serialise: serialiserOf(route),
    isSearch: searchTest(route.query),
    readQuery: queryReader(route.query),
  };
}

function serialiserOf(route: Route): (value: unknown) => unknown {
  const { shape, shown } = route.returns;
  return shape && !shown ? compileSerialiser(shape) : (value) => value;
}

/** Reads queries, with a cache for the last few of each route, because clients repeat the same ones. */
function queryReader(schema: z.ZodType | undefined): CompiledRoute['readQuery'] {
  if (!schema) return () => ({});
  const kept = new LRUCache<string, object>({ max: 200 });
  return (text, given, zone) => {
    const known = kept.get(text);
    if (known) return known;
    const value: object = Object.freeze(Object(parse(schema, dictionary(given), 'Query', zone)));
    if (text.length <= 500) kept.set(text, value);
    return value;
  };
}
