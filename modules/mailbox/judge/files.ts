// Attaches the files of a mail to its ticket, each exactly once: the count of attached files is committed with the row
// of the file, so that nothing is repeated after a crash in between.
import { conflict, Problem, type Context } from '@keelson/core';
import { attachFile } from '@keelson/core/attachments';
import { contextAs } from '@keelson/modules/accounts';
import {
  commentOnTicket,
  lockSurvivor,
  lockTicket,
  mailComment,
  Ticket,
  TicketComment,
} from '@keelson/modules/tickets';
import { Mailbox, MailboxMessage } from '../entities.ts';
import { forgetMail, readMail } from '../parse/read-mail.ts';
import { unkept, Unreadable } from '../parse/unreadable.ts';
import { personOf } from './person-of.ts';

export async function attachFiles(outside: Context, received_id: number): Promise<void> {
  const message = await outside.db.findOneBy(MailboxMessage, { received_id });
  if (!message?.ticket_id) return;
  const { mailbox_id, from_address } = message;
  const mailbox = await outside.db.findOneBy(Mailbox, { mailbox_id });
  if (!mailbox) return;
  const mail = await readMail(outside, mailbox, message).catch((error: unknown) => late(outside, message, error));
  if (!mail) return void (await late(outside, message, unkept(message)));
  const person = await personOf(outside, from_address);
  const ctx = (person && (await contextAs(outside.app, person))) ?? outside;
  for (const [at, file] of mail.files.entries()) {
    if (at < message.attached) continue;
    const counted = { at, isLast: at === mail.files.length - 1 };
    const refused = await attachFile(ctx, (inside) => holderOf(inside, message, counted), file).then(
      () => undefined,
      (error: unknown) => refusalOf(error, file.name),
    );
    if (refused !== undefined) await skip(outside, received_id, { ...counted, refused });
  }
  forgetMail(outside, received_id);
  if (message.files_problem) await outside.db.update(MailboxMessage, { received_id }, { files_problem: '' });
}

/** Says on the mail that its files are missing, and throws the error again, so that they are attached later. */
async function late(outside: Context, { received_id }: MailboxMessage, error: unknown): Promise<never> {
  if (error instanceof Unreadable)
    await outside.db.update(MailboxMessage, { received_id }, { files_problem: error.message.slice(0, 500) });
  throw error;
}

/** Another attempt has already attached the file. */
const attached = conflict('The file is already attached');

interface Counted {
  /** The number of files before it. */
  readonly at: number;
  readonly isLast: boolean;
}

/** Counts a file as attached and returns its owner: the comment created from the mail, or the ticket. */
async function holderOf(ctx: Context, { received_id, ticket_id, comment_id }: MailboxMessage, { at, isLast }: Counted) {
  const now = await ctx.db.findOne(MailboxMessage, { where: { received_id }, lock: { mode: 'pessimistic_write' } });
  if (now?.attached !== at) throw attached;
  await ctx.db.update(MailboxMessage, { received_id }, { attached: at + 1 });
  const comment = comment_id === null ? undefined : await ctx.db.findOneBy(TicketComment, { comment_id });
  // A deleted note's files must not show as the ticket's.
  if (comment_id !== null && !comment) throw conflict('Its note has been deleted');
  const row = await lockSurvivor(ctx, await lockTicket(ctx, comment?.ticket_id ?? ticket_id ?? 0));
  if (isLast) await mailReply(ctx, row, comment);
  const { ticket_number, company_number: company } = row;
  const part = { part: comment?.comment_id ?? null, internal: comment?.is_internal ?? false };
  return { table: Ticket, row, noun: 'ticket', called: `ticket ${ticket_number}`, company, ...part };
}

/** Mails a technician's reply, which has waited for its files. */
async function mailReply(ctx: Context, ticket: Ticket, comment: TicketComment | null | undefined): Promise<void> {
  if (comment?.author_type === 'technician' && !comment.is_internal) await mailComment(ctx, ticket, comment);
}

/** Problems that pass: the file is attached later. */
const passing: readonly Problem['kind'][] = ['unavailable', 'too-many', 'internal'];

/** Returns why a file is rejected. The remaining files are still attached. */
function refusalOf(error: unknown, name: string): string | undefined {
  if (error === attached) return undefined;
  if (error instanceof Problem && !passing.includes(error.kind)) return `${name} was not attached: ${error.message}`;
  throw error;
}

/** Counts a rejected file as done, and adds the rejection to the mail's reason. */
async function skip(
  outside: Context,
  received_id: number,
  { at, isLast, refused }: Counted & { readonly refused: string },
): Promise<void> {
  await outside.transaction(async (ctx) => {
    const now = await ctx.db.findOne(MailboxMessage, { where: { received_id }, lock: { mode: 'pessimistic_write' } });
    if (now?.attached !== at) return;
    const reason = [now.reason, refused].filter(Boolean).join('. ').slice(0, 500);
    // The customer believes that we have it.
    const ticket = now.ticket_id === null ? null : await ctx.db.findOneBy(Ticket, { ticket_id: now.ticket_id });
    if (ticket && ticket.deleted_at === null) {
      const survivor = await lockSurvivor(ctx, await lockTicket(ctx, ticket.ticket_id));
      await commentOnTicket(ctx, survivor, {
        comment: `${refused}. Technicians can download the original mail.`,
        is_internal: true,
      });
      const { comment_id } = now;
      if (isLast && comment_id !== null)
        await mailReply(ctx, survivor, await ctx.db.findOneBy(TicketComment, { comment_id }));
    }
    await ctx.db.update(MailboxMessage, { received_id }, { attached: at + 1, reason });
  });
}
