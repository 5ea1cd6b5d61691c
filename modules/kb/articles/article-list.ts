// Article views and filters, separate from articles.ts because links show article titles.
import { by, is, noun, param, restrict, searched, sql, view } from '@keelson/core';
import { KbArticle } from '../entities.ts';
import { CategoryNames } from '../names.ts';
import { visibleArticles } from '../visible.ts';

export const articleNoun = noun(KbArticle, {
  title: 'Article',
  filters: (its) => ({
    category: its.is('category_id', param.id()),
    visibility: its.by(param.choice(['public', 'internal', 'both'], { all: true }), (_, asked) =>
      // `both` is no restriction (K-01), and an article marked `both` matches either value (K-02).
      asked === 'both' ? undefined : is('visibility', [asked, 'both']),
    ),
    ticket_id: its.by(
      param.id(),
      (_ctx, id) => sql`kb_article.article_id IN
        (SELECT article_id FROM kb_related WHERE entity_type = 'ticket' AND entity_id = ${id})`,
    ),
    search: searched(KbArticle),
  }),
  sorts: { created_at: by('created_at') },
});

const columns = [
  'article_id',
  'title',
  'content',
  'excerpt',
  'category_id',
  'visibility',
  'tags',
  'author_name',
  'company_number',
  'views',
  'created_at',
  'updated_at',
] as const;

/** Article in lists (F-28). */
export const ArticleItem = view(articleNoun, {
  only: columns,
  more: (its) => ({ category: its.name(CategoryNames, 'category_id') }),
});

/** Article in lists for customers. */
export const PortalArticle = restrict(ArticleItem, visibleArticles);

/** Fields for links and for similarity search. */
export const ArticleTitle = view(articleNoun, { only: ['article_id', 'title', 'tags'] });
