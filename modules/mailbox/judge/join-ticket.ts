// What follows when a mail joins a ticket: replies to it are recognised, and its files are attached.
import type { Context } from '@keelson/core';
import { MailboxThread, type MailboxMessage } from '../entities.ts';
import { FilesDue } from '../events.ts';

/**
 * Links a mail to its ticket.
 * @param files number of files in the mail
 */
export async function joinTicket(
  ctx: Context,
  { received_id, message_key, message_id }: MailboxMessage,
  ticket_id: number,
  files: number,
): Promise<void> {
  for (const each of new Set([message_key, message_id ?? message_key]))
    if (!(await ctx.db.existsBy(MailboxThread, { message_key: each })))
      await ctx.db.insert(MailboxThread, { message_key: each, ticket_id, created_at: ctx.now });
  if (files > 0) ctx.emit(FilesDue, { received_id });
}
