// The most expensive requests we could think of: for every route, the worst value of each parameter and field, one at a
// time, from the reference that the running app serves.
import type { TestApp } from '@keelson/testing';
import { describeSurface } from '../../core/http/openapi/openapi.ts';
import { pathForm } from '../../core/plugin/route/path-template.ts';
import type { Route } from '../../core/plugin/route/route.ts';

export interface WorstRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: string;
}

export interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

/** Texts that are slow to search for, truncated to the parameter's limit. */
export const worstTexts: readonly string[] = [
  // One word with many spelling variants.
  `${'x'.repeat(250)}éàüö`,
  // Words that share a prefix with the stored texts and differ in their last letter.
  Array.from('abcdef', (each) => 'é'.repeat(39) + each).join(' '),
  Array.from('abcdefghijklmnopqrstuvwxyz', (each) => each).join(' '),
  'a'.repeat(255),
  'e',
  '%_'.repeat(127),
  '%a'.repeat(127),
  // A single character that NFKC expands to eighteen.
  'ﷺ'.repeat(255),
];

/** Returns the worst requests to a route. @param ids values for its path parameters, in order */
export function worstRequests(app: TestApp, route: Route, ids: readonly (string | number)[]): WorstRequest[] {
  const operation = operationOf(app, route);
  const parameters = (operation?.parameters ?? []).filter((each) => each.in === 'query');
  const content = operation?.requestBody?.content;
  const { method, path } = { method: route.method.toUpperCase(), path: pathOf(route, ids) };
  const given = route.template.params.map(({ key }) => key);
  const free = parameters.filter(({ name }) => !given.includes(name) && !(name in route.template.select));
  const size = free.filter(({ name }) => name === 'limit' || name === 'per_page').map(({ name }) => `${name}=100`);
  const needed = free.filter((each) => each.required).map((each) => queriesOf(each)[0] ?? '');
  const around = [...size, ...needed];
  // The last value of a repeated parameter wins.
  const queries = [[], around, ...free.flatMap((each) => queriesOf(each).map((one) => [...around, one]))];
  const url = (query: readonly string[]) => {
    const text = query.join('&');
    return text ? `${path}${path.includes('?') ? '&' : '?'}${text}` : path;
  };
  if (method === 'GET') return queries.map((query) => ({ method, path: url(query) }));
  if (method === 'DELETE') return [{ method, path }];
  return bodiesOf(content?.['application/json']?.schema).map((body) => ({ method, path, body }));
}

export interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> };
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const described = new Map<unknown, Paths>();

/** Returns the reference's description of a route. */
export function operationOf(app: TestApp, { surface, path, template, method }: Route): Operation | undefined {
  const paths = described.get(surface) ?? ((describeSurface(app.app, surface).paths ?? {}) as Paths);
  described.set(surface, paths);
  return paths[pathForm(template, path)]?.[method];
}

function pathOf(route: Route, ids: readonly (string | number)[]): string {
  const left = ids.map((each) => encodeURIComponent(String(each)));
  const segments = route.template.segments.map((each) => each ?? left.shift() ?? '1');
  const select = Object.entries(route.template.select).map(([name, value]) => `${name}=${value}`);
  const own = route.template.params.filter((each) => each.from === 'query').map(({ key }) => `${key}=${left.shift()}`);
  const search = [...select, ...own].join('&');
  return `${route.surface.prefix}/${segments.join('/')}${search ? `?${search}` : ''}`;
}

/** Returns a parameter with each of its worst values. */
function queriesOf({ name, schema }: Parameter): string[] {
  return valuesOf(schema).map((value) => `${name}=${encodeURIComponent(String(value))}`);
}

function valuesOf(schema: Schema): readonly unknown[] {
  if (schema.enum) return schema.enum;
  if (schema.anyOf) return schema.anyOf.flatMap(valuesOf);
  if (schema.type === 'integer') return [1, schema.maximum ?? 9_007_199_254_740_991];
  if (schema.type === 'boolean') return [true, false];
  return [...worstTexts.map((each) => cut(each, schema.maxLength ?? 255)), '0001-01-01', '9999-12-31'];
}

function bodiesOf(schema: Schema | undefined): string[] {
  if (!schema) return ['{}'];
  const texts = ['é', 'ﷺ', 'a '];
  return texts.map((text) => JSON.stringify(fill(schema, text, 4)));
}

/** Returns a value as large as the schema allows. */
function fill(schema: Schema, text: string, depth: number): unknown {
  if (schema.enum) return schema.enum.at(-1);
  const [first] = schema.anyOf ?? [];
  if (first) return fill(first, text, depth);
  switch (schema.type ?? 'string') {
    case 'integer':
    case 'number':
      return Math.min(schema.maximum ?? 1, 5);
    case 'boolean':
      return true;
    case 'array':
      return Array.from({ length: Math.min(schema.maxItems ?? 500, 500) }, (_, i) =>
        schema.items?.type === 'integer' ? i + 1 : fill(schema.items ?? {}, text.slice(0, 1), 0),
      );
    case 'object':
      if (depth === 0) return {};
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, each]) => [name, fill(each, text, depth - 1)]),
      );
    default:
      return cut(text.repeat(65_535), depth === 0 ? 20 : (schema.maxLength ?? 255));
  }
}

function cut(text: string, length: number): string {
  return text.slice(0, length);
}
