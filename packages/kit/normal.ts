// Normalises text for comparing names and for searching.
import { cutTo } from './characters.ts';
import { readAddress } from './ip.ts';

/** Normalises a name or address for look-ups: NFKC, lower-case, trimmed, with single spaces (ME-10). */
export function normalised(value: string): string {
  return value.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

/** Folds text for searching: lower-case and without accents (P-24). */
export function folded(text: string): string {
  // Most texts are ASCII, and normalising costs fifty times as much as this test.
  if (!/[^\0-\u007f]/.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[ßøæœđðłħŧþıʼʻ]/g, (letter) => plainLetters.get(letter) ?? letter);
}

/** Letters that NFKD does not decompose, and apostrophes that Unicode counts as letters. */
const plainLetters: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['ø', 'o'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ł', 'l'],
  ['ħ', 'h'],
  ['ŧ', 't'],
  ['þ', 'th'],
  ['ı', 'i'],
  ['ʼ', "'"],
  ['ʻ', "'"],
]);

/** Returns the search terms: the first 8 distinct words, each cut to 40 characters (P-24). */
export function searchedWords(text: string): string[] {
  const written = dialled(text)
    .replaceAll(DOTTED, '$1$2$3')
    .replaceAll(IPV6, (each) => readAddress(each) ?? each);
  return wordsIn(written, { most: 8, longest: 40 });
}

/** A phone number as it is dialled from abroad or from another area: `+49 30 1234`, `0049301234`, `(030) 1234`. */
const DIALLED = /^\s*(?:\+|\(?0)[\d\s()./-]{6,}$/;
/** Minimum digits of a number that remain without its country code. */
const TELLING_DIGITS = 6;
/** Digits by which a number is found that is written in one piece: country and area codes have no fixed length. */
const LAST_DIGITS = 8;

/**
 * Returns a phone number without its international prefix and country code or its leading zero, which the stored
 * number may lack: callers are shown as `+49301234567`, and their number is stored as `030 1234567`, or conversely.
 */
function dialled(text: string): string {
  if (!DIALLED.test(text)) return text;
  const international = /^\s*(?:\+|00)/;
  const plain = text.replace('(0)', ' ');
  if (!international.test(plain)) return plain.replace('0', '');
  const [country = '', ...rest] = plain.replace(international, '').match(/\d+/g) ?? [];
  if (rest.join('').length >= TELLING_DIGITS) return rest.join(' ');
  const digits = country + rest.join('');
  return digits.slice(-Math.min(LAST_DIGITS, Math.max(TELLING_DIGITS, digits.length - 3)));
}

/** A MAC address in switch notation: `0a1b.2c3d.4e5f`. The index stores it without separators. */
const DOTTED = /\b([0-9a-f]{4})\.([0-9a-f]{4})\.([0-9a-f]{4})\b/gi;

/** An IPv6 address, such as `2001:0DB8:0:0::0007`. The index stores the canonical form. */
const IPV6 = /(?<![\w:.])[\da-f]{0,4}:[\da-f]{0,4}:[\da-f:.]{0,35}(?![\w:.])/gi;

export interface WordBounds {
  readonly most?: number;
  /** Maximum characters per word; longer words are cut. */
  readonly longest: number;
}

/** Returns the distinct folded words of a text: runs of letters and digits (P-24). */
export function wordsIn(text: string, { most = Infinity, longest }: WordBounds): string[] {
  const words = new Set<string>();
  for (const each of runsIn(text)) {
    words.add(cutTo(each, longest));
    if (words.size === most) break;
  }
  return [...words];
}

/** Returns all folded words of a text, with duplicates and at full length. */
export function runsIn(text: string): readonly string[] {
  const plain = folded(text);
  return plain.match(ASCII.test(plain) ? ASCII_WORDS : WORDS) ?? [];
}

/** Returns the words of a text with umlauts as they are typed without them: `Müller` as `mueller`, `Ørsted` as `oersted`. */
export function withoutUmlauts(text: string): string[] {
  if (!UMLAUT.test(text)) return [];
  const words = text.normalize('NFC').match(UMLAUT_WORDS) ?? [];
  return words.map((each) => folded(each.replaceAll(UMLAUTS, (letter) => typedAs(folded(letter), letter))));
}

/** Returns the words of a text whose umlauts may be typed without them, as the umlaut is folded: `Mueller` as `muller`. */
export function withUmlauts(text: string): string[] {
  return runsIn(text).flatMap((each) => (TYPED_UMLAUT.test(each) ? each.replaceAll(TYPED_UMLAUTS, '$1') : []));
}

/** Typed with a second letter: `å` as `aa`, the others with an e. */
const typedAs = (plain: string, letter: string): string => (letter.toLowerCase() === 'å' ? 'aa' : `${plain}e`);

const UMLAUT = /[äöüøå]|[\u0308\u030a]/i;
const UMLAUTS = /[äöüøå]/gi;
const UMLAUT_WORDS = /[\p{L}\p{N}]*[äöüøå][\p{L}\p{N}]*/giu;
const TYPED_UMLAUT = /[aou]e|aa/;
const TYPED_UMLAUTS = /([aou])e|a(?=a)/g;

/** Returns a code without separators, folded: `INV-000002` becomes `inv000002`. */
export function codeOf(text: string): string {
  return folded(text).replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Returns a code without the zeros before its final number: `INV-000002` becomes `INV-2`. */
export function withoutZeros(code: string): string {
  return code.replace(/(?<!\d)0+(?=[1-9]\d*$)/, '');
}

const WORDS = /[\p{L}\p{N}]+/gu;
/** Most texts are ASCII, for which this is several times as fast. */
const ASCII = /^[\0-\u007f]*$/;
const ASCII_WORDS = /[a-z0-9]+/g;
