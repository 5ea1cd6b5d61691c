// Decides the outcome of a mail: a new ticket, a reply or note on one, or manual review. Each mail is processed once,
// in one transaction with its effects, as the person who wrote it.
import {
  conflict,
  IsNull,
  MoreThan,
  normalised,
  plus,
  type Context,
  type EmployeeActor,
  type Timestamp,
} from '@keelson/core';
import { explained } from '@keelson/core/kit';
import { contextAs, type ActsFor } from '@keelson/modules/accounts';
import { Employee } from '@keelson/modules/directory';
import {
  commentOnTicket,
  createTicket,
  lockSurvivor,
  lockTicket,
  maySetWatchers,
  reopenAnswered,
  takesPart,
  Ticket,
} from '@keelson/modules/tickets';
import { Mailbox, MailboxMessage, MailboxThread } from '../entities.ts';
import { readOwnAddresses } from '../mailboxes/addresses.ts';
import { setOutcome } from '../messages/waiting.ts';
import type { Automatic, ParsedMail, Unanswerable } from '../parse/parse.ts';
import { forgetMail, readMail } from '../parse/read-mail.ts';
import { orUnreadable, standIn, unkept, Unreadable } from '../parse/unreadable.ts';
import { findAbout, findNamed, isEmployee, threadOf, ticketsBySubject, type Naming, type Person } from './answered.ts';
import { readCopiedContacts, watchCopied } from './copies.ts';
import { joinTicket } from './join-ticket.ts';
import { ofTechnician } from './of-technician.ts';
import { subjectOf, textOf, usualFields, type Judging, type Outcome } from './outcome.ts';
import { personOf } from './person-of.ts';
import { applyRule } from './sender-rules.ts';
import { clearUndeliverable, markUndeliverable } from './undeliverable.ts';

/** Maximum tickets per sender and hour, to stop runaway programs. */
const MOST_IN_AN_HOUR = 20;

/** Maximum replies of a sender to a ticket per hour, to stop programs from replying to each other endlessly. */
const MOST_REPLIES = 20;

/** Manual decision on a mail without a known sender. */
export interface Decided {
  /** The sender. */
  readonly employee_number?: number | undefined;
}

/** What is known about a mail before its turn. */
export type Prepared = { readonly at: Timestamp } & (
  | { readonly isDone: true }
  /** The outcome does not depend on the author. */
  | { readonly message: MailboxMessage; readonly outcome: Outcome; readonly mail?: ParsedMail }
  /** The author's context; null if the author may not act. */
  | { readonly judging: Judging; readonly ctx: Context | null }
);

/** Reads a mail and its author. */
export async function prepare(outside: Context, received_id: number, decided: Decided): Promise<Prepared> {
  const at = outside.app.clock.now();
  const message = await outside.db.findOneBy(MailboxMessage, { received_id });
  if (!message || !isOpen(message, decided)) return { at, isDone: true };
  const mailbox = await outside.db.findOneBy(Mailbox, { mailbox_id: message.mailbox_id });
  if (!mailbox) return { at, isDone: true };
  const read = (await readMail(outside, mailbox, message).catch(orUnreadable)) ?? unkept(message);
  const isUnread = read instanceof Unreadable;
  if (isUnread && decided.employee_number === undefined) return { at, message, outcome: failed(read) };
  const mail = isUnread ? unreadMail(message, read) : await asDecided(outside, read, decided);
  const judging = { message, mailbox, mail, isDecided: decided.employee_number !== undefined };
  const writer = await writerOf(outside, judging, decided);
  if ('state' in writer) return { at, message, outcome: writer, mail };
  return { at, judging, ctx: writer.type === 'program' ? outside : await contextAs(outside.app, writer) };
}

/**
 * Returns a mail as the contact wrote it to whom it is assigned: what a technician wrote above a mail they forwarded is
 * not the contact's. Programs still get no answer.
 */
async function asDecided(ctx: Context, mail: ParsedMail, { employee_number }: Decided): Promise<ParsedMail> {
  if (employee_number === undefined) return mail;
  const { forwarded, from, automatic, unanswerable } = mail;
  const isProgram = automatic !== undefined && automatic !== 'away';
  const isStaff = forwarded && (await personOf(ctx, from.address))?.type === 'technician';
  return {
    ...mail,
    ...(isStaff && { text: forwarded.text }),
    automatic: undefined,
    unanswerable: unanswerable ?? (isProgram ? 'suppressed' : undefined),
  };
}

/** What was read about the author longer ago is read again. */
const RECENT = { seconds: -2 } as const;

