// Report source: articles without content.
import { reportSource, signedIn } from '@keelson/core';
import { ArticleItem, PortalArticle } from './articles/article-list.ts';
import { ReadArticles } from './permissions.ts';

const fields = {
  article_id: 'Article ID',
  title: 'Title',
  excerpt: 'Excerpt',
  category: 'Category',
  visibility: 'Visibility',
  author_name: 'Author',
  views: 'Views',
  created_at: 'Created',
  updated_at: 'Updated',
} as const;

export default [
  reportSource('admin', 'articles', {
    title: 'Articles',
    access: ReadArticles,
    view: ArticleItem,
    fields: { ...fields, company_number: 'Company number' },
  }),
  reportSource('helpdesk', 'articles', { title: 'Articles', access: signedIn, view: PortalArticle, fields }),
];
