// How well a word fits: 3 points for a whole word, 2 for the beginning of one, 1 for what stands within one (C-27).
import type { Words } from './texts.ts';

export const WHOLE = 3;
export const BEGINNING = 2;
export const WITHIN = 1;

/** The points of the best of these words; 0 when it occurs in none of them. */
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
