// Extracts the words of records, for the index and for searches of records not indexed yet.
import { cut, folded, runsIn } from '../kit/normal.ts';
import type { Context } from '../plugin/context.ts';
import { LONGEST_WORD } from './entities.ts';
import { weights, type Depth, type Searchable, type SearchTexts } from './searchable.ts';

/** Words per record: a very long text must not fill the index. */
const MOST_WORDS = 300;

/** Each word with the largest weight of the texts in which it occurs. */
export type Words = ReadonlyMap<string, number>;

type AnyRow = Readonly<Record<string, unknown>>;

/** A text that is only a telephone number is also found by its digits alone. */
const number = /^[+(\d][\d\s()./-]{4,}$/;

/** A code in several pieces: `ZZ-98-76-YX`, `0a:1b:2c:3d:4e:5f`. */
const code = /^(?=.*\d)[a-z0-9]+(?:[-:._/][a-z0-9]+){1,15}$/i;

/** Returns the words of a table's rows, by key. Deleted rows have none. */
export async function wordsOf(
  ctx: Context,
  of: Searchable,
  rows: readonly AnyRow[],
): Promise<ReadonlyMap<number, Words>> {
  const living = rows.filter((each) => (each['deleted_at'] ?? null) === null);
  const more = living.length === 0 ? undefined : await of.options.texts?.(ctx, living);
  return new Map(living.map((row) => [Number(row[of.table.primary]), rowWords(of, row, more?.(row) ?? {})]));
}

/** Formats words as the index stores them: ` printer does not start `, or an empty string for none. */
export function storedTexts(words: Words): Readonly<Record<Depth, string>> {
  const texts = { name: '', main: '', more: '' };
  for (const [word, weight] of words) {
    const depth = weight === weights.name ? 'name' : weight === weights.main ? 'main' : 'more';
    texts[depth] += texts[depth] === '' ? ` ${word} ` : `${word} `;
  }
  return texts;
}

function rowWords({ columns }: Searchable, row: AnyRow, { name = [], main = [], more = [] }: SearchTexts): Words {
  const texts = columns.map(([column, weight]) => [textOf(row[column]), weight] as const);
  for (const each of name) texts.push([each, weights.name]);
  for (const each of main) texts.push([each, weights.main]);
  for (const each of more) texts.push([each, weights.more]);
  texts.sort(([, a], [, b]) => b - a);
  const words = new Map<string, number>();
  const add = (word: string, weight: number) => {
    const known = cut(word, LONGEST_WORD);
    // Texts are sorted by weight, so a known word already has its largest weight.
    if (words.size < MOST_WORDS && !words.has(known)) words.set(known, weight);
  };
  for (const [text, weight] of texts) {
    if (words.size >= MOST_WORDS) break;
    if (number.test(text)) add(text.replace(/\D+/g, ''), weight);
    // Serial numbers and MAC addresses are typed and pasted with or without their separators.
    else if (code.test(text)) add(folded(text).replace(/[^a-z0-9]+/g, ''), weight);
    for (const each of runsIn(text)) add(each, weight);
  }
  return words;
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
