// The texts of actions, filled in with what a run knows (ST-06, as mails are).
import { invalid, type Context } from '@keelson/core';
import { fillIn } from '@keelson/core/system';
import { namesIn, type Facts } from './facts.ts';

const LONGEST = 65_535;

/** @throws invalid() for words that cannot be filled in: too much of them */
export function filledIn(ctx: Context, facts: Facts, words: string, most = LONGEST): string {
  return cut(filled(ctx, facts, words).trim(), most);
}

/** A subject: one line, whatever the record has in it. */
export function oneLineOf(ctx: Context, facts: Facts, words: string, most: number): string {
  return cut(
    filled(ctx, facts, words)
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim(),
    most,
  );
}

function filled(ctx: Context, facts: Facts, words: string): string {
  try {
    return fillIn(words, { ...namesIn(ctx, facts) });
  } catch (error) {
    const [sentence] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw invalid(`The text cannot be filled in: ${sentence}`);
  }
}

// In bytes, as the column counts: never in the middle of a character.
function cut(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  return Buffer.from(text)
    .subarray(0, most - 3)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')
    .concat('…');
}
