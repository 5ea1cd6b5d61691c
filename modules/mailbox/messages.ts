// Received mails, and manual decisions on those without a known sender.
import { by, conflict, findOr404, In, is, normalised, noun, view, z, type Admin, type Context } from '@keelson/core';
import type { Filter } from '@keelson/core/list';
import { commentOnTicket, lockTicket, type Ticket } from '@keelson/modules/tickets';
import { CompanyNames } from '@keelson/modules/directory';
import { Mailbox, MailboxMessage } from './entities.ts';
import { joinTicket } from './join-ticket.ts';
import { judge } from './judge.ts';
import { parseMail } from './parse.ts';
import { readRaw } from './receive.ts';

export const MessageNoun = noun(MailboxMessage, {
  title: 'Mail',
  filters: (its) => ({ state: its.is('state'), mailbox_id: its.is('mailbox_id'), ticket_id: its.is('ticket_id') }),
  sorts: { received_at: by('received_at') },
});

export const MessageItem = view(MessageNoun, {
  more: (its) => ({ company_name: its.name(CompanyNames, 'company_number') }),
});

/** Maximum number of mails found. */
const MOST_FOUND = 200;

/** Returns the mails with a Message-ID, with or without its brackets, or from an address; the newest ones. */
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
});

/** Returns the content of a mail; empty if it cannot be parsed, as its reason then says. */
export async function readText(ctx: Context, { received_id, mailbox_id }: MailboxMessage) {
  const raw = await readRaw(ctx, received_id);
  const mailbox = await ctx.db.findOneBy(Mailbox, { mailbox_id });
  // The list says why one cannot be parsed; it has no text to show.
  const mail = raw && mailbox && (await parseMail(raw, mailbox).catch(() => undefined));
  return { text: mail?.text ?? '', files: (mail?.files ?? []).map(({ name }) => ({ name })) };
}

/** Returns a mail that awaits review. @throws conflict() if already processed */
async function findWaiting(ctx: Context, received_id: number): Promise<MailboxMessage> {
  const message = await ctx.db.findOne(MailboxMessage, {
    where: { received_id },
    lock: ctx.tx && { mode: 'pessimistic_write' },
  });
  if (!message || message.state !== 'review') throw conflict('The mail does not need review');
  return message;
}

/** Assigns a mail to an employee and processes it as if sent from their address. Opens its own transactions. */
export async function belongsTo(
  outside: Context,
  received_id: number,
  employee_number: number,
): Promise<MailboxMessage> {
  await findWaiting(outside, received_id);
  await judge(outside, received_id, { employee_number });
  return findOr404(outside, MessageNoun, received_id);
}

/** Adds a mail to a ticket as an internal note with its sender. Opens its own transaction. */
export async function fileOn(outside: Context<Admin>, received_id: number, ticket_id: number): Promise<MailboxMessage> {
  const message = await findWaiting(outside, received_id);
  const { text, files } = await readText(outside, message);
  const { from_name, from_address, subject } = message;
  const comment = `Mail from ${from_name} <${from_address}>: ${subject}\n\n${text}`.trim();
  return outside.transaction(async (ctx) => {
    await findWaiting(ctx, received_id);
    const ticket: Ticket = await lockTicket(ctx, ticket_id);
    const note = await commentOnTicket(ctx, ticket, { comment, is_internal: true });
    const { company_number } = ticket;
    const joined = { ticket_id: note.ticket_id, company_number, comment_id: note.comment_id };
    const reason = `Added to the ticket by ${ctx.author.name}`;
    await ctx.db.update(MailboxMessage, { received_id }, { state: 'note', reason, ...joined });
    await joinTicket(ctx, message, note.ticket_id, files.length);
    return findOr404(ctx, MessageNoun, received_id);
  });
}

/** Marks a mail as ignored. */
export async function ignoreMail(ctx: Context, received_id: number): Promise<MailboxMessage> {
  await findWaiting(ctx, received_id);
  await ctx.db.update(MailboxMessage, { received_id }, { state: 'ignored', reason: `Dismissed by ${ctx.author.name}` });
  return findOr404(ctx, MessageNoun, received_id);
}
