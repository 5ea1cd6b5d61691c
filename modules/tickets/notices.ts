// Telling people about their tickets by mail. A change only writes down that there is something to tell; who is told, and
// whether they still may be, is looked up when the mail is written.
import { sendMail, type Context, type Occurrence, type z } from '@keelson/core';
import { readApprovers, readRecipient } from '@keelson/modules/directory';
import { Ticket, TicketComment } from './entities.ts';
import { TicketNotice } from './events.ts';
import { ApprovalRequestedMail, TicketClosedMail, TicketCommentMail, TicketCreatedMail } from './mail-templates.ts';
import { readTicketNames } from './names.ts';
import { publicComments } from './visible.ts';

type Notice = z.infer<(typeof TicketNotice)['shape']>;

/** Writes down that the requester is to be told, unless it is their own doing. */
export function notifyRequester(ctx: Context, ticket: Ticket, kind: Notice['kind'], comment = ''): void {
  const { requester_employee_number: requester, ticket_id } = ticket;
  if (requester === null || (ctx.author.type === 'employee' && ctx.author.id === requester)) return;
  ctx.emit(TicketNotice, { kind, ticket_id, author_name: ctx.author.name, comment });
}

/** Writes down that the requester's managers are to be asked. */
export function notifyApprovers(ctx: Context, { ticket_id }: Ticket): void {
  ctx.emit(TicketNotice, { kind: 'approval', ticket_id, author_name: ctx.author.name, comment: '' });
}

/** Writes the mails of a notice. */
export async function mailNotice(ctx: Context, { data }: Occurrence<Notice>): Promise<void> {
  const ticket = await ctx.db.one(Ticket, { ticket_id: data.ticket_id, deleted_at: null });
  if (!ticket) return;
  const names = (await readTicketNames(ctx, [ticket]))(ticket);
  const { author_name } = data;
  const facts = {
    ticket_number: ticket.ticket_number,
    subject: ticket.subject,
    status: ticket.status,
    priority: ticket.priority,
    job_type: ticket.job_type,
    company_name: names.company_name,
  };
  if (data.kind === 'approval') {
    // Somebody may have decided, or withdrawn it, meanwhile.
    if (ticket.approval_status !== 'pending') return;
    const asked = { ...facts, description: ticket.description, requester_name: names.requester_name ?? '' };
    const requester = ticket.requester_employee_number;
    const approvers = requester === null ? [] : await readApprovers(ctx, requester);
    for (const to of approvers) sendMail(ctx, ApprovalRequestedMail, { to, data: asked });
    return;
  }
  const to = await readRecipient(ctx, ticket.requester_employee_number);
  if (!to) return;
  switch (data.kind) {
    case 'created':
      return void sendMail(ctx, TicketCreatedMail, {
        to,
        data: { ...facts, description: ticket.description, author_name },
      });
    case 'commented':
      return void sendMail(ctx, TicketCommentMail, { to, data: { ...facts, comment: data.comment, author_name } });
    case 'closed': {
      // It may be open again by now.
      if (ticket.status !== 'closed') return;
      const comment = await readClosingWords(ctx, ticket);
      return void sendMail(ctx, TicketClosedMail, { to, data: { ...facts, comment, author_name } });
    }
  }
}

/** What was said to the customer when the ticket was closed, such as the reason of a rejection. */
async function readClosingWords(ctx: Context, { ticket_id, closed_at }: Ticket): Promise<string> {
  if (closed_at === null) return '';
  const said = await ctx.db.find(TicketComment, { ticket_id, created_at: closed_at, ...publicComments });
  return said.map((each) => each.comment).join('\n\n');
}
