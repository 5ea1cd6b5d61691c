// Ticket mails. A change only emits a notice; the subscriber looks up the recipient and checks that the mail is still
// due.
import { In, IsNull, sendMail, showOne, view, type Context, type Occurrence, type z } from '@keelson/core';
import type { Letter, MailTemplate } from '@keelson/core/mail';
import { readSlot } from '@keelson/core/plugin';
import { CompanyNames, EmployeeNames, readApprovers, readRecipient } from '@keelson/modules/directory';
import { Ticket, TicketComment, TicketMail } from './entities.ts';
import { TicketReplies } from './links.ts';
import { TicketConcern, TicketNotice } from './events.ts';
import { TicketNoun } from './list.ts';
import { ApprovalRequestedMail, TicketClosedMail, TicketCommentMail, TicketCreatedMail } from './mail-templates.ts';
import { readMergedRequesters } from './merged-into.ts';
import { publicComments } from './visible.ts';

type Notice = z.infer<(typeof TicketNotice)['shape']>;

const MailedTicket = view(TicketNoun, {
  only: ['ticket_id', 'ticket_number', 'subject', 'status', 'priority', 'job_type'],
  more: (its) => ({ company_name: its.name(CompanyNames, 'company_number') }),
});

/** Notifies the requester unless they acted themselves. A ticket opened by mail is still confirmed with its number. */
export function notifyRequester(ctx: Context, ticket: Ticket, kind: Notice['kind'], comment = ''): void {
  const { requester_employee_number: requester, ticket_id, source } = ticket;
  const own = ctx.author.type === 'employee' && ctx.author.id === requester;
  if (requester === null || (own && !(kind === 'created' && source === 'mail'))) return;
  const { type, name: author_name } = ctx.author;
  ctx.emit(TicketNotice, { kind, ticket_id, requester, author_name, personal: type === 'technician', comment });
}

/** Notifies the requester and the requesters of merged tickets (T-31). */
export async function notifyRequesters(
  ctx: Context,
  ticket: Ticket,
  kind: Notice['kind'],
  comment: string,
): Promise<void> {
  notifyRequester(ctx, ticket, kind, comment);
  for (const requester_employee_number of await readMergedRequesters(ctx, ticket))
    notifyRequester(ctx, { ...ticket, requester_employee_number }, kind, comment);
}

/** Notifies the assignee unless they acted themselves. */
export function notifyTechnician(
  ctx: Context,
  { assigned_to, ticket_id }: Ticket,
  kind: z.infer<(typeof TicketConcern)['shape']>['kind'],
): void {
  if (assigned_to === null || (ctx.author.type === 'technician' && ctx.author.id === assigned_to)) return;
  ctx.emit(TicketConcern, { kind, ticket_id, user_id: assigned_to, author_name: ctx.author.name });
}

/** Requests approval from the requester's managers. */
export function notifyApprovers(ctx: Context, { ticket_id }: Ticket): void {
  ctx.emit(TicketNotice, { kind: 'approval', ticket_id, author_name: ctx.author.name, personal: false, comment: '' });
}

/** Queues the mails of a notice. */
export async function mailNotice(ctx: Context, { data }: Occurrence<Notice>): Promise<void> {
  const ticket = await ctx.db.findOneBy(Ticket, { ticket_id: data.ticket_id, deleted_at: IsNull() });
  if (!ticket) return;
  if (data.kind === 'approval') return mailApprovers(ctx, ticket);
  const to = await readRecipient(ctx, data.requester ?? ticket.requester_employee_number);
  if (!to) return;
  const { author_name } = data;
  const thread = await threadOf(ctx, ticket);
  const send = <V extends string>(template: MailTemplate<V>, letter: Letter<V>) =>
    sendOnTicket(ctx, ticket, template, letter);
  const facts = await showOne(ctx, MailedTicket, ticket);
  switch (data.kind) {
    case 'created':
      return send(TicketCreatedMail, { to, thread, data: { ...facts, description: ticket.description, author_name } });
    case 'commented':
      return send(TicketCommentMail, {
        to,
        // Mails by a technician carry that person's name as the sender.
        ...(data.personal ? { headers: { ...thread, from_name: author_name } } : { thread }),
        data: { ...facts, comment: data.comment, author_name },
      });
    case 'closed': {
      // It may have been reopened since.
      if (ticket.status !== 'closed') return;
      const comment = await readClosingComments(ctx, ticket);
      return send(TicketClosedMail, { to, thread, data: { ...facts, comment, author_name } });
    }
  }
}

/** Sends a mail and stores its id so that replies can be matched to the ticket. */
async function sendOnTicket<V extends string>(
  ctx: Context,
  { ticket_id }: Ticket,
  template: MailTemplate<V>,
  letter: Letter<V>,
): Promise<void> {
  const mail_id = sendMail(ctx, template, letter);
  await ctx.db.insert(TicketMail, { mail_id, ticket_id, created_at: ctx.now });
}

/** Returns the ticket of the first known mail. */
export async function ticketOfMail({ db }: Context, mail_ids: readonly string[]): Promise<number | undefined> {
  const found = mail_ids.length === 0 ? [] : await db.findBy(TicketMail, { mail_id: In([...mail_ids]) });
  const byMail = new Map(found.map((each) => [each.mail_id, each.ticket_id]));
  return mail_ids.map((each) => byMail.get(each)).find((each) => each !== undefined);
}

/**
 * Returns the thread headers: a shared reference groups a ticket's mails in mail clients, and `reply_to` routes the
 * replies.
 */
async function threadOf(ctx: Context, { ticket_id }: Ticket) {
  const replies = await readSlot(ctx, TicketReplies, [ticket_id]);
  const { reply_to, references } = replies(ticket_id);
  return { references: [`ticket-${ticket_id}`, ...references], ...(reply_to !== null && { reply_to }) };
}

async function mailApprovers(ctx: Context, ticket: Ticket): Promise<void> {
  const { approval_status, description, requester_employee_number: requester } = ticket;
  // It may have been decided or withdrawn since.
  if (approval_status !== 'pending' || requester === null) return;
  const facts = await showOne(ctx, MailedTicket, ticket);
  const names = await ctx.app.names.get(ctx.db, EmployeeNames, [requester]);
  const data = { ...facts, description, requester_name: names.get(requester) ?? '' };
  for (const to of await readApprovers(ctx, requester)) sendMail(ctx, ApprovalRequestedMail, { to, data });
}

/** Returns the public comments stored with the closing, such as a rejection reason. */
async function readClosingComments(ctx: Context, { ticket_id, closed_at }: Ticket): Promise<string> {
  if (closed_at === null) return '';
  const comments = await ctx.db.findBy(TicketComment, { ticket_id, created_at: closed_at, ...publicComments });
  return comments.map((each) => each.comment).join('\n\n');
}