/** Processes a pending mail; does nothing if already processed. */
export async function judge(
  outside: Context,
  received_id: number,
  decided: Decided = {},
  preparing?: Promise<Prepared>,
): Promise<void> {
  const before = await preparing;
  const isRecent = before && before.at > plus(outside.app.clock.now(), RECENT);
  const prepared = isRecent ? before : await prepare(outside, received_id, decided);
  if ('isDone' in prepared) return;
  if ('outcome' in prepared) return settle(outside, prepared, decided);
  const { judging, ctx } = prepared;
  const { message, mail } = judging;
  const isAutomatic = mail.automatic !== undefined;
  // Out-of-office replies often reference nothing; the number in the subject counts if their author sees the ticket.
  const isPerson = ctx !== null && ctx !== outside;
  if (
    isAutomatic &&
    !(await threadOf(outside, mail)) &&
    !(isPerson && (await ticketsBySubject(outside, mail)).length > 0)
  )
    return settle(outside, { message, outcome: notAReply(mail), mail }, decided);
  if (!ctx && decided.employee_number !== undefined) throw conflict('The contact is inactive');
  if (!ctx) return settle(outside, { message, outcome: await unknownSender(outside, mail), mail }, decided);
  const outcome = await (ctx as Person).transaction(async (inside) => {
    const now = await inside.db.findOne(MailboxMessage, {
      where: { received_id },
      lock: { mode: 'pessimistic_write' },
    });
    if (!now || !isOpen(now, decided)) return undefined;
    // Two processes may hold copies of the same mail: the second one fails on the fingerprint and is rolled back.
    const twin = await inside.db.findOneBy(MailboxThread, { message_key: message.message_key });
    const done = twin ? elsewhere : await act(inside, judging);
    if (isReturn(mail)) await markUndeliverable(inside, mail, done.ticket?.ticket_id ?? null);
    else if (mail.automatic === undefined) await clearUndeliverable(inside, mail.from.address);
    await store(inside, now, done, mail);
    return done;
  });
  // Its files are still to be attached.
  if (!outcome?.ticket || mail.files.length === 0) forgetMail(outside, received_id);
}

const isReturn = ({ undelivered }: ParsedMail): boolean => undelivered.length > 0;

/** A mail sent to two of our mailboxes counts once. */
const elsewhere: Outcome = { state: 'ignored', reason: 'Also received by another mailbox' };

/** A mail server or other program, rather than a person. */
interface Program {
  readonly type: 'program';
}

/** A person can decide on a mail that failed or was ignored. */
const isOpen = ({ state }: MailboxMessage, { employee_number }: Decided): boolean =>
  state === 'stored' ||
  state === 'review' ||
  ((state === 'failed' || state === 'ignored') && employee_number !== undefined);

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
  if ((await readOwnAddresses(ctx, mailbox)).includes(address))
    return { state: 'ignored', reason: 'It was sent from our own address' };
  if (mail.receipt) return { state: 'ignored', reason: 'It is a read receipt' };
  const person = await personOf(ctx, address);
  if (person) return person;
  const ruled =
    mail.automatic === undefined || mail.automatic === 'away'
      ? await applyRule(ctx, mail, address, mailbox)
      : undefined;
  if (ruled) return ruled;
  return mail.automatic === undefined ? unknownSender(ctx, mail) : { type: 'program' };
}

/**
 * Decided on the mail's turn, because an earlier mail may have created the ticket. A subject alone may be that of a
 * request about an absence.
 */
function notAReply(mail: ParsedMail): Outcome {
  if (mail.automatic === 'away')
    return {
      state: 'review',
      reason: 'Its subject is that of an out-of-office reply, but it does not reply to a ticket',
    };
  const [lost] = mail.undelivered;
  if (lost)
    return {
      state: 'ignored',
      reason: `A mail that is not about a ticket could not be delivered to ${lost.address}`.slice(0, 500),
    };
  return { state: 'ignored', reason: `${automaticInWords(mail)} and not a reply to a ticket`, shown: true };
}

const automaticWords: Readonly<Record<Automatic, string>> = {
  program: explained('Automated mail'),
  report: explained('Mail server report'),
  list: explained('Mailing list mail'),
  bulk: explained('Bulk mail'),
  away: explained('Out-of-office reply'),
  invitation: explained('Invitation reply'),
};
const automaticInWords = ({ automatic }: ParsedMail): string => (automatic ? automaticWords[automatic] : '');

