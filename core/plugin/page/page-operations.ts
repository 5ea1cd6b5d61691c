// Operations by the method and path under which pages and declarations name them.
import { memoize } from '@keelson/kit/memoize.ts';
import type { Plugin } from '../plugin.ts';
import { plainPath } from '../route/path-template.ts';
import type { Route } from '../route/route.ts';
import type { Part } from './part.ts';

const prefixes = {
  console: { admin: '', crm: 'crm:' },
  portal: { helpdesk: '' },
} as const;

/** Returns the operations that a page of this interface can call, by name: `GET /assets.php`, `crm:GET /leads`. */
export function operationsOf(plugins: readonly Plugin[], kind: Part['kind']): ReadonlyMap<string, Route> {
  return byLine(plugins)[kind];
}

/** Returns a test of the records that a person may open: by the rules of the record and of its operation. */
export function canOpen(plugins: readonly Plugin[], kind: Part['kind'], actor: unknown) {
  const operations = operationsOf(plugins, kind);
  return ({ access, read }: Part['records'][number]): boolean =>
    access.allows(actor) && operations.get(read)?.access.allows(actor) !== false;
}

const byLine = memoize((plugins: readonly Plugin[]) => ({
  console: linesOf(plugins, 'console'),
  portal: linesOf(plugins, 'portal'),
}));

function linesOf(plugins: readonly Plugin[], kind: Part['kind']): ReadonlyMap<string, Route> {
  const known: Readonly<Partial<Record<Route['surface']['id'], string>>> = prefixes[kind];
  return new Map(
    plugins.flatMap(({ routes = [] }) =>
      routes.flatMap((route): [string, Route][] => {
        const prefix = known[route.surface.id];
        return prefix === undefined ? [] : [[`${prefix}${route.method.toUpperCase()} ${plainPath(route.path)}`, route]];
      }),
    ),
  );
}
