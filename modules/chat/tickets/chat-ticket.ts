// The ticket of a chat, and the handover to a person (W-08, W-09).
import { invalid, type Context, type EmployeeActor } from '@keelson/core';
import { explained } from '@keelson/core/kit';
import { createTicket, type Ticket } from '@keelson/modules/tickets';
import type { Chat } from '../entities.ts';
import { addMessage, checkOpen } from '../messages/messages.ts';
import { transcriptOf } from '../messages/transcript.ts';
import { lockLinkedTicket } from './linked-ticket.ts';

export interface WantedTicket {
  readonly subject?: string | undefined;
  readonly description?: string | undefined;
  readonly priority?: number | undefined;
  readonly job_type?: string | undefined;
}

const SUBJECT = 'Chat';

/** Returns the ticket of a chat that was locked in the same transaction. Creates one if needed. */
export async function ticketOfChat(
  ctx: Context<EmployeeActor>,
  chat: Chat,
  wanted: WantedTicket = {},
): Promise<{ ticket: Ticket; added: boolean }> {
  const known = await lockLinkedTicket(ctx, chat);
  if (known) return { ticket: known, added: false };
  checkOpen(chat);
  const { ticket } = await makeTicket(ctx, chat, { ...wanted, ...ownRequester(ctx) });
  return { ticket, added: true };
}

/**
 * Returns or creates the ticket of a chat for technicians (NW-14). A website visitor has no company, so one must be
 * named.
 * @throws invalid() for a company that is missing or not the chat's
 */
export async function ticketForAgent(
  ctx: Context,
  chat: Chat,
  { company_number: named, ...wanted }: WantedTicket & { readonly company_number?: number | undefined },
): Promise<{ ticket: Ticket; added: boolean }> {
  const known = await lockLinkedTicket(ctx, chat);
  if (known) return { ticket: known, added: false };
  checkOpen(chat);
  const company_number = chat.company_number ?? named;
  if (company_number === undefined) throw invalid('company_number is required for website visitors');
  if (named !== undefined && named !== company_number) throw invalid('company_number must match the chat');
  const employee_number = chat.employee_number ?? undefined;
  const { ticket } = await makeTicket(ctx, chat, { ...wanted, company_number, employee_number });
  return { ticket, added: true };
}

/**
 * Requests a person: queues the chat and ensures that it has a ticket for technicians (W-08). Repeating it changes
 * nothing.
 */
export async function requestAgent(ctx: Context<EmployeeActor>, chat: Chat): Promise<Chat> {
  if (chat.status === 'waiting_agent' || chat.status === 'with_agent') return chat;
  checkOpen(chat);
  const linked = (await lockLinkedTicket(ctx, chat))
    ? chat
    : (await makeTicket(ctx, chat, { job_type: 'Chat', ...ownRequester(ctx) })).chat;
  return waitForAgent(ctx, linked);
}

/** Queues a chat that was locked in the same transaction for a person. */
export async function waitForAgent(ctx: Context, chat: Chat): Promise<Chat> {
  const message = explained('You asked to talk to a person. Someone will reply here as soon as possible.');
  const waiting = { status: 'waiting_agent', requested_at: ctx.now } as const;
  return (await addMessage(ctx, chat, { sender_type: 'system', message }, waiting)).chat;
}

interface Requester {
  readonly company_number: number;
  readonly employee_number?: number | undefined;
  readonly usual_site_number?: number | null | undefined;
}

const ownRequester = ({
  actor: { company_number, employee_number, site_number: usual_site_number },
}: Context<EmployeeActor>): Requester => ({ company_number, employee_number, usual_site_number });

async function makeTicket(
  ctx: Context,
  chat: Chat,
  { subject, description, ...wanted }: WantedTicket & Requester,
): Promise<{ ticket: Ticket; chat: Chat }> {
  const ticket = await createTicket(ctx, {
    ...wanted,
    subject: subject || chat.topic || SUBJECT,
    description: description || (await transcriptOf(ctx, chat)),
    source: 'chat',
  });
  const { ticket_id, ticket_number } = ticket;
  const message = explained(`Ticket ${ticket_number} was created for this chat.`);
  // A deleted ticket may have had comments that were seen, so start over.
  const linked = { ticket_id, seen_comment_id: 0 };
  return { ticket, chat: (await addMessage(ctx, chat, { sender_type: 'system', message }, linked)).chat };
}