const unanswerableWords: Readonly<Record<Unanswerable, string>> = {
  suppressed: explained('it asks not to receive automatic replies'),
  no_reply: explained('its address does not accept replies'),
};

const failed = ({ message }: Unreadable): Outcome => ({
  state: 'failed',
  reason: `Cannot be read: ${message}`.slice(0, 500),
});

/** Stands in for a mail that cannot be read, once a person has decided whose it is. */
function unreadMail({ from_name, from_address, subject, addressees }: MailboxMessage, why: Unreadable): ParsedMail {
  return {
    from: { name: from_name, address: from_address },
    several: false,
    addressees: addressees ?? { to: [], cc: [] },
    subject,
    text: standIn(why),
    isForward: false,
    forwarded: undefined,
    references: [],
    automatic: undefined,
    unanswerable: undefined,
    undelivered: [],
    receipt: false,
    verified: false,
    files: [],
    leftOut: 0,
  };
}

async function unknownSender({ db }: Context, { from }: ParsedMail): Promise<Outcome> {
  const former = await db.existsBy(Employee, { email_key: normalised(from.address), deleted_at: IsNull() });
  const reason = former
    ? `The contact with the address ${from.address} is inactive`
    : `No contact has the address ${from.address}`;
  return { state: 'review', reason: reason.slice(0, 500) };
}

async function act(ctx: Person, judging: Judging): Promise<Outcome> {
  const { mail } = judging;
  const named = await findNamed(ctx, mail);
  // A merged ticket is continued by the surviving one (T-16).
  const ticket = named && (await lockSurvivor(ctx, named));
  if (mail.automatic !== undefined) return ticket ? note(ctx, ticket, mail) : notAReply(mail);
  if (!isEmployee(ctx)) return ofTechnician(ctx, judging, ticket);
  if (named && !(await mayReply(ctx, judging, named))) return unverified(named);
  return ofCustomer(ctx, judging, ticket);
}

/** Adds an automated mail as an internal note, without notifications. */
async function note(ctx: Person, { ticket_id }: Ticket, mail: ParsedMail): Promise<Outcome> {
  const ticket = await lockTicket(ctx, ticket_id);
  const lost = mail.undelivered.map(({ address, why }) =>
    [`A mail could not be delivered to ${address}`, why].filter(Boolean).join(': '),
  );
  const text = [...lost, `${mail.subject}\n\n${mail.text}`.trim()].join('\n\n');
  const { comment_id } = await commentOnTicket(ctx, ticket, { comment: text, is_internal: true, quiet: true });
  const [first] = mail.undelivered;
  const what = first ? explained(`A mail could not be delivered to ${first.address}`) : automaticInWords(mail);
  return { state: 'note', reason: `${what}: kept as an internal note`.slice(0, 500), ticket, comment_id };
}

async function ofCustomer(ctx: Context<EmployeeActor>, judging: Judging, answered: Ticket | null): Promise<Outcome> {
  const { mail, mailbox } = judging;
  const old = answered && isOld(ctx, answered, mailbox);
  if (answered && !old) {
    const ticket = await lockTicket(ctx, answered.ticket_id);
    const { ticket_id } = ticket;
    if ((await ctx.db.countBy(MailboxMessage, { ...ofLate(ctx, mail), ticket_id, state: 'comment' })) >= MOST_REPLIES)
      return { state: 'review', reason: `The sender has replied to the ticket ${MOST_REPLIES} times in the last hour` };
    // Other mail programs must not auto-reply to it.
    const quiet = mail.unanswerable !== undefined && ({ unmailed: 'everyone' } as const);
    const { comment_id } = await commentOnTicket(ctx, ticket, { comment: textOf(mail), is_internal: false, ...quiet });
    // The comment has changed the ticket.
    const now = await reopenAnswered(ctx, await lockTicket(ctx, ticket_id));
    if (maySetWatchers(ctx, now)) await watchCopied(ctx, mailbox, mail, now);
    const reason = now.status === 'closed' ? 'Reply to the ticket, which stays closed' : 'Reply to the ticket';
    return { state: 'comment', reason, ticket: now, comment_id };
  }
  if ((await ctx.db.countBy(MailboxMessage, { ...ofLate(ctx, mail), state: 'ticket' })) >= MOST_IN_AN_HOUR)
    return { state: 'review', reason: `The sender has created ${MOST_IN_AN_HOUR} tickets in the last hour` };
  if (!ctx.actor.can_create_tickets)
    return { state: 'review', reason: `${mail.from.address} does not have permission to create tickets`.slice(0, 500) };
  const unanswered = mail.unanswerable ? unanswerableWords[mail.unanswerable] : await answeredLately(ctx, mail);
  const watchers = await readCopiedContacts(ctx, mailbox, mail, ctx.actor.company_number);
  const before = old ? `Continued from ticket #${answered.ticket_number}.\n\n` : '';
  const ticket = await createTicket(ctx, {
    company_number: ctx.actor.company_number,
    employee_number: ctx.actor.employee_number,
    usual_site_number: ctx.actor.site_number,
    subject: subjectOf(mail),
    description: before + textOf(mail),
    source: 'mail',
    watchers,
    unconfirmed: unanswered !== undefined,
    ...usualFields(mailbox),
  });
  const reason = old ? 'Reply to a ticket closed long ago' : 'New request';
  if (unanswered === undefined) return { state: 'ticket', reason, ticket, answered: true };
  return { state: 'ticket', reason: `${reason}, not confirmed: ${unanswered}`, ticket };
}

