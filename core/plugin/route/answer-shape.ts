// Builds the zod schema of a route's whole response: the route's shape inside its surface's envelope.
import { memoize } from '@keelson/kit/memoize.ts';
import { isSearch } from '@keelson/kit/param.ts';
import { Problem } from '@keelson/kit/problem.ts';
import { queryShape } from '@keelson/kit/validate.ts';
import { z } from 'zod';
import type { Route } from './route.ts';
import type { Surface } from './surface.ts';

/** The schema of a route's successful JSON response, or undefined if the response is not JSON. */
export const answerShape = memoize((route: Route): z.ZodType | undefined => {
  const { returns, surface } = route;
  switch (returns.kind) {
    case 'item':
    case 'added':
      return itemShape(route, returns.shape ?? z.unknown());
    case 'flat':
      return returns.shape;
    case 'all':
      return described(surface.all(returns.key, [returns.shape]));
    case 'list':
      return described(
        surface.list(returns.key, [returns.shape], { page: 1, size: 1, total: 1, capped: cappedOf(route) }),
      );
    case 'nothing': {
      const { body } = surface.removed({ id: 1 }, returns.key || undefined);
      return body === undefined ? undefined : described(body);
    }
    case 'file':
    case 'stored':
    case 'asset':
    case 'page':
    case 'framed':
    case 'stream':
      return undefined;
  }
});

/** Only searchable lists can be too long to count. */
function cappedOf({ query }: Route): z.ZodType | undefined {
  const shape = queryShape(query)?.shape ?? {};
  return Object.values(shape).some((each) => isSearch(each)) ? z.literal(true).optional() : undefined;
}

/** Returns the schema of a surface's error responses. `extra` adds members specific to one kind of error. */
export function problemShape(surface: Surface<any>, extra: Readonly<Record<string, unknown>> = {}): z.ZodType {
  return described(surface.problem(new Problem('signed-out', 'x', { extra: { ...extra } })).body);
}

// The helpdesk's POST adds a member to the record, so the surface receives the object's members, not its schema.
function itemShape(route: Route, shape: z.ZodType): z.ZodType {
  if (shape instanceof z.ZodUnion) return z.union(shape.options.map((each) => itemShape(route, asType(each))));
  const members = shape instanceof z.ZodObject && !isOpen(shape) ? shape.shape : shape;
  return described(route.surface.item(route.method.toUpperCase(), members), { members, shape });
}

/** Returns true if other code may add members, such as result types of a search. */
function isOpen({ def: { catchall } }: z.ZodObject): boolean {
  return catchall !== undefined && !(catchall instanceof z.ZodNever || catchall instanceof z.ZodUnknown);
}

function asType(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodType) return schema;
  throw new Error('Responses must be described with zod, not zod/mini');
}

/** Derives a schema from a sample value. A record the surface passed through unchanged keeps its own schema. */
function described(sample: unknown, record?: { readonly members: unknown; readonly shape: z.ZodType }): z.ZodType {
  if (sample instanceof z.ZodType) return sample;
  if (record && sample === record.members) return record.shape;
  if (Array.isArray(sample)) return z.array(described(sample[0], record));
  if (typeof sample === 'boolean') return z.literal(sample);
  if (typeof sample === 'number') return z.int();
  if (typeof sample === 'string') return z.string();
  if (typeof sample !== 'object' || sample === null) return z.unknown();
  return z.object(Object.fromEntries(Object.entries(sample).map(([name, value]) => [name, described(value, record)])));
}
