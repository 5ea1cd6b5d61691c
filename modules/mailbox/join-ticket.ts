// What follows once a mail is on a ticket: answers to the mail are known, and its files are to be attached.
import type { Context } from '@keelson/core';
import { MailboxThread, type MailboxMessage } from './entities.ts';
import { FilesDue } from './events.ts';

/** @param files how many files the mail has */
export async function joinTicket(
  ctx: Context,
  { received_id, message_key }: MailboxMessage,
  ticket_id: number,
  files: number,
): Promise<void> {
  if (!(await ctx.db.one(MailboxThread, { message_key })))
    await ctx.db.insert(MailboxThread, { message_key, ticket_id, created_at: ctx.now });
  if (files > 0) ctx.emit(FilesDue, { received_id });
}