/**
 * Returns true if a customer's mail may reply to a ticket that they can see. Everybody can forge a manager's address and
 * guess a ticket's number, but only those who were sent a mail can reply to it.
 */
const mayReply = async (ctx: Context<EmployeeActor>, { mail, isDecided }: Judging, ticket: Ticket): Promise<boolean> =>
  mail.verified || isDecided || (await takesPart(ctx, ticket)) || (await threadOf(ctx, mail)) !== undefined;

const unverified = ({ ticket_number }: Ticket): Outcome => ({
  state: 'review',
  reason: `The sender could not be verified, and is not part of ticket #${ticket_number}`,
});

/** Returns how much a sender has written in the last hour. */
const ofLate = ({ now }: Context, { from }: ParsedMail) => ({
  sender_key: normalised(from.address).slice(0, 254),
  received_at: MoreThan(plus(now, { hours: -1 })),
});

/** Stops endless loops of programs that reply to each other without marking their mails as automatic (RFC 3834). */
async function answeredLately(ctx: Context, mail: ParsedMail): Promise<string | undefined> {
  const lately = await ctx.db.existsBy(MailboxMessage, { ...ofLate(ctx, mail), state: 'ticket', answered: true });
  return lately ? explained('the sender was sent a confirmation in the last hour') : undefined;
}

/** Whether a reply comes too late to reopen a ticket, so that it opens a new one that refers to it. */
const isOld = ({ now }: Context, { status, closed_at }: Ticket, { reopen_days }: Mailbox): boolean =>
  status === 'closed' && closed_at !== null && closed_at <= plus(now, { days: -reopen_days });

/** Stores the outcome of a mail and links it to its ticket. */
async function store(ctx: Context, message: MailboxMessage, outcome: Outcome, mail: ParsedMail) {
  const { state, ticket, comment_id = null, answered = false } = outcome;
  const { files, leftOut } = mail;
  const reason =
    leftOut > 0 && ticket ? `${outcome.reason}. Only the first ${files.length} files were attached` : outcome.reason;
  const { ticket_id = null, company_number = null } = ticket ?? {};
  const joined = { ticket_id, company_number, comment_id, about_ticket_id: await ticketAbout(ctx, outcome, mail) };
  await setOutcome(ctx, message, { state, reason, answered, ...joined, ...seenIn(mail) });
  if (ticket) await joinTicket(ctx, message, ticket.ticket_id, files.length);
}

/** Returns the ticket that shows a mail which is held although it names it. */
async function ticketAbout(ctx: Context, { state, shown }: Outcome, mail: Naming): Promise<number | null> {
  return state === 'review' || state === 'failed' || shown ? findAbout(ctx, mail) : null;
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

interface Settled {
  readonly message: MailboxMessage;
  readonly outcome: Outcome;
  readonly mail?: ParsedMail;
}

async function settle(outside: Context, { message, outcome, mail }: Settled, decided: Decided): Promise<void> {
  const { received_id } = message;
  const { state, reason } = outcome;
  forgetMail(outside, received_id);
  await outside.transaction(async (ctx) => {
    const now = await ctx.db.findOne(MailboxMessage, { where: { received_id }, lock: { mode: 'pessimistic_write' } });
    if (!now || !isOpen(now, decided)) return;
    const about_ticket_id = await ticketAbout(ctx, outcome, mail ?? { subject: now.subject, references: [] });
    await setOutcome(ctx, now, { state, reason, about_ticket_id, ...(mail && seenIn(mail)) });
    if (mail && isReturn(mail)) await markUndeliverable(ctx, mail, null);
  });
}
