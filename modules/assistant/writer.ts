// Makes an answer of what was found: the language model where one is configured and well, and otherwise a quotation. Both
// are writers, and neither changes anything.
import type { Context } from '@keelson/core';
import { quoteBest } from './quotation.ts';
import { askModel } from './model/model.ts';
import type { Passage } from './passages.ts';

export interface Turn {
  readonly by: 'user' | 'assistant';
  readonly message: string;
}

/** A question and what it may be answered from. */
export interface Asked {
  readonly message: string;
  readonly words: readonly string[];
  /** What was said before, oldest first. */
  readonly history: readonly Turn[];
  /** The best first; at least one. */
  readonly passages: readonly Passage[];
  /** Whose tokens are used; null for visitors of websites. */
  readonly company_number: number | null;
}

export interface Written {
  readonly message: string;
  /** It suggests that the person makes a ticket of the conversation. */
  readonly proposesTicket: boolean;
}

/** Undefined when it has no answer: another one writes it then. */
export type Writer = (ctx: Context, asked: Asked) => Promise<Written | undefined>;

/** In this order; the last one always has an answer. */
const writers: readonly Writer[] = [askModel, quoteBest];

export async function writeAnswer(ctx: Context, asked: Asked): Promise<Written> {
  for (const writer of writers) {
    const written = await writer(ctx, asked);
    if (written) return written;
  }
  throw new Error('Without a passage there is nothing to write');
}
