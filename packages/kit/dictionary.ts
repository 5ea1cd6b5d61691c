// Objects keyed by caller-supplied names. A plain object inherits `constructor`, `toString` and more, so looking up a
// caller's name in it may return a function.
declare const withoutPrototype: unique symbol;

/** An object without a prototype: it has only the names that were set. A `Map` works as well. */
export type Dictionary<V> = { readonly [name: string]: V } & { readonly [withoutPrototype]: true };

/** `Object.fromEntries` for caller-supplied names. For duplicate names the last value wins. */
export function dictionary<V>(entries: Iterable<readonly [string, V]>): Dictionary<V> {
  const result = Object.create(null);
  for (const [name, value] of entries) result[name] = value;
  return result;
}

/** Copies an object's own properties. */
export function dictionaryOf(value: unknown): Dictionary<unknown> {
  return dictionary(Object.entries(Object(value)));
}

const Bare = function Bare() {} as unknown as new () => Record<string, unknown>;
Bare.prototype = Object.freeze(Object.create(null));

/**
 * Creates an empty object that inherits nothing, for thousands of objects with the same names. V8 stores objects made
 * by `Object.create(null)` as hash tables, which cost several times as much.
 */
export function bareObject(): Record<string, unknown> {
  return new Bare();
}

const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Returns true if a name must not occur in a request body, such as `__proto__` (ME-14). */
export function isForbiddenName(name: string): boolean {
  return FORBIDDEN.has(name);
}
