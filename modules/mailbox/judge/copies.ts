// People who get a copy of a mail about a ticket: they watch it.
import { In, IsNull, normalised, type Context } from '@keelson/core';
import type { ActsFor } from '@keelson/modules/accounts';
import { Employee } from '@keelson/modules/directory';
import { addWatchers, type Ticket } from '@keelson/modules/tickets';
import { UndeliverableAddress, type Mailbox } from '../entities.ts';
import { readOwnAddresses } from '../mailboxes/addresses.ts';
import type { ParsedMail } from '../parse/parse.ts';
import { personOf } from './person-of.ts';

/** Maximum addresses of a mail whose people are added. */
const MOST = 20;

/**
 * Adds the people in To and Cc of a reply to the watchers of a locked ticket: contacts of its company, and technicians if
 * a technician wrote it. Everyone else only has the reply itself, and sees nothing of the ticket.
 */
export async function watchCopied(ctx: Context, mailbox: Mailbox, mail: ParsedMail, ticket: Ticket): Promise<void> {
  const people = (await readCopied(ctx, mailbox, mail)).filter(
    ({ type, id }) => type !== 'employee' || id !== ticket.requester_employee_number,
  );
  await addWatchers(
    ctx,
    ticket,
    people.map(({ type, id }) => (type === 'technician' ? { user_id: id } : { employee_number: id })),
  );
}

/** Returns the active contacts of a company in To and Cc of a customer's request. */
export async function readCopiedContacts(
  ctx: Context,
  mailbox: Mailbox,
  mail: ParsedMail,
  company_number: number,
): Promise<number[]> {
  const copied = (await readCopied(ctx, mailbox, mail)).map(({ id }) => id);
  if (copied.length === 0) return [];
  const where = { employee_number: In(copied), company_number, status: 'Active', deleted_at: IsNull() } as const;
  return (await ctx.db.findBy(Employee, where)).map(({ employee_number }) => employee_number);
}

/**
 * Returns the people in To and Cc of a mail whom its author may add as watchers. Customers add contacts, as in the
 * portal, and no one if the mail gets no automatic reply. Addresses that are ours or undeliverable are left out.
 */
async function readCopied(ctx: Context, mailbox: Mailbox, mail: ParsedMail): Promise<ActsFor[]> {
  const { author } = ctx;
  const byTechnician = author.type === 'technician';
  if (!byTechnician && mail.unanswerable !== undefined) return [];
  const { to, cc } = mail.addressees;
  const own = new Set(await readOwnAddresses(ctx, mailbox));
  const addresses = new Set([...to, ...cc].map(({ address }) => normalised(address)));
  const others = [...addresses].filter((each) => each !== '' && !own.has(each)).slice(0, MOST);
  if (others.length === 0) return [];
  const returned = await ctx.db.findBy(UndeliverableAddress, { email_key: In(others) });
  const people: ActsFor[] = [];
  for (const address of others.filter((each) => returned.every(({ email_key }) => email_key !== each))) {
    const person = await personOf(ctx, address);
    if (!person || (person.type === author.type && person.id === author.id)) continue;
    if (byTechnician || person.type === 'employee') people.push(person);
  }
  return people;
}
