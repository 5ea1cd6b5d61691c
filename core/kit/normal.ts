/** A name or address as look-ups compare it: NFKC, without outer blanks, lower-case (M10). */
export function normalised(value: string): string {
  return value.normalize('NFKC').trim().toLowerCase();
}

/** A text as searches compare it: lower-case and without accents (P-24). */
export function folded(text: string): string {
  // Most texts have no accents at all, and normalising costs fifty times as much as looking.
  if (!/[^\0-\u007f]/.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

/** What a search looks for: at most 8 different words, of 40 characters each (P-24). */
export function searchedWords(text: string): string[] {
  return wordsIn(text, { most: 8, longest: 40 });
}

export interface WordBounds {
  readonly most?: number;
  /** Longer words are cut. */
  readonly longest: number;
}

/** The different words of a text, folded: runs of letters and digits. All other signs only separate them (P-24). */
export function wordsIn(text: string, { most = Infinity, longest }: WordBounds): string[] {
  const words = new Set<string>();
  for (const [word] of folded(text).matchAll(/[\p{L}\p{N}]+/gu)) {
    words.add(Array.from(word).slice(0, longest).join(''));
    if (words.size === most) break;
  }
  return [...words];
}
