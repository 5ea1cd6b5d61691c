// Attaches the files of a mail to its ticket, one by one; files already attached are skipped.
import { IsNull, Problem, type Context } from '@keelson/core';
import { attachFile } from '@keelson/core/attachments';
import { contextAs } from '@keelson/modules/accounts';
import { Ticket } from '@keelson/modules/tickets';
import { Mailbox, MailboxMessage } from './entities.ts';
import { parseMail } from './parse.ts';
import { personOf } from './person-of.ts';
import { readRaw } from './receive.ts';

export async function attachFiles(outside: Context, received_id: number): Promise<void> {
  const message = await outside.db.findOneBy(MailboxMessage, { received_id });
  const raw = await readRaw(outside, received_id);
  if (!message?.ticket_id || !raw) return;
  const { ticket_id, mailbox_id, from_address } = message;
  const ticket = await outside.db.findOneBy(Ticket, { ticket_id, deleted_at: IsNull() });
  const mailbox = await outside.db.findOneBy(Mailbox, { mailbox_id });
  if (!ticket || !mailbox) return;
  const person = await personOf(outside, from_address);
  const ctx = (person && (await contextAs(outside.app, person))) ?? outside;
  const { files } = await parseMail(raw, mailbox.authserv_id);
  const { ticket_number, company_number: company } = ticket;
  const holder = { table: Ticket, row: ticket, noun: 'ticket', called: `ticket ${ticket_number}`, company };
  for (const [at, file] of files.entries()) {
    if (at < message.attached) continue;
    const reason = await attachFile(ctx, holder, file).then(
      () => undefined,
      (error: unknown) => refusalOf(error, file.name),
    );
    await outside.db.update(
      MailboxMessage,
      { received_id },
      { attached: at + 1, ...(reason !== undefined && { reason }) },
    );
  }
}

/** Returns the reason for a refused file, stored with the mail; the remaining files are still attached. */
function refusalOf(error: unknown, name: string): string {
  if (error instanceof Problem) return `${name} is not attached: ${error.message}`.slice(0, 500);
  throw error;
}
