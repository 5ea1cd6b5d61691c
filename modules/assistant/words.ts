// Extracts keywords for comparing questions with articles.
import { isStopWord } from '@keelson/core/search';

/** Generic words that a matching text need not contain. */
const weakWords =
  'set setup configure install new change make add create use open start find work working problem issue question trouble fix error login fail failing broken slow';

const WEAK = 0.25;

/** Returns the weight of a keyword, up to 1. */
export const weightOf = (word: string): number => (weak.has(word) ? WEAK : 1);

/** Returns the distinct keywords of a text: lower case, without accents, stop words and common endings. */
export function keywordsOf(text: string): string[] {
  const words = allWordsOf(text).filter((word) => word.length > 1 && !isStopWord(word));
  return [...new Set(words.map(stemOf))];
}

/** Returns all words of a text in their order: lower case, without accents and apostrophes. */
export function allWordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/\p{M}|['’]/gu, '')
    .toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** `printers` and `printing` become `printer` and `print`; a stem has at least four letters. */
function stemOf(word: string): string {
  const stem = word.replace(/(?:ings?|ed|e?s)$/, '');
  return stem.length >= 4 ? stem : word;
}

const weak: ReadonlySet<string> = new Set(keywordsOf(weakWords));
