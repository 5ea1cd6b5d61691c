// Articles as answers to questions: for assistants, who ask in whole sentences.
import { is, pageOf, type Context, type EmployeeActor } from '@keelson/core';
import type { Filter } from '@keelson/core/list';
import { answerSource } from '@keelson/core/plugin';
import { findByAnyWord } from '@keelson/core/search';
import { PortalArticle } from './article-list.ts';
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

/** The same as a list, for somebody who describes what they need (K-13): the best of them first, on one page. */
export async function articlesAbout(ctx: Context<EmployeeActor>, text: string, limit: number) {
  const found = await articlesFor(ctx, visibleArticles(ctx), text, limit);
  const places = new Map(found.map(({ article_id }, place) => [article_id, place]));
  const where = [is('article_id', [...places.keys()])];
  const { rows } = await pageOf(ctx, PortalArticle, { page: 1, size: limit }, { where });
  const placeOf = ({ article_id }: { article_id: number }) => places.get(article_id) ?? limit;
  return { rows: rows.toSorted((a, b) => placeOf(a) - placeOf(b)), total: rows.length };
}

/** An article as assistants quote it: plain text, in paragraphs. */
export const answerTextOf = ({ title, content }: KbArticle) => ({ title, text: plainText(content, LONGEST) });

/** What visitors of websites are answered from (W-06). */
export const answers = answerSource('kb.articles', async (ctx, { words, limit }) =>
  (await articlesFor(ctx, publicArticles, words.join(' '), limit)).map(answerTextOf),
);
