// Article search by full questions, for assistants.
import { is, pageOf, type Context, type EmployeeActor } from '@keelson/core';
import type { Filter } from '@keelson/core/list';
import { answerSource } from '@keelson/core/plugin';
import { findByAnyWord } from '@keelson/core/search';
import { PortalArticle } from './articles/article-list.ts';
import { KbArticle } from './entities.ts';
import { plainText } from './text/excerpt.ts';
import { publicArticles, visibleArticles } from './visible.ts';

/** Maximum characters per article; an assistant quotes only a paragraph. */
const LONGEST = 10_000;

/**
 * Returns up to `limit` articles that best answer a question, best first.
 * @param visible the articles the caller may see: `visibleArticles(ctx)` for an employee, `publicArticles` for anyone
 */
export function articlesFor(
  ctx: Context,
  visible: readonly Filter[],
  text: string,
  limit: number,
): Promise<KbArticle[]> {
  return findByAnyWord(ctx, KbArticle, { text, where: visible, limit });
}

/** Searches articles for an employee. Empty while the knowledge base is off for the company. */
export async function articlesForEmployee(
  ctx: Context<EmployeeActor>,
  text: string,
  limit: number,
): Promise<KbArticle[]> {
  if (!(await ctx.app.switches.enabled(ctx, ctx.actor.company_number, 'kb'))) return [];
  return articlesFor(ctx, visibleArticles(ctx), text, limit);
}

/** Returns matching articles as a one-page list, best first, for a person who describes what they need (K-13). */
export async function articlesAbout(ctx: Context<EmployeeActor>, text: string, limit: number) {
  const found = await articlesFor(ctx, visibleArticles(ctx), text, limit);
  const places = new Map(found.map(({ article_id }, place) => [article_id, place]));
  const where = [is('article_id', [...places.keys()])];
  const { rows } = await pageOf(ctx, PortalArticle, { page: 1, size: limit }, { where });
  const placeOf = ({ article_id }: { article_id: number }) => places.get(article_id) ?? limit;
  return { rows: rows.toSorted((a, b) => placeOf(a) - placeOf(b)), total: rows.length };
}

/** Returns an article as plain-text paragraphs for assistants. */
export const answerTextOf = ({ title, content }: KbArticle) => ({ title, text: plainText(content, LONGEST) });

/** Answer source for website visitors (W-06). */
export const answers = answerSource('kb.articles', async (ctx, { words, limit }) =>
  (await articlesFor(ctx, publicArticles, words.join(' '), limit)).map(answerTextOf),
);
