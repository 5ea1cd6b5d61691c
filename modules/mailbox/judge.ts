// Decides the outcome of a mail: a new ticket, a reply or note on one, or manual review. Each mail is processed once,
// in one transaction with its effects, as the person who wrote it.
import {
  In,
  IsNull,
  LessThan,
  MoreThan,
  normalised,
  plus,
  unlessFound,
  type Admin,
  type Context,
  type EmployeeActor,
} from '@keelson/core';
import { contextAs, type ActsFor } from '@keelson/modules/accounts';
import {
  commentOnTicket,
  createTicket,
  findVisibleTicket,
  lockTicket,
  reopenAnswered,
  Ticket,
  ticketOfMail,
} from '@keelson/modules/tickets';
import { Mailbox, MailboxMessage, MailboxThread } from './entities.ts';
import { addressesOf } from './addresses.ts';
import { joinTicket } from './join-ticket.ts';
import { parseMail, type ParsedMail } from './parse.ts';
import { personOf } from './person-of.ts';
import { readRaw } from './receive.ts';
import { clearUndeliverable, markUndeliverable } from './undeliverable.ts';

/** A reply within this many days reopens a closed ticket; later replies open a new one that refers to it. */
const REOPENED_DAYS = 14;

/** Maximum tickets per sender and hour, to stop runaway programs. */
const MOST_IN_AN_HOUR = 20;

/** Maximum replies of a sender to a ticket per hour, to stop programs that answer each other. */
const MOST_REPLIES = 20;

/** Manual decision on a mail without a known sender. */
export interface Decided {
  /** The sender. */
  readonly employee_number?: number | undefined;
}

interface Outcome {
  readonly state: MailboxMessage['state'];
  readonly reason: string;
  readonly ticket?: Ticket;
  readonly comment_id?: number;
  /** The sender is sent a confirmation. */
  readonly answered?: boolean;
}

interface Judging {
  readonly message: MailboxMessage;
  readonly mailbox: Mailbox;
  readonly mail: ParsedMail;
}

/** Maximum number of earlier mails to process first. */
const MOST_BEFORE = 50;

/** How long a mail that fails delays the later ones of its conversation. */
const DELAYED = { hours: -1 } as const;

/**
 * Processes a mail after the earlier pending mails of its mailbox, so that conversations keep their order with any
 * number of processes. A failing mail is retried separately. It blocks no other conversation, and its own for an hour.
 * @throws Error if the mail must wait for an earlier one of its conversation
 */
export async function judgeInTurn(outside: Context, received_id: number): Promise<void> {
  const message = await outside.db.findOneBy(MailboxMessage, { received_id });
  if (!message) return;
  const earlier = { mailbox_id: message.mailbox_id, state: 'stored', received_id: LessThan(received_id) } as const;
  const order = { received_id: 'ASC' } as const;
  const failed: MailboxMessage[] = [];
  for (const each of await outside.db.find(MailboxMessage, { where: earlier, order, take: MOST_BEFORE }))
    await judge(outside, each.received_id).catch((error: unknown) => {
      outside.log.warn({ err: error, received_id: each.received_id }, 'mailbox: an earlier mail is still pending');
      failed.push(each);
    });
  const recent = failed.filter((each) => each.received_at > plus(outside.now, DELAYED));
  if (recent.length > 0 && (await continuesOne(outside, message, recent)))
    throw new Error('An earlier mail of the conversation must be processed first');
  await judge(outside, received_id);
}

/** Returns whether a mail has the sender of one of the earlier mails, or answers one of them. */
async function continuesOne(ctx: Context, message: MailboxMessage, earlier: readonly MailboxMessage[]) {
  const sender = normalised(message.from_address);
  if (earlier.some((each) => normalised(each.from_address) === sender)) return true;
  const raw = await readRaw(ctx, message.received_id);
  // A mail that cannot be parsed is reported when it is processed itself; here it belongs to no conversation.
  const mail = raw && (await parseMail(raw, { address: '', aliases: null, authserv_id: '' }).catch(() => undefined));
  return earlier.some(({ message_id }) => message_id !== null && mail?.references.includes(message_id));
}

