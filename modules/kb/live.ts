import { liveRecord, signedIn } from '@keelson/core';
import { KbArticle, KbCategory } from './entities.ts';
import { ReadArticles } from './permissions.ts';
import { visibleArticles } from './visible.ts';

export default [
  // Rows without a company are visible to all companies (K-04).
  liveRecord(KbArticle, {
    admin: ReadArticles,
    helpdesk: { access: signedIn, visible: visibleArticles, common: true },
  }),
  liveRecord(KbCategory, {
    admin: ReadArticles,
    helpdesk: { access: signedIn, common: true },
    paths: ['/kb/articles'],
  }),
];
