import { consolePart } from '@keelson/core';
import { ReadArticles, WriteArticles } from '../permissions.ts';

export default consolePart(import.meta.dirname, {
  pages: [
    { path: '/articles/:id', title: 'Article', file: 'article-page', access: ReadArticles },
    { path: '/articles/:id/edit', title: 'Edit an article', file: 'edit-article', access: WriteArticles },
  ],
  lists: [
    {
      path: '/articles',
      title: 'Knowledge base',
      rows: 'articles',
      access: ReadArticles,
      nav: { section: 'knowledge', icon: 'book', order: 10, key: 'g k' },
      list: 'GET /kb/articles.php',
      given: { visibility: 'all' },
      id: 'article_id',
      columns: ['title', 'category', 'visibility', 'author_name', 'views', 'updated_at'],
      filters: ['visibility'],
      open: '/articles/:id',
      create: {
        title: 'New article',
        operation: 'POST /kb/articles.php',
        access: WriteArticles,
        fields: ['title', 'content', 'tags', 'visibility'],
      },
    },
  ],
  panels: [{ slot: 'ticket.side', title: 'Articles', file: 'ticket-articles', access: ReadArticles, order: 30 }],
  records: [
    {
      type: 'kb_article',
      title: 'Article',
      path: '/articles/:id',
      icon: 'book',
      access: ReadArticles,
      read: 'GET /kb/articles.php?id={id}',
      find: 'GET /kb/articles.php',
      name: 'title',
      id: 'article_id',
      search: 'kb',
    },
  ],
});