/** Processes a pending mail; does nothing if already processed. */
export async function judge(outside: Context, received_id: number, decided: Decided = {}): Promise<void> {
  const message = await outside.db.findOneBy(MailboxMessage, { received_id });
  if (!message || !isOpen(message)) return;
  const mailbox = await outside.db.findOneBy(Mailbox, { mailbox_id: message.mailbox_id });
  const raw = await readRaw(outside, received_id);
  if (!mailbox || !raw) return;
  const parsed = await parseMail(raw, mailbox).catch((error: unknown) => error);
  if (parsed instanceof Error) {
    const reason = `Cannot be read: ${parsed.message}`.slice(0, 500);
    return settle(outside, message, { state: 'failed', reason });
  }
  const mail = parsed as ParsedMail;
  const judging = { message, mailbox, mail };
  const writer = await writerOf(outside, judging, decided);
  if ('state' in writer) return settle(outside, message, writer, mail);
  const ctx = writer.type === 'program' ? outside : await contextAs(outside.app, writer);
  if (!ctx) return settle(outside, message, unknownSender(mail), mail);
  await (ctx as Person).transaction(async (inside) => {
    const now = await inside.db.findOne(MailboxMessage, {
      where: { received_id },
      lock: { mode: 'pessimistic_write' },
    });
    if (!now || !isOpen(now)) return;
    // Two processes may have two copies: the fingerprint of the second one is refused with its transaction.
    const twin = await inside.db.findOneBy(MailboxThread, { message_key: message.message_key });
    const outcome = twin ? elsewhere : await act(inside, judging);
    if (isReturn(mail)) await markUndeliverable(inside, mail, outcome.ticket?.ticket_id ?? null);
    else if (mail.automatic === undefined) await clearUndeliverable(inside, mail.from.address);
    await store(inside, message, outcome, mail);
  });
}

const isReturn = ({ undelivered }: ParsedMail): boolean => undelivered.length > 0;

/** A mail sent to two of our mailboxes counts once. */
const elsewhere: Outcome = { state: 'ignored', reason: 'Also received by another mailbox' };

/** A mail server or other program, rather than a person. */
interface Program {
  readonly type: 'program';
}

const isOpen = ({ state }: MailboxMessage): boolean => state === 'stored' || state === 'review';

/** Returns the author, or the outcome if the author is irrelevant. */
async function writerOf(
  ctx: Context,
  { mailbox, mail }: Judging,
  decided: Decided,
): Promise<ActsFor | Program | Outcome> {
  if (decided.employee_number !== undefined) return { type: 'employee', id: decided.employee_number };
  const address = normalised(mail.from.address);
  if (mail.several) return { state: 'review', reason: 'It has several senders' };
  if (address === '') return { state: 'review', reason: 'It has no sender' };
  const boxes = await ctx.db.findBy(Mailbox, { deleted_at: IsNull() });
  const own = [...[mailbox, ...boxes].flatMap(addressesOf), (await ctx.app.mail.sender(ctx)).address].map(normalised);
  if (own.includes(address)) return { state: 'ignored', reason: 'It was sent from our own address' };
  if (mail.receipt) return { state: 'ignored', reason: 'It is a read receipt' };
  if (mail.automatic !== undefined && !(await threadOf(ctx, mail)))
    return { state: 'ignored', reason: `${mail.automatic} and not a reply to a ticket` };
  const person = await personOf(ctx, address);
  if (person) return person;
  return mail.automatic === undefined ? unknownSender(mail) : { type: 'program' };
}

const unknownSender = ({ from }: ParsedMail): Outcome => ({
  state: 'review',
  reason: `No contact has the address ${from.address}`.slice(0, 500),
});

/** Returns the ticket a mail replies to, by its references to sent and received mails. */
async function threadOf(ctx: Context, { references }: ParsedMail): Promise<number | undefined> {
  const ours = references.flatMap((each) => /^<([0-9a-f]{32})@/.exec(each)?.[1] ?? []);
  const sent = await ticketOfMail(ctx, ours);
  if (sent !== undefined || references.length === 0) return sent;
  const found = await ctx.db.findBy(MailboxThread, { message_key: In([...references]) });
  return references.map((each) => found.find(({ message_key }) => message_key === each)?.ticket_id).find(Boolean);
}

type Person = Context<EmployeeActor | Admin>;
const isEmployee = (ctx: Person): ctx is Context<EmployeeActor> =>
  (ctx.actor as object | undefined) !== undefined && 'company_number' in ctx.actor;

