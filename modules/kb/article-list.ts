// How articles are listed: apart from articles.ts, because their links show titles of articles.
import { by, is, noun, param, restrict, searched, view } from '@keelson/core';
import { KbArticle } from './entities.ts';
import { CategoryNames } from './names.ts';
import { visibleArticles } from './visible.ts';

export const articleNoun = noun(KbArticle, {
  title: 'Article',
  filters: (its) => ({
    category: its.is('category_id', param.id()),
    visibility: its.by(param.choice(['public', 'internal', 'both'], { all: true }), (_, asked) =>
      // `both` restricts nothing (K-01), and an article that is both is each of them (K-02).
      asked === 'both' ? undefined : is('visibility', [asked, 'both']),
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

/** F-28. */
export const ArticleItem = view(articleNoun, {
  only: columns,
  more: (its) => ({ category: its.name(CategoryNames, 'category_id') }),
});

/** The same for customers. */
export const PortalArticle = restrict(ArticleItem, visibleArticles);

/** What links show, and what similar articles are found by. */
export const ArticleTitle = view(articleNoun, { only: ['article_id', 'title', 'tags'] });
