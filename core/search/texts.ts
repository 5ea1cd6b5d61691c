// Extracts the words of records, for the index and for searches of records not indexed yet.
import { cutTo } from '@keelson/kit/characters.ts';
import { codeOf, folded, runsIn, withoutUmlauts, withoutZeros, withUmlauts } from '@keelson/kit/normal.ts';
import type { Context } from '../plugin/context.ts';
import { LONGEST_WORD } from './entities.ts';
import { weights, type Depth, type Searchable, type SearchTexts } from './searchable.ts';

/** Maximum words per record, so that a very long text does not fill the index. */
const MOST_WORDS = 300;

/** Each word with the largest weight of the texts in which it occurs. */
export type Words = ReadonlyMap<string, number>;

type AnyRow = Readonly<Record<string, unknown>>;

/** Text that is just a phone number is also found by its digits alone. */
const number = /^[+(\d][\d\s()./-]{4,}$/;

/** A code in several pieces: `ZZ-98-76-YX`, `0a:1b:2c:3d:4e:5f`. */
const code = /^(?=.*\d)[a-z0-9]+(?:[-:._/][a-z0-9]+){1,15}$/i;

/** Words that hyphens or apostrophes join, in folded text: `o'brien`, `wi-fi`, `inv-000042`. */
const joined = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)+/gu;
const mac = /(?<![0-9a-f])(?:[0-9a-f]{2}(?:[:-][0-9a-f]{2}){5}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2})(?![0-9a-f])/g;
const apostrophes = /[’‘ʼʻ´`′]/g;
const hyphens = /[‐‑]/g;

/** A number padded with zeros at the end of a code: `INV-000042`. */
const padded = /(?<!\d)0\d\d+$/;

/** Longer ones are identifiers that nobody types. */
const LONGEST_JOINED = 40;
/** Maximum joined words per text, so that they do not displace its other words. */
const MOST_JOINED = 30;

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
    const known = cutTo(word, LONGEST_WORD);
    // Texts are sorted by weight, so a known word already has its largest weight.
    if (words.size < MOST_WORDS && !words.has(known)) words.set(known, weight);
  };
  for (const [text, weight] of texts) {
    if (words.size >= MOST_WORDS) break;
    if (number.test(text)) add(text.replace(/\D+/g, ''), weight);
    else for (const each of codesIn(text)) add(each, weight);
    for (const each of runsIn(text)) add(each, weight);
    for (const each of withoutUmlauts(text)) add(each, weight);
    // Names are also written without umlauts by those who have them; in other texts that would only add words.
    if (weight === weights.name) for (const each of withUmlauts(text)) add(each, weight);
  }
  return words;
}

/** Returns codes and joined words without their separators: people type and paste them with or without. */
function codesIn(text: string): string[] {
  if (code.test(text)) return [codeOf(text), ...unpadded(text)];
  const plain = folded(text.replace(apostrophes, "'").replace(hyphens, '-'));
  const macs = plain.match(mac) ?? [];
  const words = plain.match(joined)?.filter((each) => each.length <= LONGEST_JOINED && /\p{L}/u.test(each)) ?? [];
  const found = [...macs, ...words].slice(0, MOST_JOINED).flatMap((each) => [codeOf(each), ...unpadded(each)]);
  return [...found, ...unpadded(text)];
}

/** `INV-000042` is also found as `inv42`, and by the words of `inv-42`. */
function unpadded(text: string): string[] {
  const [zeros] = text.length <= LONGEST_JOINED ? (padded.exec(text) ?? []) : [];
  return zeros === undefined ? [] : [codeOf(withoutZeros(text)), withoutZeros(zeros)];
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(' ');
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
