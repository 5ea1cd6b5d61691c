// Normal forms of texts: for comparing names, and for searching.

/** A name or address in the form that look-ups compare: NFKC, trimmed, lower-case (M10). */
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
    .toLowerCase();
}

/** The words that a search looks for: the first 8 different ones, each cut to 40 characters (P-24). */
export function searchedWords(text: string): string[] {
  return wordsIn(text, { most: 8, longest: 40 });
}

export interface WordBounds {
  readonly most?: number;
  /** Characters of a word; longer ones are cut. */
  readonly longest: number;
}

/** The different words of a text, folded: runs of letters and digits; everything else separates words (P-24). */
export function wordsIn(text: string, { most = Infinity, longest }: WordBounds): string[] {
  const words = new Set<string>();
  for (const [word] of folded(text).matchAll(/[\p{L}\p{N}]+/gu)) {
    words.add(Array.from(word).slice(0, longest).join(''));
    if (words.size === most) break;
  }
  return [...words];
}
