// Received mails, and manual decisions on those without a known sender.
import {
  by,
  conflict,
  findOr404,
  In,
  is,
  normalised,
  noun,
  notFound,
  view,
  z,
  type Admin,
  type Context,
} from '@keelson/core';
import type { Filter } from '@keelson/core/list';
import { CompanyNames } from '@keelson/modules/directory';
import { commentOnTicket, lockTicket, type Ticket } from '@keelson/modules/tickets';
import { Mailbox, MailboxMessage } from '../entities.ts';
import { MessageStored } from '../events.ts';
import { attachFiles } from '../judge/files.ts';
import { joinTicket } from '../judge/join-ticket.ts';
import { judge } from '../judge/judge.ts';
import { namesOf, proposeCompany } from '../judge/sender-rules.ts';
import { readRaw } from '../parse/raw.ts';
import { readMail } from '../parse/read-mail.ts';
import { isCut, orUnreadable, standIn, unkept, Unreadable, wasLeft } from '../parse/unreadable.ts';
import { setOutcome } from './waiting.ts';

export const MessageNoun = noun(MailboxMessage, {
  title: 'Mail',
  filters: (its) => ({ state: its.is('state'), mailbox_id: its.is('mailbox_id'), ticket_id: its.is('ticket_id') }),
  sorts: { received_at: by('received_at') },
});

export const MessageItem = view(MessageNoun, {
  more: (its) => ({ company_name: its.name(CompanyNames, 'company_number') }),
});

/** Maximum number of mails returned. */
const MOST_FOUND = 200;

/** Returns the newest mails with a Message-ID, with or without brackets, or from an address. */
export async function searchMails({ db }: Context, text: string): Promise<Filter[]> {
  const newest = { order: { received_id: 'DESC' }, take: MOST_FOUND } as const;
  const found = [
    ...(await db.find(MailboxMessage, { where: { message_id: In([text, `<${text}>`]) }, ...newest })),
    ...(await db.find(MailboxMessage, { where: { sender_key: normalised(text) }, ...newest })),
  ];
  return [is('received_id', [...new Set(found.map((each) => each.received_id))])];
}

export const MessageDetail = MessageItem.shape.extend({
  text: z.string(),
  files: z.array(z.object({ name: z.string() })),
  /** Why the text and the files cannot be shown; null if they can. */
  unreadable: z.string().nullable(),
  /** Whether the original is kept and can be downloaded. */
  kept: z.boolean(),
  /** Whether the mail or its files failed and can be processed again. */
  retryable: z.boolean(),
  /** The company that an unknown sender probably belongs to. */
  proposed_company_number: z.int().nullable(),
  /** The sender's name as that of a contact. */
  sender_first_name: z.string(),
  sender_last_name: z.string(),
});

/** Returns a mail's content, or why it cannot be shown. */
export async function readContent(ctx: Context, message: MailboxMessage) {
  const content = await readParsed(ctx, message);
  const proposed_company_number = message.state === 'review' ? await proposeCompany(ctx, message) : null;
  const { kept } = content;
  const retryable = (message.state === 'failed' && kept) || message.files_problem !== '';
  const { first_name, last_name } = namesOf(message.from_name, message.from_address);
  const rest = {
    ...{ kept, retryable, proposed_company_number },
    ...{ sender_first_name: first_name, sender_last_name: last_name },
  };
  if (content instanceof Unreadable) return { text: '', files: [], unreadable: content.message, ...rest };
  return { text: content.text, files: content.files, unreadable: null, ...rest };
}

async function readParsed(ctx: Context, message: MailboxMessage) {
  const mailbox = await ctx.db.findOneBy(Mailbox, { mailbox_id: message.mailbox_id });
  const mail = mailbox && (await readMail(ctx, mailbox, message).catch(orUnreadable));
  if (!mail) return unkept(message);
  if (mail instanceof Unreadable) return mail;
  return { text: mail.text, files: mail.files.map(({ name }) => ({ name })), kept: true };
}

/**
 * Returns the original of a mail as a file.
 * @throws notFound() if it is not kept; conflict() if it is damaged
 */
