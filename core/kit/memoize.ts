// What follows from a value that never changes, worked out once.

/**
 * A function that runs `make` once for each object and keeps the answer as long as the object: for what thousands of
 * requests would work out again from the same table, list or settings. `make` must depend on nothing else.
 */
export function memoize<From extends object, To>(make: (from: From) => To): (from: From) => To {
  const kept = new WeakMap<From, { readonly made: To }>();
  return (from) => {
    const known = kept.get(from);
    if (known) return known.made;
    const made = make(from);
    kept.set(from, { made });
    return made;
  };
}
