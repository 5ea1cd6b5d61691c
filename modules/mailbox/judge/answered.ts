// Which ticket a mail replies to: by its references to sent and received mails, or by a number in its subject.
import { In, IsNull, unlessFound, type Admin, type Context, type EmployeeActor } from '@keelson/core';
import { findVisibleTicket, lockSurvivor, takesPart, Ticket, ticketOfMail } from '@keelson/modules/tickets';
import { MailboxThread } from '../entities.ts';
import type { ParsedMail } from '../parse/parse.ts';

/** What names a ticket in a mail. */
export type Naming = Pick<ParsedMail, 'references' | 'subject'>;

/** The author of a mail as its context. */
export type Person = Context<EmployeeActor | Admin>;

export const isEmployee = (ctx: Person): ctx is Context<EmployeeActor> =>
  (ctx.actor as object | undefined) !== undefined && 'company_number' in ctx.actor;

/** Returns the ticket a mail replies to, if visible to the author. Of several in the subject, the one they take part in. */
export async function findNamed(ctx: Person, mail: ParsedMail): Promise<Ticket | null> {
  const referred = await threadOf(ctx, mail);
  const named = referred === undefined ? await ticketsBySubject(ctx, mail) : [referred];
  const visible: Ticket[] = [];
  for (const ticket_id of named) {
    const ticket = await readVisible(ctx, ticket_id);
    if (ticket) visible.push(ticket);
  }
  const [first, ...others] = visible;
  if (!first) return null;
  return others.length > 0 ? ((await findOwn(ctx, visible)) ?? first) : first;
}

/** Returns the ticket that a mail names, whether or not its author can see it. */
export async function findAbout(ctx: Context, mail: Naming): Promise<number | null> {
  const named = (await threadOf(ctx, mail)) ?? (await ticketsBySubject(ctx, mail))[0];
  const ticket = named && (await ctx.db.findOneBy(Ticket, { ticket_id: named, deleted_at: IsNull() }));
  return ticket ? (await lockSurvivor(ctx, ticket)).ticket_id : null;
}

const readVisible = (ctx: Person, ticket_id: number): Promise<Ticket | null | undefined> =>
  isEmployee(ctx)
    ? findVisibleTicket(ctx, ticket_id).catch(unlessFound)
    : ctx.db.findOneBy(Ticket, { ticket_id, deleted_at: IsNull() });

/** Returns the first ticket that the author takes part in, or is assigned to. */
async function findOwn(ctx: Person, tickets: readonly Ticket[]): Promise<Ticket | undefined> {
  for (const each of tickets)
    if (isEmployee(ctx) ? await takesPart(ctx, each) : each.assigned_to === ctx.author.id) return each;
  return undefined;
}

/** Returns the ticket a mail replies to, by its references to sent and received mails. */
export async function threadOf(ctx: Context, { references }: Naming): Promise<number | undefined> {
  const ours = references.flatMap((each) => /^<([0-9a-f]{32})@/.exec(each)?.[1] ?? []);
  const sent = await ticketOfMail(ctx, ours);
  if (sent !== undefined || references.length === 0) return sent;
  const found = await ctx.db.findBy(MailboxThread, { message_key: In([...references]) });
  return references.map((each) => found.find(({ message_key }) => message_key === each)?.ticket_id).find(Boolean);
}

const NUMBERS = /\[#(\d{1,12})\]/g;
/** Maximum numbers of a subject to look up. */
const MOST_NUMBERS = 10;

/** Returns the tickets whose numbers are in the subject, in its order. */
export async function ticketsBySubject(ctx: Context, { subject }: Naming): Promise<number[]> {
  const numbers = [...subject.matchAll(NUMBERS)].map(([, digits]) => Number(digits)).slice(0, MOST_NUMBERS);
  if (numbers.length === 0) return [];
  const found = await ctx.db.findBy(Ticket, { ticket_number: In(numbers), deleted_at: IsNull() });
  return numbers.flatMap((each) => found.find(({ ticket_number }) => ticket_number === each)?.ticket_id ?? []);
}
