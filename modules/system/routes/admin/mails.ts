import { admin, administrators, item, list, pageOf, showOne } from '@keelson/core';
import { findMail, MailItem, NamedMail, namedMails, resend } from '../../mail/mails.ts';
import { ReadSettings, WriteSettings } from '../../permissions.ts';

export default [
  admin.get('/settings/mails.php', {
    title: 'List the mails of the last 90 days',
    addition: true,
    access: administrators(ReadSettings),
    query: admin.paging(MailItem.query),
    returns: list(NamedMail),
    async handle(ctx, { query }) {
      const page = await pageOf(ctx, MailItem, query);
      return { ...page, rows: await namedMails(ctx, page.rows) };
    },
  }),
  admin.post('/settings/mails.php?action=resend&id={id:text}', {
    title: 'Resend a mail',
    addition: true,
    access: administrators(WriteSettings),
    returns: item(MailItem),
    load: (ctx, { id }) => findMail(ctx, id),
    handle: (ctx, { item: mail }) => showOne(ctx, MailItem, resend(ctx, mail)),
  }),
];
