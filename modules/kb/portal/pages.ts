import { portalPart, signedIn } from '@keelson/core';

export default portalPart(import.meta.dirname, {
  pages: [
    { path: '/help', title: 'Help', file: 'articles', access: signedIn, nav: { icon: 'help', order: 30 } },
    { path: '/help/:id', title: 'Article', file: 'article', access: signedIn },
  ],
  panels: [{ slot: 'portal.ask', title: 'Suggested articles', file: 'ask-panel', access: signedIn, order: 20 }],
  records: [
    {
      type: 'kb_article',
      title: 'Article',
      path: '/help/:id',
      icon: 'book',
      access: signedIn,
      read: 'GET /kb/articles/{id}',
      find: 'GET /kb/articles',
      name: 'title',
      id: 'article_id',
      search: 'articles',
    },
  ],
});
