// Decisions on mails from unknown senders: they become contacts, or are blocked.
import { conflict, findOr404, normalised, type Admin, type Context } from '@keelson/core';
import { domainOf } from '@keelson/modules/accounts';
import { addContact } from '@keelson/modules/directory';
import type { MailboxMessage } from '../entities.ts';
import { findUnused, findWaiting, MessageNoun } from '../messages/messages.ts';
import { setOutcome } from '../messages/waiting.ts';
import { judge } from './judge.ts';
import { createRule, ruleFor } from './sender-rules.ts';

interface NewContact {
  readonly company_number: number;
  readonly first_name: string;
  readonly last_name: string;
}

/**
 * Adds the sender as a contact, and processes the mail as theirs. Opens its own transactions.
 * @throws conflict() if the mail is processed or has no sender; as addContact() otherwise
 */
export async function addSender(
  outside: Context<Admin>,
  { received_id, from_address }: MailboxMessage,
  contact: NewContact,
): Promise<MailboxMessage> {
  await findUnused(outside, received_id);
  if (from_address === '') throw conflict('The mail has no sender');
  const { employee_number } = await addContact(outside, { ...contact, email: from_address });
  await judge(outside, received_id, { employee_number });
  return findOr404(outside, MessageNoun, received_id);
}

/**
 * Blocks the address of the sender, or all addresses of its domain, and ignores the mail.
 * @throws conflict() if the mail does not need review or has no sender; invalid() for the domain of a public provider
 */
export async function blockSender(
  ctx: Context,
  { received_id }: MailboxMessage,
  domain: boolean,
): Promise<MailboxMessage> {
  const before = await findWaiting(ctx, received_id);
  const { from_address } = before;
  const address = normalised(from_address);
  if (address === '') throw conflict('The mail has no sender');
  const sender = domain ? domainOf(address) : address;
  const known = await ruleFor(ctx, address);
  if (known?.outcome !== 'block') await createRule(ctx, { sender, outcome: 'block', company_number: null });
  const reason = `Blocked by ${ctx.author.name}`;
  await setOutcome(ctx, before, { state: 'ignored', reason, about_ticket_id: null });
  return findOr404(ctx, MessageNoun, received_id);
}
