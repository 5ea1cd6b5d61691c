// What is keyed by names that callers choose. An ordinary object also has `constructor`, `toString` and all else that
// objects inherit: whoever asks it for a name of a caller's may get a function.
declare const withoutPrototype: unique symbol;

/** An object without a prototype: it has the names it was given and no others. A `Map` does as well. */
export type Dictionary<V> = { readonly [name: string]: V } & { readonly [withoutPrototype]: true };

/** `Object.fromEntries` for names that callers choose; of equal names the last counts. */
export function dictionary<V>(entries: Iterable<readonly [string, V]>): Dictionary<V> {
  const made = Object.create(null);
  for (const [name, value] of entries) made[name] = value;
  return made;
}

/** A copy of an object's own members. */
export function dictionaryOf(value: unknown): Dictionary<unknown> {
  return dictionary(Object.entries(Object(value)));
}
