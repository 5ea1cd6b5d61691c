// Articles as answers to questions: for assistants, who ask in whole sentences.
import { answerSource, type Context, type EmployeeActor } from '@keelson/core';
import type { Filter } from '@keelson/core/list';
import { findByAnyWord } from '@keelson/core/search';
import { KbArticle } from './entities.ts';
import { plainText } from './excerpt.ts';
import { publicArticles, visibleArticles } from './visible.ts';

/** Of an article: an assistant quotes a paragraph of it. */
const LONGEST = 10_000;

/**
 * At most `limit` articles that answer a question best, best first.
 * @param visible which ones the caller may see: `visibleArticles(ctx)` of an employee, `publicArticles` of anybody
 */
export function articlesFor(
  ctx: Context,
  visible: readonly Filter[],
  text: string,
  limit: number,
): Promise<KbArticle[]> {
  return findByAnyWord(ctx, KbArticle, { text, where: visible, limit });
}

/** The same for a customer's person: nothing while the knowledge base is off for the company. */
export async function articlesForEmployee(
  ctx: Context<EmployeeActor>,
  text: string,
  limit: number,
): Promise<KbArticle[]> {
  if (!(await ctx.app.switches.enabled(ctx, ctx.actor.company_number, 'kb'))) return [];
  return articlesFor(ctx, visibleArticles(ctx), text, limit);
}

/** An article as assistants quote it: plain text, in paragraphs. */
export const answerTextOf = ({ title, content }: KbArticle) => ({ title, text: plainText(content, LONGEST) });

/** What visitors of websites are answered from (W-06). */
export const answers = answerSource('kb.articles', async (ctx, { words, limit }) =>
  (await articlesFor(ctx, publicArticles, words.join(' '), limit)).map(answerTextOf),
);
