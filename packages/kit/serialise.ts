// Serialisers copy exactly what a shape lists, so that no other column reaches a response. Custom, because the
// libraries cannot shorten timestamps (V-04): fast-json-stringify only produces text, and zod's parse takes longer (60
// µs per page of 25 rows instead of 40) and would validate our own rows.
import { z } from 'zod';
import { memoize } from './memoize.ts';

type Serialise = (value: unknown) => unknown;

/** The conversion of a value. `write` is undefined if the value is copied as is. */
interface Node {
  readonly write: Serialise | undefined;
  /** The key may be missing. */
  readonly optional: boolean;
  /** Returns true if a value could match this shape. Used by unions. */
  readonly fits: (value: unknown) => boolean;
}

interface Field extends Node {
  readonly key: string;
}

/**
 * Compiles a function that copies what the shape describes. Timestamps lose their milliseconds, except for the shape
 * `z.iso.datetime({ precision: 3 })` (V-04). The function throws when a required key is missing, and validates nothing
 * else. @throws Error for an unsupported kind of shape
 */
export const compileSerialiser = memoize((shape: z.ZodType): Serialise => writerOf(shape) ?? ((value) => value));

/** Compiles the same function, but returns undefined for values copied as is, such as text and numbers. */
export function writerOf(shape: z.ZodType): Serialise | undefined {
  return compile(shape, '').write;
}

const anything = () => true;
const plain = (fits: (value: unknown) => boolean): Node => ({ write: undefined, optional: false, fits });
const ofType = (type: string) => plain((value) => typeof value === type);

function compile(schema: z.core.$ZodType, path: string): Node {
  if (schema instanceof z.ZodObject) return objectNode(schema, path);
  if (schema instanceof z.ZodArray) return arrayNode(compile(schema.element, `${path}[]`), path);
  if (schema instanceof z.ZodRecord) return recordNode(compile(schema.valueType, `${path}{}`), path);
  if (schema instanceof z.ZodOptional) return { ...compile(schema.unwrap(), path), optional: true };
  if (schema instanceof z.ZodNullable) return nullableNode(compile(schema.unwrap(), path));
  if (schema instanceof z.ZodReadonly || schema instanceof z.ZodNonOptional || schema instanceof z.ZodDefault) {
    return { ...compile(schema.unwrap(), path), optional: false };
  }
  if (schema instanceof z.ZodUnion) {
    return unionNode(
      schema.options.map((each, index) => compile(each, `${path}|${index}`)),
      path,
    );
  }
  if (schema instanceof z.ZodLiteral) return plain((value) => [...schema.values].some((each) => each === value));
  if (schema instanceof z.ZodEnum) return plain((value) => schema.options.some((each) => each === value));
  if (schema instanceof z.ZodISODateTime) return momentNode(schema._zod.def.precision === 3, path);
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return ofType('string');
  if (schema instanceof z.ZodNumber) return ofType('number');
  if (schema instanceof z.ZodBoolean) return ofType('boolean');
  if (schema instanceof z.ZodNull) return plain((value) => value === null);
  if (schema instanceof z.ZodUnknown || schema instanceof z.ZodAny) return plain(anything);
  throw new Error(`${path || 'The shape'}: responses cannot contain a zod ${schema._zod.def.type}`);
}

function objectNode(schema: z.ZodObject, path: string): Node {
  const fields = Object.entries(schema.shape).map(([key, each]): Field => ({
    key,
    ...compile(each, path ? `${path}.${key}` : key),
  }));
  const needed = fields.filter(({ optional }) => !optional);
  const rest = restOf(schema, path);
  const named = new Set(fields.map(({ key }) => key));
  return {
    optional: false,
    write: (value) => {
      if (!isObject(value)) throw new Error(`${path || 'The response'} must be an object`);
      const copied = copyEach(fields, value, path);
      return rest?.write ? { ...copied, ...(rest.write(others(value, named)) as object) } : copied;
    },
    fits: (value) => isObject(value) && !Array.isArray(value) && needed.every(({ key, fits }) => fits(value[key])),
  };
}

/** Extra members are copied only if `.catchall()` gives their shape, which z.looseObject() does not. */
function restOf(schema: z.ZodObject, path: string): Node | undefined {
  const { catchall } = schema._zod.def;
  if (!catchall || catchall instanceof z.ZodNever || catchall instanceof z.ZodUnknown) return undefined;
  return recordNode(compile(catchall, `${path}{}`), path);
}

type Row = Record<string, unknown>;

function others(value: Row, named: ReadonlySet<string>): Row {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !named.has(key)));
}

function copyEach(fields: readonly Field[], from: Row, path: string): Row {
  const to: Row = {};
  for (const { key, write, optional } of fields) {
    const value = from[key];
    if (value !== undefined) to[key] = write === undefined ? value : write(value);
    else if (!optional) throw new Error(`The response lacks ${path ? `${path}.` : ''}${key}`);
  }
  return to;
}

function arrayNode({ write }: Node, path: string): Node {
  return {
    optional: false,
    write: (value) => {
      if (!Array.isArray(value)) throw new Error(`${path || 'The response'} must be a list`);
      return write ? value.map((each: unknown) => write(each)) : value;
    },
    fits: Array.isArray,
  };
}

/** Record keys are untrusted input, so the copy has no prototype (ME-14). */
function recordNode({ write }: Node, path: string): Node {
  return {
    optional: false,
    write: (value) => {
      if (!isObject(value)) throw new Error(`${path || 'The response'} must be an object`);
      const to: Record<string, unknown> = Object.create(null);
      for (const [key, each] of Object.entries(value)) if (each !== undefined) to[key] = write ? write(each) : each;
      return to;
    },
    fits: (value) => isObject(value) && !Array.isArray(value),
  };
}

function nullableNode({ write, optional, fits }: Node): Node {
  return {
    optional,
    write: write && ((value) => (value === null ? null : write(value))),
    fits: (value) => value === null || fits(value),
  };
}

/** Uses the first branch that fits. Branches must differ in type or in the values of required keys. */
function unionNode(branches: readonly Node[], path: string): Node {
  const fits = (value: unknown) => branches.some((each) => each.fits(value));
  const optional = branches.some((each) => each.optional);
  if (branches.every(({ write }) => write === undefined)) return { write: undefined, optional, fits };
  return {
    optional,
    fits,
    write: (value) => {
      const branch = branches.find((each) => each.fits(value));
      if (!branch) throw new Error(`${path || 'The response'} matches no branch of its union`);
      return branch.write ? branch.write(value) : value;
    },
  };
}

function momentNode(withMilliseconds: boolean, path: string): Node {
  return {
    optional: false,
    write: (value) => {
      if (typeof value !== 'string') throw new Error(`${path || 'The response'} must be a timestamp`);
      return withMilliseconds ? value : `${value.slice(0, 19)}Z`;
    },
    fits: (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
