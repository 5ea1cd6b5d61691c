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

/**
 * Returns `compute` with one cached result per distinct arguments, which must be plain constants from the code. Meant
 * for schemas: hundreds of routes use the same few, and each takes time and memory to build.
 */
export function shareResults<Args extends readonly unknown[], Result>(
  make: (...args: Args) => Result,
): (...args: Args) => Result {
  const made = new Map<string, Result>();
  return (...args) => {
    const key = JSON.stringify(args);
    const known = made.get(key);
    if (known !== undefined) return known;
    const result = make(...args);
    made.set(key, result);
    return result;
  };
}
