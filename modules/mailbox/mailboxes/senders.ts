// Mailboxes as senders: which one sends a ticket's mails, and how they look and are delivered.
import { In, invalid, IsNull, normalised, z, type Context } from '@keelson/core';
import type { MailSender } from '@keelson/core/mail';
import { readRecipient } from '@keelson/modules/directory';
import type { Ticket } from '@keelson/modules/tickets';
import { Mailbox, MailboxMessage, MailboxTemplate, MailboxThread, MailboxTicket } from '../entities.ts';
import { readOfTicket, Undeliverable } from '../judge/undeliverable.ts';
import { MessageItem } from '../messages/messages.ts';
import { wayOf } from '../servers/reach.ts';
import { addressesOf } from './addresses.ts';

/** Returns the sender id of a mailbox. */
export const senderId = ({ mailbox_id }: Mailbox): string => `mailbox ${mailbox_id}`;

/**
 * Returns a mailbox as a sender; undefined if it was deleted, in which case its mails are sent from the installation.
 */
export async function mailSender(ctx: Context, id: string): Promise<MailSender | undefined> {
  const mailbox_id = Number(/^mailbox (\d+)$/.exec(id)?.[1]);
  if (!mailbox_id) return undefined;
  const mailbox = await ctx.db.findOneBy(Mailbox, { mailbox_id, deleted_at: IsNull() });
  if (!mailbox) return undefined;
  const texts = await ctx.db.findBy(MailboxTemplate, { mailbox_id });
  const words = new Map(texts.map(({ template, subject, body }) => [template, { subject, body }]));
  const { signature, aliases, address, sender_name, outgoing } = mailbox;
  const from = outgoing === 'reply_only' ? await installationFrom(ctx, sender_name) : { address, name: sender_name };
  return {
    from,
    aliases: outgoing === 'reply_only' ? [] : (aliases ?? []),
    signature,
    words,
    way: wayOf(ctx, mailbox),
  };
}

async function installationFrom(ctx: Context, sender_name: string) {
  const { address, name } = await ctx.app.mail.sender(ctx);
  return { address, name: sender_name || name };
}

/** Returns the sender, reply address and thread references of ticket mails. */
export async function readReplies(ctx: Context, ticket_id: readonly number[]) {
  const threads = await ctx.db.find(MailboxThread, {
    where: { ticket_id: In([...ticket_id]) },
    order: { created_at: 'ASC' },
  });
  const writers = await readWriters(ctx, ticket_id);
  return new Map(
    ticket_id.map((id) => {
      const writer = writers.get(id);
      const before = threads.filter((each) => each.ticket_id === id && each.message_key.startsWith('<'));
      const references = before.slice(-10).map((each) => each.message_key);
      const { mailbox, address = null } = writer ?? {};
      const sender = mailbox ? senderId(mailbox) : null;
      return [id, { reply_to: address, references, sender, from_address: address }] as const;
    }),
  );
}

/** The mailbox that sends a ticket's mails, and its address that customers write to. */
interface Writer {
  readonly mailbox: Mailbox;
  readonly address: string;
  readonly chosen: boolean;
}

/**
 * Returns the active mailbox that sends each ticket's mails: the chosen one, or the one the ticket arrived in, with the
 * alias it was sent to, or else the first one.
 */
