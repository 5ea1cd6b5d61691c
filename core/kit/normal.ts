// Normal forms of texts: for comparing names, and for searching.

/** A name or address in the form that look-ups compare: NFKC, trimmed, lower-case (ME-10). */
export function normalised(value: string): string {
  return value.normalize('NFKC').trim().toLowerCase();
}

/** A text in the form that searches compare: lower-case and without accents (P-24). */
export function folded(text: string): string {
  // Most texts are ASCII, and normalising costs fifty times as much as this test.
  if (!/[^\0-\u007f]/.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[ßøæœđðłħŧþı]/g, (letter) => plainLetters.get(letter) ?? letter);
}

/** Letters that have no accent to take away. */
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
]);

/** The words that a search looks for: the first 8 different ones, each cut to 40 characters (P-24). */
export function searchedWords(text: string): string[] {
  return wordsIn(text.replaceAll(DOTTED, '$1$2$3'), { most: 8, longest: 40 });
}

/** A MAC address as switches write it: `0a1b.2c3d.4e5f`. The index has it without separators. */
const DOTTED = /\b([0-9a-f]{4})\.([0-9a-f]{4})\.([0-9a-f]{4})\b/gi;

export interface WordBounds {
  readonly most?: number;
  /** Characters of a word; longer ones are cut. */
  readonly longest: number;
}

/** The different words of a text, folded: runs of letters and digits; everything else separates words (P-24). */
export function wordsIn(text: string, { most = Infinity, longest }: WordBounds): string[] {
  const words = new Set<string>();
  for (const each of runsIn(text)) {
    words.add(cut(each, longest));
    if (words.size === most) break;
  }
  return [...words];
}

/** The words of a text, folded, each as often as it occurs and as long as it is. */
export function runsIn(text: string): readonly string[] {
  const plain = folded(text);
  return plain.match(ASCII.test(plain) ? ASCII_WORDS : WORDS) ?? [];
}

/** The first characters of a word, without cutting one into halves. */
export function cut(word: string, longest: number): string {
  return word.length <= longest ? word : Array.from(word).slice(0, longest).join('');
}

const WORDS = /[\p{L}\p{N}]+/gu;
/** Most texts are ASCII, for which this is several times as quick. */
const ASCII = /^[\0-\u007f]*$/;
const ASCII_WORDS = /[a-z0-9]+/g;
