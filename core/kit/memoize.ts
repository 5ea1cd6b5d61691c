// Memoization by object identity.

/**
 * Returns a function that runs `compute` once per object and keeps the result as long as the object lives. Use it for
 * results that thousands of requests would recompute from the same table, list or settings. `compute` must not depend
 * on anything else.
 */
export function memoize<From extends object, To>(compute: (from: From) => To): (from: From) => To {
  const results = new WeakMap<From, { readonly result: To }>();
  return (from) => {
    const known = results.get(from);
    if (known) return known.result;
    const result = compute(from);
    results.set(from, { result });
    return result;
  };
}
