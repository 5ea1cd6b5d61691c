// Which text answers a question best: deterministic, so that the same question has the same answer (W-05).
import type { AnswerText } from '@keelson/core';
import { tellingWords } from './words.ts';

const IN_TITLE = 3;
/** Below this part of the question's words a text is about something else. */
const ENOUGH = 0.5;
const QUOTED = 400;

/** The texts that fit the question's words, best first. */
export function rank(texts: readonly AnswerText[], words: readonly string[]): AnswerText[] {
  const scored = texts.map((each) => ({ each, ...fit(each, words) }));
  return scored
    .filter(({ part }) => part >= ENOUGH)
    .toSorted((a, b) => b.score - a.score || (a.each.title < b.each.title ? -1 : 1))
    .map(({ each }) => each);
}

/** The paragraph that answers best, at most 400 characters of it. */
export function quote({ text }: AnswerText, words: readonly string[]): string {
  const paragraphs = text
    .split(/\n\s*\n/)
    .map((each) => each.trim())
    .filter(Boolean);
  const hits = (paragraph: string) => matches(new Set(tellingWords(paragraph)), words).length;
  const best = paragraphs.reduce((most, each) => (hits(each) > hits(most) ? each : most), paragraphs[0] ?? '');
  if (best.length <= QUOTED) return best;
  return `${best.slice(0, QUOTED).replace(/\s+\S*$/, '')} …`;
}

function fit({ title, text }: AnswerText, words: readonly string[]): { score: number; part: number } {
  const inTitle = matches(new Set(tellingWords(title)), words);
  const inText = matches(new Set(tellingWords(text)), words);
  const found = new Set([...inTitle, ...inText]);
  return { score: inTitle.length * IN_TITLE + inText.length, part: found.size / Math.max(1, words.length) };
}

function matches(known: ReadonlySet<string>, words: readonly string[]): string[] {
  return words.filter((word) => known.has(word));
}
