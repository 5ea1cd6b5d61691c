import {
  admin,
  administrators,
  created,
  findOr404,
  input,
  item,
  list,
  nothing,
  pageOf,
  param,
  remove,
  showOne,
  z,
} from '@keelson/core';
import { framed } from '@keelson/core/plugin';
import { ReadSettings, WriteSettings } from '@keelson/modules/system';
import { priorityField, ReadTickets, WriteTickets } from '@keelson/modules/tickets';
import { securities } from '../entities.ts';
import { changeMailbox, createMailbox, Mailboxes, MailboxItem } from '../mailboxes.ts';
import {
  belongsTo,
  fileOn,
  ignoreMail,
  MessageDetail,
  MessageItem,
  MessageNoun,
  readText,
  searchMails,
} from '../messages.ts';
import { OriginalMail, readOriginal, readOriginalHtml } from '../original.ts';
import { receiveFrom } from '../receive.ts';

const Read = administrators(ReadSettings);
const Write = administrators(WriteSettings);

const fields = {
  name: input.text(255),
  address: input.email(),
  host: input.text(255),
  port: input.int(1, 65_535),
  security: input.choice(securities),
  username: input.text(255),
  authserv_id: input.optionalText(255),
  job_type: input.clearable(input.text(255)),
  priority: input.clearable(priorityField),
  active: input.optional(input.flag()),
};

export default [
  admin.get('/mailboxes.php', {
    title: 'List mailboxes',
    addition: true,
    access: Read,
    query: admin.paging(MailboxItem.query),
    returns: list(MailboxItem),
    handle: (ctx, { query }) => pageOf(ctx, MailboxItem, query),
  }),
  admin.post('/mailboxes.php', {
    title: 'Add a mailbox',
    addition: true,
    access: Write,
    body: z.object({ ...fields, password: input.secret() }),
    returns: created(MailboxItem),
    slow: true,
    handle: async (ctx, { body }) => showOne(ctx, MailboxItem, await createMailbox(ctx, body)),
  }),
  admin.get('/mailboxes.php?id={id}', {
    title: 'Read a mailbox',
    addition: true,
    access: Read,
    returns: item(MailboxItem),
    load: (ctx, { id }) => findOr404(ctx, Mailboxes, id),
    handle: (ctx, { item: mailbox }) => showOne(ctx, MailboxItem, mailbox),
  }),
  admin.put('/mailboxes.php?id={id}', {
    title: 'Change a mailbox',
    addition: true,
    access: Write,
    body: input.changes({ ...fields, password: input.optional(input.secret()) }),
    returns: item(MailboxItem),
    slow: true,
    load: (ctx, { id }) => findOr404(ctx, Mailboxes, id),
    handle: async (ctx, { item: mailbox, body }) => showOne(ctx, MailboxItem, await changeMailbox(ctx, mailbox, body)),
  }),
  admin.delete('/mailboxes.php?id={id}', {
    title: 'Remove a mailbox',
    addition: true,
    access: Write,
    returns: nothing(),
    load: (ctx, { id }) => findOr404(ctx, Mailboxes, id),
    handle: (ctx, { item: mailbox }) => remove(ctx, Mailboxes, mailbox),
  }),
  admin.post('/mailboxes.php?action=receive&id={id}', {
    title: 'Read a mailbox now',
    addition: true,
    access: Write,
    returns: item(MailboxItem),
    slow: true,
    unlogged: true,
    load: (ctx, { id }) => findOr404(ctx, Mailboxes, id),
    handle: async (ctx, { item: mailbox }) => {
      await receiveFrom(ctx, mailbox);
      return showOne(ctx, MailboxItem, mailbox);
    },
  }),
  admin.get('/mailboxes/messages.php', {
    title: 'List received mails',
    addition: true,
    access: ReadTickets,
    // A Message-ID or an address.
    query: admin.paging({ ...MessageItem.query, search: param.search() }),
    returns: list(MessageItem),
    handle: async (ctx, { query: { search, ...query } }) =>
      pageOf(ctx, MessageItem, query, search ? { where: await searchMails(ctx, search.trim()) } : {}),
  }),
  admin.get('/mailboxes/messages.php?id={id}', {
    title: 'Read a received mail',
    addition: true,
    access: ReadTickets,
    returns: item(MessageDetail),
    load: (ctx, { id }) => findOr404(ctx, MessageNoun, id),
    handle: async (ctx, { item: message }) => ({
      ...(await showOne(ctx, MessageItem, message)),
      ...(await readText(ctx, message)),
    }),
  }),
  admin.get('/mailboxes/messages.php?action=original&id={id}', {
    title: 'Read a received mail as it was written',
    addition: true,
    access: ReadTickets,
    returns: item(OriginalMail),
    load: (ctx, { id }) => findOr404(ctx, MessageNoun, id),
    handle: (ctx, { item: message }) => readOriginal(ctx, message),
  }),
  admin.get('/mailboxes/messages.php?action=original-html&id={id}', {
    title: 'Show the HTML of a received mail in a frame',
    addition: true,
    access: ReadTickets,
    query: z.object({ pictures: param.flag() }),
    returns: framed(),
    load: (ctx, { id }) => findOr404(ctx, MessageNoun, id),
    handle: (ctx, { item: message, query }) => readOriginalHtml(ctx, message, { pictures: query.pictures === true }),
  }),
  admin.post('/mailboxes/messages.php?action=belongs&id={id}', {
    title: 'Say whom a received mail is of',
    addition: true,
    access: WriteTickets,
    body: z.object({ employee_number: input.id() }),
    returns: item(MessageItem),
    slow: true,
    load: (ctx, { id }) => findOr404(ctx, MessageNoun, id),
    handle: async (ctx, { item: { received_id }, body }) =>
      showOne(ctx, MessageItem, await belongsTo(ctx, received_id, body.employee_number)),
  }),
  admin.post('/mailboxes/messages.php?action=file&id={id}', {
    title: 'Put a received mail on a ticket',
    addition: true,
    access: WriteTickets,
    body: z.object({ ticket_id: input.id() }),
    returns: item(MessageItem),
    slow: true,
    load: (ctx, { id }) => findOr404(ctx, MessageNoun, id),
    handle: async (ctx, { item: { received_id }, body }) =>
      showOne(ctx, MessageItem, await fileOn(ctx, received_id, body.ticket_id)),
  }),
  admin.post('/mailboxes/messages.php?action=ignore&id={id}', {
    title: 'Set a received mail aside',
    addition: true,
    access: WriteTickets,
    unlogged: true,
    returns: item(MessageItem),
    load: (ctx, { id }) => findOr404(ctx, MessageNoun, id),
    handle: async (ctx, { item: { received_id } }) => showOne(ctx, MessageItem, await ignoreMail(ctx, received_id)),
  }),
];
