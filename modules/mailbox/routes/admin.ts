import {
  admin,
  administrators,
  created,
  file,
  findOr404,
  forbidden,
  input,
  item,
  list,
  nothing,
  pageOf,
  param,
  showOne,
  z,
  type Admin,
  type Context,
} from '@keelson/core';
import { framed } from '@keelson/core/plugin';
import { AccessContacts, findEmployee, ReadContacts, WriteContacts } from '@keelson/modules/directory';
import { ReadSettings, WriteSettings } from '@keelson/modules/system';
import { findTicket, priorityField, ReadTickets, WriteTickets } from '@keelson/modules/tickets';
import { outgoings, protocols, securities, signIns } from '../entities.ts';
import { clearOfContact, readOfContact, Undeliverable } from '../judge/undeliverable.ts';
import { Mailboxes, MailboxItem } from '../mailboxes/list.ts';
import { changeMailbox, createMailbox, removeMailbox } from '../mailboxes/mailboxes.ts';
import { chooseSender, readOutgoing, TicketOutgoing } from '../mailboxes/senders.ts';
import { changeText, MailboxText, readTexts } from '../mailboxes/texts.ts';
import {
  belongsTo,
  downloadOriginal,
  fileOn,
  ignoreMail,
  MessageDetail,
  MessageItem,
  MessageNoun,
  readContent,
  retryMail,
  searchMails,
} from '../messages/messages.ts';
import { OriginalMail, readOriginal, readOriginalHtml } from '../messages/original.ts';
import { countWaiting } from '../messages/waiting.ts';
import { beginConsent, finishConsent, redirectUri } from '../servers/consent.ts';
import { receiveFrom } from '../servers/receive.ts';
import ruleRoutes from './rules.ts';

const Read = administrators(ReadSettings);
const Write = administrators(WriteSettings);

/** What arrives acts on behalf of contacts (ML-10), so setting up a mailbox needs the permissions to do so. */
function checkRights({ actor }: Context<Admin>, { company_number }: { readonly company_number?: unknown }): void {
  if (!WriteTickets.allows(actor))
    throw forbidden(
      'Setting up a mailbox requires the permission tickets:write, because its mail becomes tickets and replies',
    );
  if (company_number && !AccessContacts.allows(actor))
    throw forbidden('A mailbox that adds contacts requires the permission contacts:access');
}

const fields = {
  name: input.text(255),
  address: input.email(),
  host: input.optionalText(255),
  port: input.optional(input.int(1, 65_535)),
  security: input.optional(input.choice(securities)),
  username: input.text(255),
  authserv_id: input.optionalText(255),
  job_type: input.clearable(input.text(255)),
  priority: input.clearable(priorityField),
  company_number: input.clearable(input.id()),
  active: input.optional(input.flag()),
  sign_in: input.optional(input.choice(signIns)),
  protocol: input.optional(input.choice(protocols)),
  tenant: input.optionalText(255),
  client_id: input.optionalText(255),
  aliases: input.optional(z.array(input.email()).max(20)),
  note_address: input.clearable(input.email()),
  reopen_days: input.optional(input.int(0, 3650)),
  sender_name: input.optionalText(255),
  canary: input.optional(input.flag()),
  signature: input.optionalLongText(),
  outgoing: input.optional(input.choice(outgoings)),
  smtp_host: input.optionalText(255),
  smtp_port: input.optional(input.int(1, 65_535)),
  smtp_security: input.optional(input.choice(securities)),
  smtp_username: input.optionalText(255),
};

