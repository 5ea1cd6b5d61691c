// Scores a word match: 3 points for a whole word, 2 for a prefix, 1 for a substring (C-27).
import type { Words } from './texts.ts';

export const WHOLE = 3;
export const BEGINNING = 2;
export const WITHIN = 1;

/** Returns the points of the best match among these words; 0 without one. */
export function pointsIn(words: Words, asked: string, weight: number): number {
  if ((words.get(asked) ?? 0) >= weight) return WHOLE;
  let best = 0;
  for (const [word, its] of words) {
    if (its < weight || best === BEGINNING) continue;
    if (word.startsWith(asked)) best = BEGINNING;
    else if (word.includes(asked)) best = WITHIN;
  }
  return best;
}

/** Returns the points for a text as the index stores it, ` printer does not start `; 0 for no text. */
export function pointsInText(stored: unknown, asked: string): number {
  if (typeof stored !== 'string') return 0;
  const at = stored.indexOf(asked);
  if (at === -1) return 0;
  if (stored.includes(` ${asked} `)) return WHOLE;
  return stored.includes(` ${asked}`) ? BEGINNING : WITHIN;
}
