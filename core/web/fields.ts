// Field metadata of operations for generated pages and forms, from the same shapes as the OpenAPI documents.
import { memoize } from '@keelson/kit/memoize.ts';
import { queryShape } from '@keelson/kit/validate.ts';
import { z } from 'zod';
import type { Route } from '../plugin/route/route.ts';

/** A field as sent to the browser. */
export interface Field {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'unknown';
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly (string | number)[];
  /** What its numbers mean: `{ 1: 'Critical' }`. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The type of the record that it refers to, if its name does not tell. */
  readonly record?: string;
  /** The dropdown list with its values: `asset_types`. */
  readonly dropdown?: string;
  readonly format?: string;
  readonly maxLength?: number;
  readonly nullable?: true;
  /** The row fields of a list within the record. */
  readonly fields?: Fields;
  /** The required ones among them. */
  readonly required?: readonly string[];
}
export type Fields = Readonly<Partial<Record<string, Field>>>;

/** An operation's body: the types and limits of its fields, and the required ones. */
export interface BodyFields {
  readonly fields: Fields;
  readonly required: readonly string[];
}

/** Returns the fields of the record, or of a list row, that the operation returns. */
export const answerFields = memoize((route: Route): Fields => fieldsOf(route.returns.shape, 'output').fields);

/** Returns the operation's query parameters, except those in its path and for paging. */
export const queryFields = memoize(({ query, surface }: Route): Fields => {
  const { fields } = fieldsOf(queryShape(query), 'input');
  const paging = ['page', ...surface.pageSize.names];
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !paging.includes(name)));
});

/** Returns the body's fields. Empty if there is no body. */
export const bodyFields = memoize((route: Route): BodyFields => fieldsOf(route.body, 'input'));

/** Returns the fields of an object that a form asks for. */
export const inputFields = memoize((shape: z.ZodObject): BodyFields => fieldsOf(shape, 'input'));

interface Schema {
  /** Several for a union of plain types: `['number', 'null']`. */
  readonly type?: string | readonly string[];
  readonly const?: string | number;
  readonly enum?: readonly (string | number)[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Partial<Record<string, Schema>>>;
  readonly required?: readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly 'x-labels'?: Readonly<Record<string, string>>;
  readonly 'x-record'?: string;
  readonly 'x-dropdown'?: string;
  readonly format?: string;
  readonly maxLength?: number;
}

function fieldsOf(shape: z.ZodType | undefined, io: 'input' | 'output'): BodyFields {
  if (!shape) return { fields: {}, required: [] };
  const schema = merged(z.toJSONSchema(shape, { io, unrepresentable: 'any', reused: 'inline' }) as Schema);
  return { fields: membersOf(schema), required: schema.required ?? [] };
}

/** Merges alternative shapes of a body: all their members, and as required those that every shape requires. */
function merged(schema: Schema): Schema {
  const options = (schema.anyOf ?? schema.allOf ?? []).map(merged).filter((each) => each.properties);
  if (options.length === 0) return schema;
  const required = options.map((each) => new Set(each.required));
  const all = schema.allOf
    ? required.reduce((one, other) => one.union(other), new Set<string>())
    : required.reduce((one, other) => one.intersection(other));
  return { properties: Object.assign({}, ...options.map((each) => each.properties)), required: [...all] };
}

function membersOf({ properties = {} }: Schema): Fields {
  return Object.fromEntries(Object.entries(properties).map(([name, each = {}]) => [name, fieldOf(each)]));
}

const kinds: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean', 'array', 'object']);

interface Option extends Omit<Schema, 'type'> {
  readonly type: string | undefined;
}

/** The alternatives of a schema; those of an optional timestamp are within another alternative. */
const optionsOf = ({ anyOf, type, ...rest }: Schema): readonly Option[] =>
  anyOf?.flatMap(optionsOf) ?? [type].flat().map((each) => ({ ...rest, type: each }));

function fieldOf(schema: Schema): Field {
  const all = optionsOf(schema);
  const options = all.filter((each) => each.type !== 'null');
  const nullable = options.length < all.length;
  // A timestamp may also be given as a date. Use the richer type.
  const its: Option = options.at(-1) ?? { type: undefined };
  const words = its.const === undefined ? its.enum : [its.const];
  const labels = schema['x-labels'] ?? its['x-labels'];
  const record = schema['x-record'] ?? its['x-record'];
  const dropdown = schema['x-dropdown'] ?? its['x-dropdown'];
  const nested = its.type === 'array' && its.items?.properties ? membersOf(its.items) : undefined;
  return {
    type: its.type !== undefined && kinds.has(its.type) ? (its.type as Field['type']) : 'unknown',
    ...(schema.title !== undefined && { title: schema.title }),
    ...(schema.description !== undefined && { description: schema.description }),
    ...(words && { enum: words }),
    ...(labels && { labels }),
    ...(record !== undefined && { record }),
    ...(dropdown !== undefined && { dropdown }),
    ...(its.format !== undefined && { format: its.format }),
    ...(its.maxLength !== undefined && { maxLength: its.maxLength }),
    ...(nullable && { nullable: true as const }),
    ...(nested && { fields: nested, required: its.items?.required ?? [] }),
  };
}