const secrets = {
  password: input.optional(input.secret()),
  smtp_password: input.optional(input.secret()),
  client_secret: input.optional(input.secret()),
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
    body: z.object({ ...fields, ...secrets }),
    returns: created(MailboxItem),
    slow: true,
    handle: async (ctx, { body }) => {
      checkRights(ctx, body);
      return showOne(ctx, MailboxItem, await createMailbox(ctx, body));
    },
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
    body: input.changes({ ...fields, ...secrets }),
    returns: item(MailboxItem),
    slow: true,
    load: (ctx, { id }) => findOr404(ctx, Mailboxes, id),
    handle: async (ctx, { item: mailbox, body }) => {
      checkRights(ctx, body);
      return showOne(ctx, MailboxItem, await changeMailbox(ctx, mailbox, body));
    },
  }),
  admin.delete('/mailboxes.php?id={id}', {
    title: 'Remove a mailbox',
    addition: true,
    access: Write,
    returns: nothing(),
    load: (ctx, { id }) => findOr404(ctx, Mailboxes, id),
    handle: (ctx, { item: mailbox }) => removeMailbox(ctx, mailbox),
  }),
  admin.post('/mailboxes.php?action=receive&id={id}', {
    title: 'Check a mailbox now',
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
  admin.get('/mailboxes.php?action=sign-in', {
    title: 'Read where providers send people back to after they signed in to a mailbox',
    addition: true,
    access: Read,
    returns: item(z.object({ redirect_uri: z.string() })),
    handle: (ctx) => ({ redirect_uri: redirectUri(ctx) }),
  }),
  admin.post('/mailboxes.php?action=sign-in&id={id}', {
    title: 'Begin to sign in to a mailbox',
    operationId: 'startMailboxSignIn',
    addition: true,
    access: Write,
    returns: item(z.object({ url: z.string() })),
    slow: true,
    unlogged: true,
    load: (ctx, { id }) => findOr404(ctx, Mailboxes, id),
    handle: (ctx, { item: mailbox }) => beginConsent(ctx, mailbox),
  }),
  admin.post('/mailboxes.php?action=signed-in', {
    title: 'Finish signing in to a mailbox',
    operationId: 'finishMailboxSignIn',
    addition: true,
    access: Write,
    body: z.object({ state: input.secret(), code: input.secret(4096) }),
    returns: item(MailboxItem),
    slow: true,
    handle: async (ctx, { body }) => showOne(ctx, MailboxItem, await finishConsent(ctx, body)),
  }),
  admin.get('/mailboxes.php?action=texts&id={id}', {
    title: 'List the texts of a mailbox',
    addition: true,
    access: Read,
    returns: item(z.array(MailboxText)),
    load: (ctx, { id }) => findOr404(ctx, Mailboxes, id),
    handle: (ctx, { item: mailbox }) => readTexts(ctx, mailbox),
  }),
  admin.put('/mailboxes.php?action=texts&id={id}', {
    title: 'Change a text of a mailbox',
    addition: true,
    access: Write,
    body: z.object({
      key: input.text(64),
      subject: input.clearable(input.text(255)),
      body: input.clearable(input.longText()),
    }),
    returns: item(z.array(MailboxText)),
    load: (ctx, { id }) => findOr404(ctx, Mailboxes, id),
    handle: async (ctx, { item: mailbox, body }) => {
      await changeText(ctx, mailbox, body);
      return readTexts(ctx, mailbox);
    },
  }),
  admin.get('/mailboxes/outgoing.php?id={id}', {
    title: 'Read how the mails of a ticket are sent',
    addition: true,
    access: ReadTickets,
    returns: item(TicketOutgoing),
    load: (ctx, { id }) => findTicket(ctx, id),
    handle: (ctx, { item: ticket }) => readOutgoing(ctx, ticket),
  }),
  admin.put('/mailboxes/outgoing.php?id={id}', {
    title: 'Choose the mailbox that the mails of a ticket are sent from',
    addition: true,
    access: WriteTickets,
    body: z.object({ mailbox_id: input.id().nullable() }),
    returns: item(TicketOutgoing),
    load: (ctx, { id }) => findTicket(ctx, id),
    handle: async (ctx, { item: ticket, body }) => {
      await chooseSender(ctx, ticket, body.mailbox_id);
      return readOutgoing(ctx, ticket);
    },
  }),
  admin.get('/mailboxes/undeliverable.php?id={id}', {
    title: 'List the addresses of a contact that mails come back from',
    addition: true,
    access: ReadContacts,
    returns: item(z.array(Undeliverable)),
    load: (ctx, { id }) => findEmployee(ctx, id),
    handle: (ctx, { item: employee }) => readOfContact(ctx, employee.employee_number),
  }),
  admin.delete('/mailboxes/undeliverable.php?id={id}', {
    title: 'Send mails to the addresses of a contact again',
    addition: true,
    access: WriteContacts,
    returns: nothing(),
    load: (ctx, { id }) => findEmployee(ctx, id),
    handle: (ctx, { item: employee }) => clearOfContact(ctx, employee.employee_number),
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
  admin.get('/mailboxes/messages.php?action=waiting', {
    title: 'Count the mails that wait for a decision',
    addition: true,
    access: ReadTickets,
    returns: item(z.object({ waiting: z.int() })),
    handle: async (ctx) => ({ waiting: await countWaiting(ctx) }),
  }),
  admin.get('/mailboxes/messages.php?id={id}', {
    title: 'Read a received mail',
    addition: true,
    access: ReadTickets,
    returns: item(MessageDetail),
    load: (ctx, { id }) => findOr404(ctx, MessageNoun, id),
    handle: async (ctx, { item: message }) => ({
      ...(await showOne(ctx, MessageItem, message)),
      ...(await readContent(ctx, message)),
    }),
  }),
  admin.get('/mailboxes/messages.php?action=original&id={id}', {
    title: 'Read the original of a received mail',
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
  admin.get('/mailboxes/messages.php?action=download&id={id}', {
    title: 'Download the original of a received mail',
    addition: true,
    access: ReadTickets,
    returns: file('message/rfc822'),
    load: (ctx, { id }) => findOr404(ctx, MessageNoun, id),
    handle: (ctx, { item: message }) => downloadOriginal(ctx, message),
  }),
  admin.post('/mailboxes/messages.php?action=retry&id={id}', {
    title: 'Process a failed mail again',
    addition: true,
    access: WriteTickets,
    unlogged: true,
    returns: item(MessageItem),
    slow: true,
    load: (ctx, { id }) => findOr404(ctx, MessageNoun, id),
    handle: async (ctx, { item: { received_id } }) => showOne(ctx, MessageItem, await retryMail(ctx, received_id)),
  }),
  admin.post('/mailboxes/messages.php?action=belongs&id={id}', {
    title: 'Assign a received mail to a contact',
    operationId: 'assignMailboxMessage',
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
    title: 'Add a received mail to a ticket',
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
    title: 'Dismiss a received mail',
    addition: true,
    access: WriteTickets,
    unlogged: true,
    returns: item(MessageItem),
    load: (ctx, { id }) => findOr404(ctx, MessageNoun, id),
    handle: async (ctx, { item: { received_id } }) => showOne(ctx, MessageItem, await ignoreMail(ctx, received_id)),
  }),
  ...ruleRoutes,
];
