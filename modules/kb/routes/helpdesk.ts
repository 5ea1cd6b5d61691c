import {
  created,
  findVisible,
  helpdesk,
  input,
  item,
  itAdmin,
  list,
  nothing,
  pageOf,
  param,
  signedIn,
  z,
} from '@keelson/core';
import { articlesAbout } from '../answers.ts';
import {
  openPortalArticle,
  PortalArticleDetail,
  PortalArticlePage,
  readPortalArticle,
} from '../articles/article-detail.ts';
import { PortalArticle } from '../articles/article-list.ts';
import { giveFeedback } from '../articles/feedback.ts';
import { articleFields, categoryField } from '../articles/inputs.ts';
import { createPortalArticle, lockOwnArticle, updatePortalArticle } from '../articles/portal.ts';
import { findCategory } from '../categories.ts';

const { search } = PortalArticle.query;

export default [
  helpdesk.get('/kb/articles', {
    title: 'List the articles visible to you',
    access: signedIn,
    query: helpdesk.paging({ search, category: param.text(255), about: param.text(500) }),
    returns: list(PortalArticle, 'articles'),
    async handle(ctx, { query: { category, about, ...asked } }) {
      if (about !== undefined) return articlesAbout(ctx, about, asked.size);
      const named = category === undefined ? undefined : await findCategory(ctx, category);
      if (category !== undefined && !named) return { rows: [], total: 0 };
      return pageOf(ctx, PortalArticle, { ...asked, category: named?.category_id });
    },
  }),
  helpdesk.get('/kb/articles/{id}', {
    title: 'Open an article',
    access: signedIn,
    returns: item(PortalArticlePage),
    handle: (ctx, { params: { id } }) => openPortalArticle(ctx, id),
  }),
  helpdesk.post('/kb/articles', {
    title: 'Publish an article for your company',
    access: itAdmin,
    body: z.object({ ...articleFields, category: categoryField }),
    returns: created(PortalArticleDetail),
    handle: async (ctx, { body }) => readPortalArticle(ctx, await createPortalArticle(ctx, body)),
  }),
  helpdesk.put('/kb/articles/{id}', {
    title: 'Update an article of your company',
    access: itAdmin,
    body: input.changes({ ...articleFields, category: categoryField }),
    returns: item(PortalArticleDetail),
    load: (ctx, { id }) => lockOwnArticle(ctx, id),
    handle: async (ctx, { item: article, body }) =>
      readPortalArticle(ctx, await updatePortalArticle(ctx, article, body)),
  }),
  helpdesk.post('/kb/articles/{id}/feedback', {
    title: 'Rate an article',
    operationId: 'rateKbArticle',
    access: signedIn,
    addition: true,
    unlogged: true,
    body: z.object({ helpful: input.flag() }),
    returns: nothing(),
    load: (ctx, { id }) => findVisible(ctx, PortalArticle, id),
    handle: (ctx, { item: { article_id }, body }) => giveFeedback(ctx, article_id, body.helpful),
  }),
];
