// Memoization by object identity.

/**
 * A function that runs `compute` once for each object and keeps the result as long as the object lives. It is for what
 * thousands of requests would compute again from the same table, list or settings; `compute` must depend on nothing
 * else.
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
