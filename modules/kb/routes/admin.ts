import {
  admin,
  all,
  created,
  findOr404,
  forbidden,
  input,
  item,
  list,
  lock,
  nothing,
  pageOf,
  param,
  remove,
  show,
  showOne,
  z,
} from '@keelson/core';
import { ReadTickets } from '@keelson/modules/tickets';
import { ArticleDetail, ArticlePage, readArticle, readArticlePage } from '../articles/article-detail.ts';
import { ArticleItem } from '../articles/article-list.ts';
import { Articles, createArticle, updateArticle } from '../articles/articles.ts';
import { createArticleFromTicket } from '../articles/from-ticket.ts';
import { articleFields, staffFields, visibilityField } from '../articles/inputs.ts';
import { staffTitles } from '../articles/related.ts';
import { findVersion, listVersions, readVersion, VersionDetail, VersionItem } from '../articles/versions.ts';
import { Categories, CategoryItem, createCategory, listCategories } from '../categories.ts';
import { ReadArticles, WriteArticles } from '../permissions.ts';
import { ArticlePreview, previewHtml } from '../text/html.ts';

export default [
  admin.get('/kb/articles.php', {
    title: 'List articles',
    access: ReadArticles,
    query: admin.paging(ArticleItem.query),
    returns: list(ArticleItem),
    handle: (ctx, { query }) => {
      if (query.ticket_id !== undefined && !ReadTickets.allows(ctx.actor)) throw forbidden();
      return pageOf(ctx, ArticleItem, query);
    },
  }),
  admin.post('/kb/articles.php', {
    title: 'Create an article',
    access: WriteArticles,
    body: z.object({ ...articleFields, ...staffFields, visibility: input.optional(visibilityField) }),
    returns: created(ArticleDetail),
    handle: async (ctx, { body: { visibility = 'internal', ...given } }) =>
      readArticle(ctx, await createArticle(ctx, { ...given, visibility }, staffTitles(ctx))),
  }),
  admin.get('/kb/articles.php?id={id}', {
    title: 'Read an article',
    access: ReadArticles,
    returns: item(ArticlePage),
    load: (ctx, { id }) => findOr404(ctx, Articles, id),
    handle: (ctx, { item: article }) => readArticlePage(ctx, article),
  }),
  admin.put('/kb/articles.php?id={id}', {
    title: 'Update an article',
    access: WriteArticles,
    body: input.changes({ ...articleFields, ...staffFields, visibility: visibilityField }),
    returns: item(ArticleDetail),
    load: (ctx, { id }) => lock(ctx, Articles, id),
    handle: async (ctx, { item: article, body }) =>
      readArticle(ctx, await updateArticle(ctx, article, body, staffTitles(ctx))),
  }),
  admin.delete('/kb/articles.php?id={id}', {
    title: 'Delete an article',
    access: WriteArticles,
    returns: nothing(),
    load: (ctx, { id }) => lock(ctx, Articles, id),
    handle: (ctx, { item: article }) => remove(ctx, Articles, article),
  }),
  admin.post('/kb/articles.php?action=preview&id={id}', {
    title: 'Preview an article',
    access: WriteArticles,
    addition: true,
    slow: true,
    unlogged: true,
    body: z.object({ content: input.longText() }),
    returns: item(ArticlePreview),
    load: (ctx, { id }) => findOr404(ctx, Articles, id),
    handle: async (ctx, { item: article, body: { content } }) => ({
      content_html: await previewHtml(ctx, article, content),
    }),
  }),
  admin.post('/kb/articles.php?action=from-ticket', {
    title: 'Draft an article from a closed ticket',
    operationId: 'createKbArticleFromTicket',
    access: WriteArticles,
    addition: true,
    body: z.object({ ticket_id: input.id() }),
    returns: created(ArticleDetail),
    handle: async (ctx, { body }) => readArticle(ctx, await createArticleFromTicket(ctx, body.ticket_id)),
  }),
  admin.get('/kb/articles.php?action=versions&id={id}', {
    title: 'List the versions of an article',
    access: ReadArticles,
    addition: true,
    returns: all(VersionItem),
    load: (ctx, { id }) => findOr404(ctx, Articles, id),
    handle: (ctx, { item: article }) => listVersions(ctx, article),
  }),
  admin.get('/kb/articles.php?action=version&id={id}', {
    title: 'Read a version of an article and its changes',
    access: ReadArticles,
    addition: true,
    query: z.object({ version: param.int(1) }),
    returns: item(VersionDetail),
    load: (ctx, { id }) => findOr404(ctx, Articles, id),
    handle: (ctx, { item: article, query }) => readVersion(ctx, article, query.version ?? article.version),
  }),
  admin.post('/kb/articles.php?action=restore&id={id}', {
    title: 'Restore a version of an article',
    access: WriteArticles,
    addition: true,
    body: z.object({ version: input.int(1, 1_000_000) }),
    returns: item(ArticleDetail),
    load: (ctx, { id }) => lock(ctx, Articles, id),
    async handle(ctx, { item: article, body }) {
      const { title, content } = await findVersion(ctx, article, body.version);
      return readArticle(ctx, await updateArticle(ctx, article, { title, content }, staffTitles(ctx)));
    },
  }),
  admin.get('/kb/categories.php', {
    title: 'List article categories',
    access: ReadArticles,
    returns: all(CategoryItem),
    handle: async (ctx) => show(ctx, CategoryItem, await listCategories(ctx)),
  }),
  admin.get('/kb/categories.php?id={id}', {
    title: 'Read an article category',
    access: ReadArticles,
    addition: true,
    returns: item(CategoryItem),
    load: (ctx, { id }) => findOr404(ctx, Categories, id),
    handle: (ctx, { item: category }) => showOne(ctx, CategoryItem, category),
  }),
  admin.post('/kb/categories.php', {
    title: 'Create an article category',
    access: WriteArticles,
    body: z.object({
      name: input.text(255, { compared: true }),
      description: input.optionalLongText(),
      parent_id: input.clearable(input.id()),
      sort_order: input.optional(input.int(0, 1_000_000)),
    }),
    returns: created(CategoryItem),
    handle: (ctx, { body }) => showOne(ctx, CategoryItem, createCategory(ctx, body)),
  }),
];
