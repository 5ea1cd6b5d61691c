// Ticket mails. A change only emits a notice; the subscriber looks up the recipient and checks that the mail is still
// due.
import {
  In,
  IsNull,
  LessThan,
  sendMail,
  showOne,
  view,
  type Context,
  type Occurrence,
  type Timestamp,
  type z,
} from '@keelson/core';
import { readStoredFiles } from '@keelson/core/attachments';
import type { Letter, MailTemplate } from '@keelson/core/mail';
import { readSlot, worded, type Spoken } from '@keelson/core/plugin';
import { CompanyNames, EmployeeNames, readApprovers, readPeople, readRecipient } from '@keelson/modules/directory';
import { approvalLink } from './approvals/approval-link.ts';
import { Ticket, TicketComment, TicketMail, TicketWatcher } from './entities.ts';
import { TicketConcern, TicketFollowed, TicketNotice } from './events.ts';
import {
  ApprovalRequestedMail,
  TechnicianMail,
  TicketClosedMail,
  TicketCommentMail,
  TicketCreatedMail,
  TicketWatchedMail,
} from './mail-templates.ts';
import { TicketReplies, TicketSurveys } from './related/links.ts';
import { readMergedInto, readMergedRequesters, type MergedRequester } from './related/merged-into.ts';
import { TicketNoun } from './ticket/list.ts';
import { publicComments } from './ticket/visible.ts';

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

/** Notifies the requesters of tickets, and those of tickets merged into them (T-31). Returns the latter. */
export async function notifyRequesters(
  ctx: Context,
  tickets: readonly Ticket[],
  kind: Notice['kind'],
  comment = '',
): Promise<MergedRequester[]> {
  const merged = await readMergedRequesters(ctx, tickets);
  for (const ticket of tickets) {
    notifyRequester(ctx, ticket, kind, comment);
    for (const { ticket_id, requester: requester_employee_number } of merged)
      if (ticket_id === ticket.ticket_id) notifyRequester(ctx, { ...ticket, requester_employee_number }, kind, comment);
  }
  return merged;
}

/** Mails a technician's comment, added unmailed, to contacts once the files that came with it are attached (T-46). */
export async function mailComment(
  ctx: Context,
  ticket: Ticket,
  { comment_id, comment, author_name, created_at }: TicketComment,
): Promise<void> {
  const { ticket_id, requester_employee_number: own } = ticket;
  const merged = (await readMergedRequesters(ctx, [ticket])).map((each) => each.requester);
  const requesters = own === null ? merged : [own, ...merged];
  // Those who were added with the comment already have it.
  const watching = { ticket_id, kind: 'contact', created_at: LessThan(created_at) } as const;
  const watchers = (await ctx.db.findBy(TicketWatcher, watching)).map(({ person_id }) => person_id);
  const said = { kind: 'commented', ticket_id, author_name, personal: true, comment, comment_id } as const;
  for (const requester of requesters) ctx.emit(TicketNotice, { ...said, requester });
  for (const requester of watchers.filter((each) => !requesters.includes(each)))
    ctx.emit(TicketNotice, { ...said, requester, watcher: true });
}

/** Notifies a contact that they were added as a watcher, unless they did it themselves. */
export function notifyAdded(ctx: Context, { ticket_id }: Ticket, employee_number: number): void {
  if (ctx.author.type === 'employee' && ctx.author.id === employee_number) return;
  const { name: author_name } = ctx.author;
  ctx.emit(TicketNotice, {
    kind: 'watched',
    ticket_id,
    requester: employee_number,
    watcher: true,
    author_name,
    personal: false,
    comment: '',
  });
}

interface Followed {
  /** Event types that technicians are notified of. */
  readonly kind: z.infer<(typeof TicketFollowed)['shape']>['kind'];
  /** Mails that contacts get; undefined for events that customers do not see. */
  readonly mail?: Notice['kind'] | undefined;
  readonly comment?: string;
  /** Technicians who are already notified otherwise. */
  readonly except?: readonly number[];
  /** Contacts who are mailed separately, besides the requester. */
  readonly mailed?: readonly MergedRequester[];
}

