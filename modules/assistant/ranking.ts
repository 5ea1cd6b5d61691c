// Ranks texts by how well they answer a question. Deterministic: the same question has the same answer (W-05).
import { keywordsOf } from './words.ts';

interface Text {
  readonly title: string;
  readonly text: string;
}

const TITLE_WEIGHT = 3;
/** A text with a smaller part of the question's keywords is about something else. */
const MIN_COVERAGE = 0.5;
const MAX_QUOTE = 400;

/** The texts that answer a question with these keywords, best first. */
export function rank<T extends Text>(texts: readonly T[], words: readonly string[]): T[] {
  const scored = texts.map((text) => ({ text, ...score(text, words) }));
  return scored
    .filter(({ coverage }) => coverage >= MIN_COVERAGE)
    .toSorted((a, b) => b.score - a.score || (a.text.title < b.text.title ? -1 : 1))
    .map(({ text }) => text);
}

/** The best paragraph, cut to 400 characters. */
export function quote({ text }: Text, words: readonly string[]): string {
  const paragraphs = text
    .split(/\n\s*\n/)
    .map((each) => each.trim())
    .filter(Boolean);
  const hits = (paragraph: string) => matches(new Set(keywordsOf(paragraph)), words).length;
  const best = paragraphs.reduce((most, each) => (hits(each) > hits(most) ? each : most), paragraphs[0] ?? '');
  if (best.length <= MAX_QUOTE) return best;
  return `${best.slice(0, MAX_QUOTE).replace(/\s+\S*$/, '')} …`;
}

function score({ title, text }: Text, words: readonly string[]): { score: number; coverage: number } {
  const inTitle = matches(new Set(keywordsOf(title)), words);
  const inText = matches(new Set(keywordsOf(text)), words);
  const found = new Set([...inTitle, ...inText]);
  return { score: inTitle.length * TITLE_WEIGHT + inText.length, coverage: found.size / Math.max(1, words.length) };
}

function matches(known: ReadonlySet<string>, words: readonly string[]): string[] {
  return words.filter((word) => known.has(word));
}
