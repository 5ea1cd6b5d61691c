// Article detail with related data, on both surfaces.
import { findVisible, showOne, z, type Admin, type Context, type EmployeeActor } from '@keelson/core';
import type { KbArticle } from '../entities.ts';
import { articleHtml } from '../text/html.ts';
import { ArticleItem, PortalArticle } from './article-list.ts';
import { readFeedback } from './feedback.ts';
import { readPortalRelated, readRelated, RelatedItem } from './related.ts';
import { countView } from './views.ts';

/** Adds feedback counts to the documented members. */
export const ArticleDetail = ArticleItem.shape.extend({
  related: z.array(RelatedItem),
  helpful_count: z.int(),
  unhelpful_count: z.int(),
  version: z.int(),
});

/** Adds the rendered HTML for readers; editors receive Markdown only. */
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

/** Opens an article for an employee and counts the view (K-08). @throws notFound() if not visible to them */
export async function openPortalArticle(ctx: Context<EmployeeActor>, article_id: number) {
  const article = await findVisible(ctx, PortalArticle, article_id);
  await countView(ctx, article_id);
  const shown = await readPortalArticle(ctx, { ...article, views: article.views + 1 });
  return { ...shown, content_html: await articleHtml(ctx, article, 'helpdesk') };
}

export async function readPortalArticle(ctx: Context<EmployeeActor>, article: KbArticle) {
  return { ...(await showOne(ctx, PortalArticle, article)), related: await readPortalRelated(ctx, article) };
}