export async function downloadOriginal(ctx: Context, message: MailboxMessage) {
  const { received_id } = message;
  const raw = await readRaw(ctx, received_id).catch(orUnreadable);
  if (!raw) throw notFound('Mail');
  if (raw instanceof Unreadable) throw conflict(`The original cannot be opened: ${raw.message}`);
  const name = isCut(message) ? `mail-${received_id}-beginning.eml` : `mail-${received_id}.eml`;
  return { name, type: 'message/rfc822', body: raw };
}

/** Returns a mail that awaits a decision: held for review, or failed. @throws conflict() if already processed */
export async function findWaiting(ctx: Context, received_id: number): Promise<MailboxMessage> {
  const message = await findUnused(ctx, received_id);
  if (message.state === 'ignored') throw conflict('The mail does not need review');
  return message;
}

/** Returns a mail that a person can still take up: held for review, failed, or ignored. @throws conflict() otherwise */
export async function findUnused(ctx: Context, received_id: number): Promise<MailboxMessage> {
  const message = await ctx.db.findOne(MailboxMessage, {
    where: { received_id },
    lock: ctx.tx && { mode: 'pessimistic_write' },
  });
  if (!message || !unused.includes(message.state)) throw conflict('The mail is already processed');
  return message;
}

const unused: readonly MailboxMessage['state'][] = ['review', 'failed', 'ignored'];

/** Assigns a mail to an employee and processes it as if sent from their address. Opens its own transactions. */
export async function belongsTo(
  outside: Context,
  received_id: number,
  employee_number: number,
): Promise<MailboxMessage> {
  await findUnused(outside, received_id);
  await judge(outside, received_id, { employee_number });
  const message = await findOr404(outside, MessageNoun, received_id);
  if (message.state === 'ignored') throw conflict('Another mailbox has received the mail, and it is processed there');
  return message;
}

/** Adds a mail to a ticket as an internal note that names the sender. Opens its own transaction. */
export async function fileOn(outside: Context<Admin>, received_id: number, ticket_id: number): Promise<MailboxMessage> {
  const message = await findUnused(outside, received_id);
  const content = await readParsed(outside, message);
  const isUnread = content instanceof Unreadable;
  const { from_name, from_address, subject } = message;
  const text = isUnread ? standIn(content) : content.text;
  const comment = `Mail from ${from_name} <${from_address}>: ${subject}\n\n${text}`.trim();
  return outside.transaction(async (ctx) => {
    const before = await findUnused(ctx, received_id);
    const ticket: Ticket = await lockTicket(ctx, ticket_id);
    const note = await commentOnTicket(ctx, ticket, { comment, is_internal: true });
    const { company_number } = ticket;
    const joined = { ticket_id: note.ticket_id, company_number, comment_id: note.comment_id };
    const reason = `Added to the ticket by ${ctx.author.name}`;
    await setOutcome(ctx, before, { state: 'note', reason, about_ticket_id: null, ...joined });
    await joinTicket(ctx, message, note.ticket_id, isUnread ? 0 : content.files.length);
    return findOr404(ctx, MessageNoun, received_id);
  });
}

/** Marks a mail as ignored. */
export async function ignoreMail(ctx: Context, received_id: number): Promise<MailboxMessage> {
  const before = await findWaiting(ctx, received_id);
  const reason = `Dismissed by ${ctx.author.name}`;
  await setOutcome(ctx, before, { state: 'ignored', reason, about_ticket_id: null });
  return findOr404(ctx, MessageNoun, received_id);
}

/**
 * Processes a mail that failed again, or attaches its files. Opens its own transactions.
 * @throws conflict() if neither has failed
 */
export async function retryMail(outside: Context, received_id: number): Promise<MailboxMessage> {
  const due = await outside.transaction(async (ctx) => {
    const lock = { mode: 'pessimistic_write' } as const;
    const message = await ctx.db.findOne(MailboxMessage, { where: { received_id }, lock });
    if (message?.files_problem) return 'files';
    if (message?.state !== 'failed' || wasLeft(message)) throw conflict('The mail has not failed');
    await setOutcome(ctx, message, { state: 'stored', reason: '' });
    // In case this process ends before the mail is processed.
    ctx.emit(MessageStored, { received_id });
    return 'all';
  });
  // If it fails again, the mail says why.
  if (due === 'files') await attachFiles(outside, received_id).catch(orUnreadable);
  else await judge(outside, received_id);
  return findOr404(outside, MessageNoun, received_id);
}
