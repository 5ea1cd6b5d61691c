/**
 * Does `work` for each item, one after the other. An item that fails does not keep the others from their turn.
 * @param nameOf what the error calls an item
 * @throws AggregateError at the end, which names the items that failed and why
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