/** Notifies the watchers of tickets, except the author and contacts who get the requester's mails anyway. */
export async function notifyWatchers(
  ctx: Context,
  tickets: readonly Ticket[],
  { kind, mail, comment = '', except = [], mailed = [] }: Followed,
): Promise<void> {
  if (tickets.length === 0) return;
  const watchers = await ctx.db.findBy(TicketWatcher, { ticket_id: In(tickets.map((each) => each.ticket_id)) });
  const { type, id, name: author_name } = ctx.author;
  for (const { ticket_id, kind: is, person_id } of watchers) {
    const own = id === person_id && type === (is === 'contact' ? 'employee' : 'technician');
    if (own) continue;
    if (is === 'technician') {
      if (!except.includes(person_id)) ctx.emit(TicketFollowed, { kind, ticket_id, user_id: person_id, author_name });
      continue;
    }
    const ticket = tickets.find((each) => each.ticket_id === ticket_id);
    const isMailed = mailed.some((each) => each.ticket_id === ticket_id && each.requester === person_id);
    if (!mail || !ticket || ticket.requester_employee_number === person_id || isMailed) continue;
    const personal = type === 'technician';
    ctx.emit(TicketNotice, {
      kind: mail,
      ticket_id,
      requester: person_id,
      watcher: true,
      author_name,
      personal,
      comment,
    });
  }
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
export async function mailNotice(ctx: Context, { data, at }: Occurrence<Notice>): Promise<void> {
  const ticket = await ctx.db.findOneBy(Ticket, { ticket_id: data.ticket_id, deleted_at: IsNull() });
  if (!ticket) return;
  if (data.kind === 'approval') return mailApprovers(ctx, ticket);
  const to = await recipientOf(ctx, ticket, data);
  if (!to) return;
  const { author_name } = data;
  const { sender, ...thread } = await threadOf(ctx, ticket);
  const send = <V extends string>(template: MailTemplate<V>, letter: Letter<V>) =>
    sendOnTicket(ctx, ticket, template, { ...letter, sender });
  const facts = { ...(await showOne(ctx, MailedTicket, ticket)), reply_line: replyLine(thread) };
  switch (data.kind) {
    case 'created':
      return send(TicketCreatedMail, { to, thread, data: { ...facts, description: ticket.description, author_name } });
    case 'watched':
      return send(TicketWatchedMail, { to, thread, data: { ...facts, description: ticket.description, author_name } });
    case 'commented':
      return send(TicketCommentMail, {
        to,
        // Mails by a technician carry that person's name as the sender.
        ...(data.personal
          ? {
              headers: { ...thread, from_name: author_name },
              files: await readReplyFiles(ctx, ticket, { at, ...data }),
            }
          : { thread }),
        data: { ...facts, comment: data.comment, author_name },
      });
    case 'closed': {
      // The ticket may have been reopened since.
      if (ticket.status !== 'closed') return;
      const comment = await readClosingComments(ctx, ticket);
      const survey = await readSurvey(ctx, ticket, data);
      const files = data.personal && comment !== '' ? await readReplyFiles(ctx, ticket, { at }) : [];
      return send(TicketClosedMail, { to, thread, files, data: { ...facts, comment, author_name, survey } });
    }
  }
}

/**
 * Returns the files that the provider has attached to a ticket since its last public reply, which belong to this reply,
 * and those of the comment itself, which may have been attached later.
 */
async function readReplyFiles(
  ctx: Context,
  { ticket_id: record_id, created_at }: Ticket,
  { at, comment_id }: { readonly at: Timestamp; readonly comment_id?: number | undefined },
) {
  const reply = comment_id === undefined ? null : await ctx.db.findOneBy(TicketComment, { comment_id });
  const to = reply?.created_at ?? at;
  const where = {
    ticket_id: record_id,
    author_type: 'technician',
    created_at: LessThan(to),
    ...publicComments,
  } as const;
  const last = await ctx.db.findOne(TicketComment, { where, order: { created_at: 'DESC' } });
  const files = await readStoredFiles(ctx, Ticket, { record_id, from: last?.created_at ?? created_at, to });
  if (!reply) return files;
  const { comment_id: part_id } = reply;
  return [...files, ...(await readStoredFiles(ctx, Ticket, { record_id, part_id, from: to, to: at }))];
}

/** Returns the recipient of a notice. A watcher must still watch the ticket and belong to its company. */
async function recipientOf(ctx: Context, ticket: Ticket, { requester, watcher }: Notice) {
  const { ticket_id, company_number, requester_employee_number } = ticket;
  if (!watcher) return readRecipient(ctx, requester ?? requester_employee_number);
  const person_id = requester ?? 0;
  if (!(await ctx.db.existsBy(TicketWatcher, { ticket_id, kind: 'contact', person_id }))) return undefined;
  return (await readPeople(ctx, company_number, [person_id]))[0];
}

/** The line above which to reply; incoming replies are cut at it. Without an address for replies there is none. */
const replyLine = (thread: object): Spoken =>
  'reply_to' in thread ? worded('##- Please reply above this line -##') : '';

interface News {
  /** What happened. */
  readonly news: Spoken;
  /** The text that came with it. */
  readonly text: string;
}

/** Mails a technician about a ticket. A reply reaches the customer if the ticket's mails have an address for replies. */
export async function mailTechnician(
  ctx: Context,
  ticket: Ticket,
  { name, email: address }: { readonly name: string; readonly email: string },
  { news, text }: News,
): Promise<void> {
  const { sender, ...thread } = await threadOf(ctx, ticket);
  const reply_hint =
    'reply_to' in thread
      ? worded('Reply to this mail to answer the customer. Begin with #note for an internal note.')
      : '';
  const ticket_url = `${ctx.app.config.baseUrl}/admin/tickets/${ticket.ticket_number}`;
  const facts = await showOne(ctx, MailedTicket, ticket);
  const data = { ...facts, reply_line: replyLine(thread), news, text, ticket_url, reply_hint };
  await sendOnTicket(ctx, ticket, TechnicianMail, { to: { name, address }, thread, data, sender });
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
 * Returns the sender and the thread headers: a shared reference groups a ticket's mails in mail clients, and `reply_to` routes the
 * replies.
 */
async function threadOf(ctx: Context, { ticket_id }: Ticket) {
  const replies = await readSlot(ctx, TicketReplies, [ticket_id]);
  const { reply_to, references, sender, from_address } = replies(ticket_id);
  return {
    references: [`ticket-${ticket_id}`, ...references],
    ...(reply_to !== null && { reply_to }),
    ...(from_address !== null && { from_address }),
    sender: sender ?? undefined,
  };
}

async function mailApprovers(ctx: Context, ticket: Ticket): Promise<void> {
  const { ticket_id, approval_status, description, requester_employee_number: requester } = ticket;
  // The approval may have been decided or withdrawn since.
  if (approval_status !== 'pending' || requester === null) return;
  const facts = await showOne(ctx, MailedTicket, ticket);
  const names = await ctx.app.names.get(ctx.db, EmployeeNames, [requester]);
  const data = { ...facts, description, requester_name: names.get(requester) ?? '' };
  const { sender, ...thread } = await threadOf(ctx, ticket);
  for (const to of await readApprovers(ctx, requester)) {
    const approval_link = approvalLink(ctx.app, { ticket_id, employee_number: to.employee_number });
    await sendOnTicket(ctx, ticket, ApprovalRequestedMail, { to, thread, data: { ...data, approval_link }, sender });
  }
}

/** Returns the public comments stored with the closing, such as a rejection reason. */
async function readClosingComments(ctx: Context, { ticket_id, closed_at }: Ticket): Promise<string> {
  if (closed_at === null) return '';
  const comments = await ctx.db.findBy(TicketComment, { ticket_id, created_at: closed_at, ...publicComments });
  return comments.map((each) => each.comment).join('\n\n');
}

/** Returns the rating request with a link for each answer. Only the requester is asked, and not about a merged ticket. */
async function readSurvey(ctx: Context, ticket: Ticket, { requester, watcher }: Notice): Promise<Spoken> {
  if ((await readMergedInto(ctx, ticket.ticket_id)) !== null) return '';
  if (watcher || (requester !== undefined && requester !== ticket.requester_employee_number)) return '';
  const page = (await readSlot(ctx, TicketSurveys, [ticket.ticket_id]))(ticket.ticket_id);
  if (page === null) return '';
  return worded('How did we do?\nGood: {good}\nOkay: {okay}\nBad: {bad}', {
    good: `${page}&score=good`,
    okay: `${page}&score=okay`,
    bad: `${page}&score=bad`,
  });
}
