// Ranks texts by how well they answer a question. Deterministic: the same question gets the same answer (W-05).
import { keywordsOf, weightOf } from './words.ts';

interface Text {
  readonly title: string;
  readonly text: string;
}

const TITLE_WEIGHT = 3;
/** Minimum share of the question's keywords in a text; slightly lower if the title contains one. */
const MIN_COVERAGE = 0.6;
const MIN_BY_TITLE = 0.4;
const MAX_QUOTE = 400;

/** Returns the texts that answer a question with these keywords, best first. */
export function rank<T extends Text>(texts: readonly T[], words: readonly string[]): T[] {
  const scored = texts.map((text) => ({ text, ...score(text, words) }));
  return scored
    .filter(({ coverage, titled }) => coverage >= (titled ? MIN_BY_TITLE : MIN_COVERAGE))
    .toSorted((a, b) => b.score - a.score || (a.text.title < b.text.title ? -1 : 1))
    .map(({ text }) => text);
}

/** Returns the best paragraph with the ones after it that fit, as steps follow their introduction; 400 characters at most. */
export function quote({ text }: Text, words: readonly string[]): string {
  const paragraphs = text
    .split(/\n\s*\n/)
    .map((each) => each.trim())
    .filter(Boolean);
  const hits = (paragraph: string) => matches(new Set(keywordsOf(paragraph)), words).length;
  const counts = paragraphs.map(hits);
  const [best = '', ...rest] = paragraphs.slice(counts.indexOf(Math.max(...counts)));
  if (best.length <= MAX_QUOTE) return withNext(best, rest);
  return `${best.slice(0, MAX_QUOTE).replace(/\s+\S*$/, '')} …`;
}

function withNext(quoted: string, [next, ...rest]: readonly string[]): string {
  const longer = `${quoted}\n\n${next}`;
  return next === undefined || longer.length > MAX_QUOTE ? quoted : withNext(longer, rest);
}

interface Score {
  readonly score: number;
  /** The weighted share of the question's words that the text contains. */
  readonly coverage: number;
  /** The title contains a full-weight keyword of the question. */
  readonly titled: boolean;
}

function score({ title, text }: Text, words: readonly string[]): Score {
  const inTitle = matches(new Set(keywordsOf(title)), words);
  const inText = matches(new Set(keywordsOf(text)), words);
  const found = [...new Set([...inTitle, ...inText])];
  return {
    score: inTitle.length * TITLE_WEIGHT + inText.length,
    coverage: weigh(found) / Math.max(1, weigh(words)),
    titled: inTitle.some((word) => weightOf(word) === 1),
  };
}

const weigh = (words: readonly string[]): number => words.reduce((sum, word) => sum + weightOf(word), 0);

function matches(known: ReadonlySet<string>, words: readonly string[]): string[] {
  return words.filter((word) => known.has(word));
}
