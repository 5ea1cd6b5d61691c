// Formats figures for the report of a test run.

/** Returns the quantile of the values for `share` (0 to 1). */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

/** Formats values as `median 610 ms, p95 820 ms, max 900 ms`. */
export function spread(values: readonly number[]): string {
  const [median, p95, most] = [0.5, 0.95, 1].map((share) => Math.round(quantile(values, share)));
  return `median ${median} ms, p95 ${p95} ms, most ${most} ms`;
}
