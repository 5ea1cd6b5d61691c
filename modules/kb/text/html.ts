// HTML rendering of articles, on each read.
import { z, type Context } from '@keelson/core';
import type { KbArticle } from '../entities.ts';
import { markdownHtml } from './markdown.ts';

/** URL prefixes of an article's attachments, without the id. */
const picturesOf = {
  admin: ({ article_id }: KbArticle) =>
    `/admin/api/v1/kb/articles.php?action=attachment&id=${article_id}&attachment_id=`,
  helpdesk: ({ article_id }: KbArticle) => `/helpdesk/api/v1/kb/articles/${article_id}/attachments/`,
} as const;

/** Renders the content as sanitised HTML for a surface. */
export function articleHtml(ctx: Context, article: KbArticle, surface: keyof typeof picturesOf): Promise<string> {
  const { article_id, content } = article;
  return markdownHtml(ctx, { text: content, name: `article ${article_id}`, pictures: picturesOf[surface](article) });
}

export const ArticlePreview = z.object({ content_html: z.string() });

/** Renders a preview for technicians, cached separately from the article. */
export function previewHtml(ctx: Context, article: KbArticle, content: string): Promise<string> {
  const name = `article ${article.article_id} while rendering`;
  return markdownHtml(ctx, { text: content, name, pictures: picturesOf.admin(article) });
}
