// Objects keyed by names that callers choose. An ordinary object inherits `constructor`, `toString` and more, so looking
// up a caller's name in it may find a function.
declare const withoutPrototype: unique symbol;

/** An object without a prototype: it has the names it was given and no others. A `Map` serves as well. */
export type Dictionary<V> = { readonly [name: string]: V } & { readonly [withoutPrototype]: true };

/** `Object.fromEntries` for names that callers choose; when a name comes twice the last value wins. */
export function dictionary<V>(entries: Iterable<readonly [string, V]>): Dictionary<V> {
  const result = Object.create(null);
  for (const [name, value] of entries) result[name] = value;
  return result;
}

/** A copy of an object's own properties. */
export function dictionaryOf(value: unknown): Dictionary<unknown> {
  return dictionary(Object.entries(Object(value)));
}

const Bare = function Bare() {} as unknown as new () => Record<string, unknown>;
Bare.prototype = Object.freeze(Object.create(null));

/**
 * An empty object that inherits nothing, for thousands that get the same names: V8 keeps those of `Object.create(null)` as
 * hash tables, which cost several times as much.
 */
export function bareObject(): Record<string, unknown> {
  return new Bare();
}

const FORBIDDEN: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether a name must not occur in a body, such as `__proto__` (ME-14). */
export function isForbiddenName(name: string): boolean {
  return FORBIDDEN.has(name);
}
