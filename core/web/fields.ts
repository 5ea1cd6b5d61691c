// What pages made from declarations, and forms, know of an operation's fields: from the same shapes as the documents.
import { z } from 'zod';
import { memoize } from '../kit/memoize.ts';
import { queryShape } from '../kit/validate.ts';
import type { Route } from '../plugin/route.ts';

/** A field as the browser knows it. */
export interface Field {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'unknown';
  readonly title?: string;
  readonly description?: string;
  readonly enum?: readonly (string | number)[];
  readonly format?: string;
  readonly maxLength?: number;
  readonly nullable?: true;
  /** Of the rows in a list within the record. */
  readonly fields?: Fields;
  /** Those of them that must be given. */
  readonly required?: readonly string[];
}
export type Fields = Readonly<Partial<Record<string, Field>>>;

/** The body of an operation: limits and kinds of its fields, and those that must be given. */
export interface BodyFields {
  readonly fields: Fields;
  readonly required: readonly string[];
}

/** The fields of the record, or of a row of the list, that the operation answers. */
export const answerFields = memoize((route: Route): Fields => fieldsOf(route.returns.shape, 'output').fields);

/** The query parameters of the operation besides those in its line and those of its pages. */
export const queryFields = memoize(({ query, surface }: Route): Fields => {
  const { fields } = fieldsOf(queryShape(query), 'input');
  const paging = ['page', ...surface.pageSize.names];
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !paging.includes(name)));
});

/** The body's fields; without any where there is no body. */
export const bodyFields = memoize((route: Route): BodyFields => fieldsOf(route.body, 'input'));

interface Schema {
  readonly type?: string;
  readonly const?: string | number;
  readonly enum?: readonly (string | number)[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Partial<Record<string, Schema>>>;
  readonly required?: readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly maxLength?: number;
}

function fieldsOf(shape: z.ZodType | undefined, io: 'input' | 'output'): BodyFields {
  if (!shape) return { fields: {}, required: [] };
  const schema = merged(z.toJSONSchema(shape, { io, unrepresentable: 'any', reused: 'inline' }) as Schema);
  return { fields: membersOf(schema), required: schema.required ?? [] };
}

/** Of several shapes, such as those of a body, a page can offer all members, and needs what each of them needs. */
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

function fieldOf(schema: Schema): Field {
  const options = (schema.anyOf ?? []).filter((each) => each.type !== 'null');
  const nullable = options.length < (schema.anyOf?.length ?? 0);
  // A moment may be written as a day, too: what counts is the richer of the two.
  const its = options.at(-1) ?? schema;
  const words = its.const === undefined ? its.enum : [its.const];
  const nested = its.type === 'array' && its.items?.properties ? membersOf(its.items) : undefined;
  return {
    type: its.type !== undefined && kinds.has(its.type) ? (its.type as Field['type']) : 'unknown',
    ...(schema.title !== undefined && { title: schema.title }),
    ...(schema.description !== undefined && { description: schema.description }),
    ...(words && { enum: words }),
    ...(its.format !== undefined && { format: its.format }),
    ...(its.maxLength !== undefined && { maxLength: its.maxLength }),
    ...(nullable && { nullable: true as const }),
    ...(nested && { fields: nested, required: its.items?.required ?? [] }),
  };
}
