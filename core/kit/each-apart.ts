// Runs work for a list of items, isolating failures.

/**
 * Runs `work` for each item in turn. A failing item does not stop the others.
 * @param nameOf returns an item's name for the error message
 * @throws AggregateError at the end, with the names of the failed items and the reasons
 */
export async function eachApart<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const failed: { readonly name: string; readonly error: unknown }[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      failed.push({ name: nameOf(item), error });
    }
  }
  if (failed.length === 0) return;
  const reasons = failed.map(({ name, error }) => `${name}: ${error instanceof Error ? error.message : String(error)}`);
  throw new AggregateError(
    failed.map(({ error }) => error),
    reasons.join('; '),
  );
}