async function readWriters({ db }: Context, tickets: readonly number[]): Promise<ReadonlyMap<number, Writer>> {
  const ticket_id = In([...tickets]);
  const where = { deleted_at: IsNull(), active: true };
  const boxes = await db.find(Mailbox, { where, order: { mailbox_id: 'ASC' } });
  const choices = await db.findBy(MailboxTicket, { ticket_id });
  const came = await db.find(MailboxMessage, { where: { ticket_id }, order: { received_id: 'ASC' } });
  const boxOf = (mailbox_id: number | undefined) => boxes.find((each) => each.mailbox_id === mailbox_id);
  return new Map(
    tickets.flatMap((id) => {
      const chosen = boxOf(choices.find((each) => each.ticket_id === id)?.mailbox_id);
      const first = came.find((each) => each.ticket_id === id && boxOf(each.mailbox_id));
      const by = boxOf(first?.mailbox_id);
      const mailbox = chosen ?? by ?? boxes[0];
      if (!mailbox) return [];
      const named = mailbox === by && first ? [...(first.addressees?.to ?? []), ...(first.addressees?.cc ?? [])] : [];
      const keys = new Set(named.map((each) => normalised(each.address)));
      const address = addressesOf(mailbox).find((each) => keys.has(normalised(each))) ?? mailbox.address;
      return [[id, { mailbox, address, chosen: chosen !== undefined }] as const];
    }),
  );
}

const HeldMail = MessageItem.shape.pick({
  received_id: true,
  from_name: true,
  from_address: true,
  subject: true,
  state: true,
  reason: true,
  received_at: true,
});
const MOST_HELD = 5;

/** How a ticket's mails are sent. */
export const TicketOutgoing = z.object({
  /** Null without an active mailbox; mails are then sent from the installation. */
  mailbox_id: z.int().nullable(),
  /** The address customers write to. */
  address: z.string(),
  /** Whether a technician has chosen the mailbox. */
  chosen: z.boolean(),
  /** The available mailboxes. */
  mailboxes: z.array(z.object({ mailbox_id: z.int(), name: z.string(), address: z.string() })),
  /** False if the requester or their company is inactive, so that replies are mailed to nobody but watchers. */
  requester_mailed: z.boolean(),
  /** Recipients whose mails bounced. */
  undeliverable: z.array(Undeliverable),
  /** The newest mails that name the ticket but are held for review, failed or ignored. */
  held: z.array(HeldMail),
});

export async function readOutgoing(ctx: Context, ticket: Ticket): Promise<z.infer<typeof TicketOutgoing>> {
  const { ticket_id, requester_employee_number: requester } = ticket;
  const writer = (await readWriters(ctx, [ticket_id])).get(ticket_id);
  const where = { deleted_at: IsNull(), active: true };
  const boxes = await ctx.db.find(Mailbox, { where, order: { mailbox_id: 'ASC' } });
  return {
    mailbox_id: writer?.mailbox.mailbox_id ?? null,
    address: writer?.address ?? '',
    chosen: writer?.chosen ?? false,
    mailboxes: boxes.map(({ mailbox_id, name, address }) => ({ mailbox_id, name, address })),
    requester_mailed: requester === null || (await readRecipient(ctx, requester)) !== undefined,
    undeliverable: await readOfTicket(ctx, ticket),
    held: await ctx.db.find(MailboxMessage, {
      where: { about_ticket_id: ticket_id },
      order: { received_id: 'DESC' },
      take: MOST_HELD,
    }),
  };
}

/**
 * Chooses the mailbox that sends a ticket's mails from now on; null for the one the ticket arrived in.
 * @throws invalid() if it is not active
 */
export async function chooseSender(ctx: Context, ticket: Ticket, mailbox_id: number | null): Promise<void> {
  const { ticket_id, ticket_number } = ticket;
  const mailbox = mailbox_id && (await ctx.db.findOneBy(Mailbox, { mailbox_id, active: true, deleted_at: IsNull() }));
  if (mailbox_id && !mailbox) throw invalid('mailbox_id must be an active mailbox');
  const choice = mailbox && { ticket_id, mailbox_id: mailbox.mailbox_id, created_at: ctx.now };
  if (choice) await ctx.db.upsert(MailboxTicket, choice, ['ticket_id']);
  else await ctx.db.delete(MailboxTicket, { ticket_id });
  const by = mailbox ? mailbox.address : 'the mailbox that it came in by';
  ctx.record({
    action: 'update',
    entity_type: 'ticket',
    entity_id: ticket_id,
    description: `Mails about ticket ${ticket_number} are sent from ${by}`,
  });
}
