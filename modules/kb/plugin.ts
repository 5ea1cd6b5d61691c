import { definePlugin, dependent } from '@keelson/core';
import { answers } from './answers.ts';
import { ArticleAttachments } from './attachments.ts';
import consolePages from './console/pages.ts';
import { KbArticle, KbArticleCount, KbCategory, KbFeedback, KbRelated, KbVersion } from './entities.ts';
import live from './live.ts';
import { ReadArticles, WriteArticles } from './permissions.ts';
import portalPages from './portal/pages.ts';
import reports from './reports.ts';
import adminRoutes from './routes/admin.ts';
import helpdeskRoutes from './routes/helpdesk.ts';
import search from './search.ts';

export default definePlugin({
  id: 'kb',
  title: 'Knowledge base',
  description: 'Knowledge-base articles and their categories.',
  requires: ['directory', 'tickets'],
  perCompany: { default: true },
  entities: [KbCategory, KbArticle, KbRelated, KbVersion, KbFeedback],
  counted: [KbArticleCount],
  attachments: [ArticleAttachments],
  permissions: [ReadArticles, WriteArticles],
  answerSources: [answers],
  search,
  reports,
  live,
  console: consolePages,
  portal: portalPages,
  routes: [...adminRoutes, ...helpdeskRoutes],
  dependents: [dependent(KbArticle, 'company_number', 'articles')],
});
