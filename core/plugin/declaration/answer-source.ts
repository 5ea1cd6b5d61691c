// Answer sources: texts that chat assistants answer from, declared by plugins.
import type { Context } from '../context.ts';

/** An article as plain text. */
export interface AnswerText {
  readonly title: string;
  readonly text: string;
}

export interface AnswerSource {
  /** Plugin id, a dot and a name: `kb.articles`. */
  readonly name: string;
  /**
   * Returns at most `limit` texts that contain one of the words, most relevant first. Only public texts may be
   * returned, because website visitors use the assistant (W-06). Words are lower-case stems. The cost must not grow
   * with the number of texts.
   */
  forEverybody(
    ctx: Context,
    question: { readonly words: readonly string[]; readonly limit: number },
  ): Promise<readonly AnswerText[]>;
}

/** Declares an answer source. List it in the plugin's `answerSources`. */
export function answerSource(name: string, forEverybody: AnswerSource['forEverybody']): AnswerSource {
  return Object.freeze({ name, forEverybody });
}
