// Mails written by technicians.
import { normalised, Not, type Context } from '@keelson/core';
import { explained } from '@keelson/core/kit';
import { Mail } from '@keelson/core/system';
import { findByAddress } from '@keelson/modules/directory';
import {
  addComment,
  commentOnTicket,
  createTicket,
  lockTicket,
  TechnicianMail,
  type Ticket,
} from '@keelson/modules/tickets';
import type { Mailbox } from '../entities.ts';
import type { ParsedMail } from '../parse/parse.ts';
import type { Person } from './answered.ts';
import { watchCopied } from './copies.ts';
import { subjectOf, textOf, usualFields, type Judging, type Outcome } from './outcome.ts';
import { personOf } from './person-of.ts';

/** Begins a technician's mail that only colleagues may read. */
const NOTE = /^[ \t]*#(?:note|internal|notiz|intern|interne?)\b[ \t:]*/i;

/** A technician's mail: a reply or a note on the ticket it answers, or a customer's mail that is forwarded. */
export async function ofTechnician(ctx: Person, judging: Judging, answered: Ticket | null): Promise<Outcome> {
  const { mail, mailbox } = judging;
  if (!answered && mail.isForward) return ofForwarded(ctx, judging);
  if (!answered) return { state: 'review', reason: 'Sent by a technician, but not a reply to a ticket' };
  const ticket = await lockTicket(ctx, answered.ticket_id);
  const internal = await whyInternal(ctx, judging);
  const comment = textOf(mail).replace(NOTE, '').trim() || 'See the attached files.';
  const { comment_id } = await commentOnTicket(ctx, ticket, {
    comment,
    is_internal: internal !== undefined,
    // It is mailed with its files, once they are attached.
    ...(mail.files.length > 0 && { unmailed: 'everyone' }),
  });
  if (internal !== undefined)
    return { state: 'note', reason: `${internal}: kept as an internal note`, ticket, comment_id };
  // After the reply, which they already have.
  await watchCopied(ctx, mailbox, mail, ticket);
  return { state: 'comment', reason: 'Reply to the ticket', ticket, comment_id };
}

/** Returns why customers may not see a technician's mail; undefined if they may. */
async function whyInternal(ctx: Context, { mail, mailbox }: Judging): Promise<string | undefined> {
  // A forged sender must not be able to reply to customers as a technician.
  if (!mail.verified) return explained('The sender could not be verified');
  if (NOTE.test(mail.text)) return explained('Marked as internal');
  if (isForNotes(mail, mailbox)) return explained('Sent to the address for internal notes');
  if (mail.isForward) return explained('Forwarded by a technician');
  if (await repliesToStaff(ctx, mail)) return explained('Reply to a mail for technicians');
  return undefined;
}

function isForNotes({ addressees: { to, cc } }: ParsedMail, { note_address }: Mailbox): boolean {
  if (!note_address) return false;
  const key = normalised(note_address);
  return [...to, ...cc].some(({ address }) => normalised(address) === key);
}

/**
 * Returns true if a mail replies to one that we sent to a technician, such as an alert, which no customer has seen. Mails
 * about replies and assignments say that an answer goes to the customer.
 */
async function repliesToStaff(ctx: Context, { references }: ParsedMail): Promise<boolean> {
  const [nearest] = references.flatMap((each) => /^<([0-9a-f]{32})@/.exec(each)?.[1] ?? []);
  if (nearest === undefined) return false;
  const sent = await ctx.db.findOneBy(Mail, { mail_id: nearest, template: Not(TechnicianMail.key) });
  return sent !== null && (await personOf(ctx, sent.recipient_address))?.type === 'technician';
}

/** A mail that a technician forwards becomes a ticket of the contact who wrote it; the technician's words become a note. */
async function ofForwarded(ctx: Person, { mail, mailbox }: Judging): Promise<Outcome> {
  const { forwarded } = mail;
  if (!mail.verified)
    return { state: 'review', reason: 'Forwarded by a technician, but the sender could not be verified' };
  if (!forwarded) return { state: 'review', reason: 'Forwarded by a technician, but it does not name who wrote it' };
  const { address, remark } = forwarded;
  const requester = await findByAddress(ctx, address);
  if (!requester)
    return {
      state: 'review',
      reason: `Forwarded by a technician, but no contact has the address ${address}`.slice(0, 500),
    };
  const ticket = await createTicket(ctx, {
    company_number: requester.company_number,
    employee_number: requester.employee_number,
    usual_site_number: requester.site_number,
    subject: subjectOf(mail),
    description: textOf({ ...mail, text: forwarded.text }),
    source: 'mail',
    ...usualFields(mailbox),
  });
  if (remark !== '') addComment(ctx, ticket, { comment: remark, is_internal: true });
  return { state: 'ticket', reason: `Forwarded by a technician from ${address}`.slice(0, 500), ticket };
}
