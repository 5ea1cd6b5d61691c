// The words of records: what the index stores of them, and what a search finds before the index has it.
import { wordsIn } from '../kit/normal.ts';
import type { Context } from '../plugin/context.ts';
import { LONGEST_WORD } from './entities.ts';
import { weights, type Searchable, type SearchTexts } from './searchable.ts';

/** Of one record: a very long text must not fill the index. */
const MOST_WORDS = 300;

/** Each word, and the largest weight of the texts in which it occurs. */
export type Words = ReadonlyMap<string, number>;

type AnyRow = Readonly<Record<string, unknown>>;

/** A text that is nothing but a telephone number is found by its digits alone as well. */
const number = /^[+(\d][\d\s()./-]{4,}$/;

/** The words of rows of a table, by key. Deleted rows have none. */
export async function wordsOf(
  ctx: Context,
  of: Searchable,
  rows: readonly AnyRow[],
): Promise<ReadonlyMap<number, Words>> {
  const living = rows.filter((each) => (each['deleted_at'] ?? null) === null);
  const more = living.length === 0 ? undefined : await of.options.texts?.(ctx, living);
  return new Map(living.map((row) => [Number(row[of.table.primary]), rowWords(of, row, more?.(row) ?? {})]));
}

function rowWords({ columns }: Searchable, row: AnyRow, { name = [], main = [], more = [] }: SearchTexts): Words {
  const texts = [
    ...columns.map(([column, weight]) => [textOf(row[column]), weight] as const),
    ...name.map((each) => [each, weights.name] as const),
    ...main.map((each) => [each, weights.main] as const),
    ...more.map((each) => [each, weights.more] as const),
  ].toSorted(([, a], [, b]) => b - a);
  const words = new Map<string, number>();
  for (const [text, weight] of texts) {
    const digits = number.test(text) ? [text.replace(/\D+/g, '')] : [];
    const room = MOST_WORDS - words.size;
    if (room <= 0) break;
    // The weightiest texts come first, so a word has its largest weight already.
    for (const each of [...digits, ...wordsIn(text, { most: MOST_WORDS, longest: LONGEST_WORD })])
      if (words.size < MOST_WORDS && !words.has(each)) words.set(each, weight);
  }
  return words;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
