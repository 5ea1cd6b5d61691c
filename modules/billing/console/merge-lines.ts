// Lines that are edited while colleagues change the stored ones.
import type { DraftLine } from './line-sums.ts';

/** Whether two lines, or lists of lines, have the same content. */
export const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/**
 * Returns the lines of a form after the stored ones changed. Lines that were edited in the form stay as they are,
 * unless they were removed meanwhile: the work they bill may already be on another invoice.
 * @param edited the lines in the form
 * @param before the stored lines that the form began with
 * @param now the stored lines
 */
export function mergeLines(
  edited: readonly DraftLine[],
  before: readonly DraftLine[],
  now: readonly DraftLine[],
): DraftLine[] {
  const known = new Map(before.map((each) => [each.key, each]));
  const stored = new Map(now.map((each) => [each.key, each]));
  const kept = edited.flatMap((line) => {
    const was = known.get(line.key);
    if (!was) return line;
    const current = stored.get(line.key);
    if (!current) return [];
    return same(line, was) ? current : line;
  });
  return [...kept, ...now.filter(({ key }) => !known.has(key))];
}
