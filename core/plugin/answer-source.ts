// Texts that the chat assistants answer from. A plugin that has such texts declares a source of them.
import type { Context } from './context.ts';

/** An article, as plain text. */
export interface AnswerText {
  readonly title: string;
  readonly text: string;
}

export interface AnswerSource {
  /** `kb.articles`: the plugin's id, a dot, what it is. */
  readonly name: string;
  /**
   * At most `limit` texts in which one of the words occurs, the most relevant first. Only public ones, because visitors of
   * websites ask (W-06). The words are lower-case stems. The cost must not grow with the number of texts.
   */
  forEverybody(
    ctx: Context,
    question: { readonly words: readonly string[]; readonly limit: number },
  ): Promise<readonly AnswerText[]>;
}

/** Declares texts for the assistants; put it among the plugin's `answerSources`. */
export function answerSource(name: string, forEverybody: AnswerSource['forEverybody']): AnswerSource {
  return Object.freeze({ name, forEverybody });
}
