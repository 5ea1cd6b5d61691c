// Attachments of articles: downloads, and the images they embed (html.ts).
import { attachments, findVisible, itAdmin, signedIn } from '@keelson/core';
import { ArticleItem, PortalArticle } from './articles/article-list.ts';
import { Articles } from './articles/articles.ts';
import { lockOwnArticle } from './articles/portal.ts';
import { ReadArticles, WriteArticles } from './permissions.ts';

export const ArticleAttachments = attachments(Articles, {
  company: (article) => article.company_number,
  call: (article) => article.title,
  admin: { path: '/kb/articles.php', read: ReadArticles, write: WriteArticles, view: ArticleItem },
  helpdesk: {
    path: '/kb/articles',
    read: signedIn,
    write: itAdmin,
    find: (ctx, id) => findVisible(ctx, PortalArticle, id),
    lock: (ctx, id) => lockOwnArticle(ctx, id),
  },
});
