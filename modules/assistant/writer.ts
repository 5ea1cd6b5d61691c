// Composes an answer from the passages: by the language model if configured and available, otherwise as a quotation.
// Both are writers, and neither has side effects.
import type { Context } from '@keelson/core';
import { askModel } from './model/model.ts';
import type { Passage } from './passages.ts';
import { quoteBest } from './quotation.ts';

export interface Turn {
  readonly by: 'user' | 'assistant';
  readonly message: string;
}

/** A question and the passages for answering it. */
export interface Asked {
  readonly message: string;
  readonly words: readonly string[];
  /** Previous messages, oldest first. */
  readonly history: readonly Turn[];
  /** Best first; at least one. */
  readonly passages: readonly Passage[];
  /** The company whose token budget is used; null for website visitors. */
  readonly company_number: number | null;
}

export interface Written {
  readonly message: string;
  /** Suggests creating a ticket from the conversation. */
  readonly proposesTicket: boolean;
}

/** Returns undefined when it has no answer; the next writer takes over. */
export type Writer = (ctx: Context, asked: Asked) => Promise<Written | undefined>;

/** In order of preference; the last one always has an answer. */
const writers: readonly Writer[] = [askModel, quoteBest];

export async function writeAnswer(ctx: Context, asked: Asked): Promise<Written> {
  for (const writer of writers) {
    const written = await writer(ctx, asked);
    if (written) return written;
  }
  throw new Error('No passage to quote');
}
