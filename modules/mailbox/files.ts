// Attaches the files of a mail to its ticket, each exactly once: the count of attached files is committed with the row
// of the file, so that a process that dies in between repeats neither.
import { conflict, Problem, type Context } from '@keelson/core';
import { attachFile } from '@keelson/core/attachments';
import { contextAs } from '@keelson/modules/accounts';
import { lockSurvivor, lockTicket, Ticket, TicketComment } from '@keelson/modules/tickets';
import { Mailbox, MailboxMessage } from './entities.ts';
import { parseMail } from './parse.ts';
import { personOf } from './person-of.ts';
import { readRaw } from './receive.ts';

export async function attachFiles(outside: Context, received_id: number): Promise<void> {
  const message = await outside.db.findOneBy(MailboxMessage, { received_id });
  const raw = await readRaw(outside, received_id);
  if (!message?.ticket_id || !raw) return;
  const { mailbox_id, from_address } = message;
  const mailbox = await outside.db.findOneBy(Mailbox, { mailbox_id });
  if (!mailbox) return;
  const person = await personOf(outside, from_address);
  const ctx = (person && (await contextAs(outside.app, person))) ?? outside;
  const { files } = await parseMail(raw, mailbox);
  for (const [at, file] of files.entries()) {
    if (at < message.attached) continue;
    const refused = await attachFile(ctx, (inside) => holderOf(inside, message, at), file).then(
      () => undefined,
      (error: unknown) => refusalOf(error, file.name),
    );
    if (refused !== undefined) await skip(outside, received_id, { at, refused });
  }
}

/** Another attempt has attached the file. */
const attached = conflict('The file is already attached');

/** Counts a file as attached and returns its owner: the comment created from the mail, or the ticket. */
async function holderOf(ctx: Context, { received_id, ticket_id, comment_id }: MailboxMessage, at: number) {
  const now = await ctx.db.findOne(MailboxMessage, { where: { received_id }, lock: { mode: 'pessimistic_write' } });
  if (now?.attached !== at) throw attached;
  await ctx.db.update(MailboxMessage, { received_id }, { attached: at + 1 });
  const comment = comment_id === null ? undefined : await ctx.db.findOneBy(TicketComment, { comment_id });
  // A deleted note's files must not show as the ticket's.
  if (comment_id !== null && !comment) throw conflict('Its note has been deleted');
  const row = await lockSurvivor(ctx, await lockTicket(ctx, comment?.ticket_id ?? ticket_id ?? 0));
  const { ticket_number, company_number: company } = row;
  const part = { part: comment?.comment_id ?? null, internal: comment?.is_internal ?? false };
  return { table: Ticket, row, noun: 'ticket', called: `ticket ${ticket_number}`, company, ...part };
}

/** Returns why a file is refused. The remaining files are still attached. */
function refusalOf(error: unknown, name: string): string | undefined {
  if (error === attached) return undefined;
  if (error instanceof Problem) return `${name} was not attached: ${error.message}`;
  throw error;
}

/** Counts a refused file as done, and adds the refusal to the reason of the mail. */
async function skip(
  outside: Context,
  received_id: number,
  { at, refused }: { readonly at: number; readonly refused: string },
): Promise<void> {
  await outside.transaction(async (ctx) => {
    const now = await ctx.db.findOne(MailboxMessage, { where: { received_id }, lock: { mode: 'pessimistic_write' } });
    if (now?.attached !== at) return;
    const reason = [now.reason, refused].filter(Boolean).join('. ').slice(0, 500);
    await ctx.db.update(MailboxMessage, { received_id }, { attached: at + 1, reason });
  });
}
