// Texts that the chat assistants answer from. Whichever plugin keeps such texts declares a source of them.
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
   * Some texts in which one of the words occurs, likely ones first, at most `limit`: only what every stranger may read,
   * for visitors of websites ask (W-06). The words are in small letters and without endings. Must not cost more with
   * more texts.
   */
  forEverybody(
    ctx: Context,
    question: { readonly words: readonly string[]; readonly limit: number },
  ): Promise<readonly AnswerText[]>;
}

/** Declares texts for the assistants, among the plugin's `answerSources`. */
export function answerSource(name: string, forEverybody: AnswerSource['forEverybody']): AnswerSource {
  return Object.freeze({ name, forEverybody });
}