async function act(ctx: Person, judging: Judging): Promise<Outcome> {
  const { mail } = judging;
  const ticket = await findAnswered(ctx, mail);
  if (mail.automatic !== undefined) return ticket ? note(ctx, ticket, mail) : ignored(mail);
  return isEmployee(ctx) ? ofCustomer(ctx, judging, ticket) : ofTechnician(ctx, mail, ticket);
}

const ignored = ({ automatic = '' }: ParsedMail): Outcome => ({ state: 'ignored', reason: automatic });

/** Returns the ticket a mail replies to, if visible to the author: by references, or by the number in the subject. */
async function findAnswered(ctx: Person, mail: ParsedMail): Promise<Ticket | null> {
  const ticket_id = (await threadOf(ctx, mail)) ?? (await ticketBySubject(ctx, mail));
  if (ticket_id === undefined) return null;
  if (!isEmployee(ctx)) return ctx.db.findOneBy(Ticket, { ticket_id, deleted_at: IsNull() });
  return (await findVisibleTicket(ctx, ticket_id).catch(unlessFound)) ?? null;
}

async function ticketBySubject(ctx: Person, { subject }: ParsedMail): Promise<number | undefined> {
  const [, number] = /\[#(\d{1,12})\]/.exec(subject) ?? [];
  if (number === undefined) return undefined;
  return (await ctx.db.findOneBy(Ticket, { ticket_number: Number(number), deleted_at: IsNull() }))?.ticket_id;
}

/** Adds an automated mail as an internal note, without notifications. */
async function note(ctx: Person, { ticket_id }: Ticket, mail: ParsedMail): Promise<Outcome> {
  const ticket = await lockTicket(ctx, ticket_id);
  const lost = mail.undelivered.map(({ address, why }) =>
    [`A mail could not be delivered to ${address}`, why].filter(Boolean).join(': '),
  );
  const text = [...lost, `${mail.subject}\n\n${mail.text}`.trim()].join('\n\n');
  const { comment_id } = await commentOnTicket(ctx, ticket, { comment: text, is_internal: true });
  const [first] = mail.undelivered;
  const what = first ? `A mail could not be delivered to ${first.address}` : mail.automatic;
  return { state: 'note', reason: `${what}: kept as an internal note`.slice(0, 500), ticket, comment_id };
}

async function ofTechnician(ctx: Person, mail: ParsedMail, answered: Ticket | null): Promise<Outcome> {
  if (!answered) return { state: 'review', reason: 'Sent by a technician, but not a reply to a ticket' };
  const ticket = await lockTicket(ctx, answered.ticket_id);
  // A forged address must not allow replies to customers in a technician's name.
  const is_internal = !mail.verified;
  const { comment_id } = await commentOnTicket(ctx, ticket, { comment: textOf(mail), is_internal });
  return is_internal
    ? { state: 'note', reason: 'The sender could not be verified: kept as an internal note', ticket, comment_id }
    : { state: 'comment', reason: 'Reply to the ticket', ticket, comment_id };
}

async function ofCustomer(
  ctx: Context<EmployeeActor>,
  { mail, mailbox }: Judging,
  answered: Ticket | null,
): Promise<Outcome> {
  const old = answered && isOld(ctx, answered);
  if (answered && !old) {
    const ticket = await lockTicket(ctx, answered.ticket_id);
    const { ticket_id } = ticket;
    if ((await ctx.db.countBy(MailboxMessage, { ...ofLate(ctx, mail), ticket_id, state: 'comment' })) >= MOST_REPLIES)
      return { state: 'review', reason: `The sender has replied to the ticket ${MOST_REPLIES} times in the last hour` };
    // Other programs must not answer it.
    const quiet = mail.unanswerable !== undefined && ({ unmailed: 'everyone' } as const);
    const comment = await commentOnTicket(ctx, ticket, { comment: textOf(mail), is_internal: false, ...quiet });
    // The comment changed the ticket, or went to the one it was merged into.
    const on = await lockTicket(ctx, comment.ticket_id);
    const now = await reopenAnswered(ctx, on);
    const reason = now.status === 'closed' ? 'Reply to the ticket, which stays closed' : 'Reply to the ticket';
    return { state: 'comment', reason, ticket: now, comment_id: comment.comment_id };
  }
  if ((await ctx.db.countBy(MailboxMessage, { ...ofLate(ctx, mail), state: 'ticket' })) >= MOST_IN_AN_HOUR)
    return { state: 'review', reason: `The sender has created ${MOST_IN_AN_HOUR} tickets in the last hour` };
  if (!ctx.actor.can_create_tickets)
    return { state: 'review', reason: `${mail.from.address} does not have permission to create tickets`.slice(0, 500) };
  const unanswered = mail.unanswerable ?? (await answeredLately(ctx, mail));
  const before = old ? `Continued from ticket #${answered.ticket_number}.\n\n` : '';
  const ticket = await createTicket(ctx, {
    company_number: ctx.actor.company_number,
    employee_number: ctx.actor.employee_number,
    usual_site_number: ctx.actor.site_number,
    subject: subjectOf(mail),
    description: before + textOf(mail),
    source: 'mail',
    unconfirmed: unanswered !== undefined,
    ...(mailbox.job_type !== null && { job_type: mailbox.job_type }),
    ...(mailbox.priority !== null && { priority: mailbox.priority }),
  });
  const reason = old ? 'Reply to a ticket closed long ago' : 'New request';
  if (unanswered === undefined) return { state: 'ticket', reason, ticket, answered: true };
  return { state: 'ticket', reason: `${reason}, not confirmed: ${unanswered}`, ticket };
}

/** What a sender has written in the last hour. */
const ofLate = ({ now }: Context, { from }: ParsedMail) => ({
  sender_key: normalised(from.address).slice(0, 254),
  received_at: MoreThan(plus(now, { hours: -1 })),
});

/** Programs that answer each other without saying so must not go on for ever (RFC 3834). */
async function answeredLately(ctx: Context, mail: ParsedMail): Promise<string | undefined> {
  const lately = await ctx.db.existsBy(MailboxMessage, { ...ofLate(ctx, mail), state: 'ticket', answered: true });
  return lately ? 'the sender was sent a confirmation in the last hour' : undefined;
}

const isOld = ({ now }: Context, { status, closed_at }: Ticket): boolean =>
  status === 'closed' && closed_at !== null && closed_at < plus(now, { days: -REOPENED_DAYS });

const textOf = ({ text, files }: ParsedMail): string =>
  text || (files.length > 0 ? 'See the attached files.' : 'This mail has no text.');

/** Strips reply prefixes and another ticket's number. */
const subjectOf = ({ subject }: ParsedMail): string =>
  subject
    .replace(/^(?:\s*(?:re|fwd?|aw|wg|sv|tr|rv)\s*:\s*)+/i, '')
    .replace(/\[#\d{1,12}\]\s*/, '')
    .trim()
    .slice(0, 255) || 'No subject';

/** Stores the outcome of a mail and links it to its ticket. */
async function store(ctx: Context, message: MailboxMessage, outcome: Outcome, mail: ParsedMail) {
  const { received_id } = message;
  const { state, reason, ticket, comment_id = null, answered = false } = outcome;
  const { ticket_id = null, company_number = null } = ticket ?? {};
  const joined = { ticket_id, company_number, comment_id };
  await ctx.db.update(MailboxMessage, { received_id }, { state, reason, answered, ...joined, ...seenIn(mail) });
  if (ticket) await joinTicket(ctx, message, ticket.ticket_id, mail.files.length);
}

/** Displayed fields of the parsed mail. */
const seenIn = ({ from, addressees, subject, verified }: ParsedMail) => ({
  from_name: from.name.slice(0, 255),
  from_address: from.address.slice(0, 254),
  sender_key: normalised(from.address).slice(0, 254),
  addressees: { to: [...addressees.to], cc: [...addressees.cc] },
  subject: subject.slice(0, 500),
  verified,
});

async function settle(
  outside: Context,
  { received_id }: MailboxMessage,
  { state, reason }: Outcome,
  mail?: ParsedMail,
) {
  await outside.transaction(async (ctx) => {
    const now = await ctx.db.findOne(MailboxMessage, { where: { received_id }, lock: { mode: 'pessimistic_write' } });
    if (!now || !isOpen(now)) return;
    await ctx.db.update(MailboxMessage, { received_id }, { state, reason, ...(mail && seenIn(mail)) });
  });
}
