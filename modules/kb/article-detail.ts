// One article with what belongs to it, on both surfaces.
import { findVisible, showOne, z, type Admin, type Context, type EmployeeActor } from '@keelson/core';
import { ArticleItem, PortalArticle } from './article-list.ts';
import type { KbArticle } from './entities.ts';
import { readFeedback } from './feedback.ts';
import { articleHtml } from './html.ts';
import { readPortalRelated, readRelated, RelatedItem } from './related.ts';
import { countView } from './views.ts';

/** Besides the documented members: how many employees said that it helped, or did not. */
export const ArticleDetail = ArticleItem.shape.extend({
  related: z.array(RelatedItem),
  helpful_count: z.int(),
  unhelpful_count: z.int(),
  version: z.int(),
});

/** What reading an article answers, while those who write one know its Markdown. */
export const ArticlePage = ArticleDetail.extend({ content_html: z.string() });

export const PortalArticleDetail = PortalArticle.shape.extend({ related: z.array(RelatedItem) });
export const PortalArticlePage = PortalArticleDetail.extend({ content_html: z.string() });

export async function readArticle(ctx: Context<Admin>, article: KbArticle) {
  return {
    ...(await showOne(ctx, ArticleItem, article)),
    related: await readRelated(ctx, article),
    ...(await readFeedback(ctx, article.article_id)),
    version: article.version,
  };
}

export async function readArticlePage(ctx: Context<Admin>, article: KbArticle) {
  return { ...(await readArticle(ctx, article)), content_html: await articleHtml(ctx, article, 'admin') };
}

/** An article as an employee opens it, which counts as a view (K-08). @throws notFound() when they may not see it */
export async function openPortalArticle(ctx: Context<EmployeeActor>, article_id: number) {
  const article = await findVisible(ctx, PortalArticle, article_id);
  await countView(ctx, article_id);
  const shown = await readPortalArticle(ctx, { ...article, views: article.views + 1 });
  return { ...shown, content_html: await articleHtml(ctx, article, 'helpdesk') };
}

export async function readPortalArticle(ctx: Context<EmployeeActor>, article: KbArticle) {
  return { ...(await showOne(ctx, PortalArticle, article)), related: await readPortalRelated(ctx, article) };
}
