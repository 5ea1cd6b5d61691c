// Replies to small talk.
import { keywordsOf } from './words.ts';

const THANKS = /\b(?:thanks?|thx)\b/i;

const peopleWords: ReadonlySet<string> = new Set(
  keywordsOf('person people human somebody someone agent staff phone call callback contact'),
);

/** Returns the reply to a message without keywords. */
export function smallTalk(message: string): string {
  if (THANKS.test(message)) return 'You are welcome. Is there anything else?';
  return 'How can we help? A short description is enough.';
}

export function wantsPerson(words: readonly string[]): boolean {
  return words.some((word) => peopleWords.has(word));
}
