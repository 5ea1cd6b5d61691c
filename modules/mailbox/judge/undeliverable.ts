// Addresses whose mails bounce permanently. Automatic mails to them stop; mails written by people are sent with a
// warning.
import { In, normalised, z, type Context } from '@keelson/core';
import { Mail } from '@keelson/core/system';
import { findEmployee, listAddresses, readApprovers, readPeople } from '@keelson/modules/directory';
import { TicketWatcher, type Ticket } from '@keelson/modules/tickets';
import { UndeliverableAddress } from '../entities.ts';
import type { ParsedMail } from '../parse/parse.ts';

export const Undeliverable = z.object({ address: z.string(), why: z.string(), created_at: z.iso.datetime() });

/**
 * Marks addresses that a delivery report says failed permanently, but only if we sent the mail to that address: anyone
 * can forge a report, but our Message-IDs cannot be guessed.
 */
export async function markUndeliverable(ctx: Context, mail: ParsedMail, ticket_id: number | null): Promise<void> {
  const failed = mail.undelivered.filter((each) => each.isFinal);
  const ids = mail.references.flatMap((each) => /^<([0-9a-f]{32})@/.exec(each)?.[1] ?? []);
  if (failed.length === 0 || ids.length === 0) return;
  const sent = await ctx.db.findBy(Mail, { mail_id: In(ids) });
  const reached = new Set(sent.map((each) => normalised(each.recipient_address)));
  for (const { address, why } of failed) {
    const email_key = normalised(address);
    if (!reached.has(email_key) || (await ctx.db.existsBy(UndeliverableAddress, { email_key }))) continue;
    await ctx.db.insert(UndeliverableAddress, { email_key, address, why, ticket_id, created_at: ctx.now });
  }
}

/**
 * Clears the mark of an address, because a mail arrived from it or a person confirmed it. Returns whether it was
 * marked.
 */
export async function clearUndeliverable({ db }: Context, address: string): Promise<boolean> {
  return (await db.delete(UndeliverableAddress, { email_key: normalised(address) })).affected > 0;
}

/** Returns why automatic mails to an address are not sent; undefined if they are. */
export async function mailStop({ db }: Context, address: string): Promise<string | undefined> {
  const found = await db.findOneBy(UndeliverableAddress, { email_key: normalised(address) });
  return found ? `Mails to ${found.address} came back since ${found.created_at.slice(0, 10)}: ${found.why}` : undefined;
}

/** Returns the marked addresses of a contact. */
export async function readOfContact(ctx: Context, employee_number: number): Promise<UndeliverableRow[]> {
  const { email } = await findEmployee(ctx, employee_number);
  const others = await listAddresses(ctx, employee_number);
  return readMarked(ctx, [email, ...others.map((each) => each.email)]);
}

/** Clears the marks of a contact's addresses on behalf of an administrator or technician. */
export async function clearOfContact(ctx: Context, employee_number: number): Promise<void> {
  const marked = await readOfContact(ctx, employee_number);
  for (const { address } of marked) await clearUndeliverable(ctx, address);
  if (marked.length === 0) return;
  ctx.record({
    action: 'update',
    entity_type: 'contact',
    entity_id: employee_number,
    description: `Mails to ${marked.map((each) => each.address).join(', ')} are sent again`,
  });
}

/** Returns the marked recipients of a ticket's mails: requester, watchers, and who is to approve it. */
export async function readOfTicket(ctx: Context, ticket: Ticket): Promise<UndeliverableRow[]> {
  const { ticket_id, company_number, requester_employee_number: requester, approval_status } = ticket;
  const watchers = await ctx.db.findBy(TicketWatcher, { ticket_id, kind: 'contact' });
  const numbers = [...watchers.map((each) => each.person_id), ...(requester === null ? [] : [requester])];
  const people = await readPeople(ctx, company_number, numbers);
  const approvers = approval_status === 'pending' && requester !== null ? await readApprovers(ctx, requester) : [];
  return readMarked(
    ctx,
    [...people, ...approvers].map((each) => each.address),
  );
}

type UndeliverableRow = z.infer<typeof Undeliverable>;

async function readMarked({ db }: Context, addresses: readonly string[]): Promise<UndeliverableRow[]> {
  const keys = [...new Set(addresses.map(normalised))];
  if (keys.length === 0) return [];
  const rows = await db.findBy(UndeliverableAddress, { email_key: In(keys) });
  return rows.map(({ address, why, created_at }) => ({ address, why, created_at }));
}
