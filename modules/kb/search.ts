import { searchable, signedIn, view } from '@keelson/core';
import { articleNoun } from './articles/article-list.ts';
import { KbArticle } from './entities.ts';
import { ReadArticles } from './permissions.ts';
import { visibleArticles } from './visible.ts';

const only = ['article_id', 'title'] as const;

export default [
  searchable(KbArticle, {
    name: ['title'],
    main: ['tags', 'content'],
    title: ({ title }) => title,
    subtitle: ({ excerpt }) => excerpt,
    found: {
      admin: { type: 'kb', access: ReadArticles, view: view(articleNoun, { only }) },
      helpdesk: { type: 'kb', access: signedIn, view: view(articleNoun, { only, visible: visibleArticles }) },
    },
  }),
];
