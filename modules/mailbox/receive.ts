// Receiving: each mail is stored as it came, with the word that it is to be judged, before anything is made of it. It is
// marked as read at its server only after that commit, so that a mail may come twice, but is stored once.
import { createHash } from 'node:crypto';
import { below, DuplicateKey, plus, sql, toDatabase, type Context, type Row } from '@keelson/core';
import { lockedRow } from '@keelson/core/plugin';
import { Mailbox, MailboxMessage, MailboxRaw, MailboxState } from './entities.ts';
import { MessageStored } from './events.ts';
import { MailboxAway, receive, type Incoming, type Position } from './imap.ts';
import { readPosition, serverOf } from './mailboxes.ts';

const MOST_BOXES = 50;
/** Bytes of a part: sealed they are twice as many, and a database takes 16 MiB at once. */
const PART = 2 * 1024 * 1024;
/** Servers tell whole seconds. */
const SECOND = 1000;

/** So long a server may be away before administrators are told. */
const PATIENCE = { minutes: -10 } as const;

/**
 * Reads every mailbox that is switched on. One that cannot be read holds up no other.
 * @throws Error when one cannot be read for minutes: the job has failed then, which administrators see and are told
 */
export async function receiveAll(outside: Context): Promise<void> {
  const boxes = await outside.db.find(Mailbox, { active: true, deleted_at: null }, { limit: MOST_BOXES });
  for (const mailbox of boxes) await receiveFrom(outside, mailbox);
  const mailbox_id = boxes.map((each) => each.mailbox_id);
  const since = below(plus(outside.now, PATIENCE));
  const [failing] = await outside.db.find(MailboxState, { mailbox_id, failing_since: since }, { limit: 1 });
  const box = boxes.find((each) => each.mailbox_id === failing?.mailbox_id);
  if (box) throw new Error(`The mailbox ${box.address} cannot be read: ${failing?.last_error}`);
}

/** Reads one mailbox; how it went is kept with it. @returns whether it could be read */
export async function receiveFrom(outside: Context, mailbox: Mailbox): Promise<boolean> {
  const from = await readPosition(outside, mailbox);
  try {
    const end = await receive(serverOf(outside, mailbox), from, (mail, at) => store(outside, mailbox, mail, at));
    await keep(outside, mailbox, {
      ...end,
      last_success_at: outside.app.clock.now(),
      last_error: null,
      failing_since: null,
    });
    return true;
  } catch (error) {
    if (!(error instanceof MailboxAway)) throw error;
    outside.log.warn({ err: error, mailbox_id: mailbox.mailbox_id }, 'mailbox: it cannot be read');
    const { failing_since = null } = (await outside.db.one(MailboxState, { mailbox_id: mailbox.mailbox_id })) ?? {};
    const since = failing_since ?? outside.app.clock.now();
    await keep(outside, mailbox, { last_error: error.message.slice(0, 500), failing_since: since });
    return false;
  }
}

/** Stores a mail, unless it was stored before. */
async function store(outside: Context, mailbox: Mailbox, mail: Incoming, at: Position): Promise<void> {
  const { mailbox_id, created_at } = mailbox;
  // A server that counts anew offers everything again; what was there before the mailbox is not ours.
  if ((mail.arrived_at ?? Infinity) < Date.parse(created_at) - SECOND) return keep(outside, mailbox, at);
  const message_key = keyOf(mail);
  try {
    await outside.transaction(async (ctx) => {
      const known = await ctx.db.one(MailboxMessage, { mailbox_id, message_key });
      if (!known) await storeMail(ctx, mailbox_id, { ...mail, message_key });
      await keep(ctx, mailbox, at);
    });
  } catch (error) {
    // Another process has stored it meanwhile.
    if (!(error instanceof DuplicateKey)) throw error;
  }
}

/** A mail that is to be stored. */
export type NewMail = Pick<Incoming, 'from' | 'subject' | 'size' | 'source'> & { readonly message_key: string };

/** Stores a mail as it came, and has it judged once that is committed. */
export async function storeMail(ctx: Context, mailbox_id: number, mail: NewMail): Promise<void> {
  const { source, size, from, subject, message_key } = mail;
  const received_id = await ctx.db.insert(MailboxMessage, {
    mailbox_id,
    message_key,
    from_name: from.name.slice(0, 255),
    from_address: from.address.slice(0, 254),
    subject: subject.slice(0, 500),
    size,
    received_at: ctx.now,
    ...(!source && { state: 'failed', reason: 'It is larger than 25 MiB: it lies unread at the mail server' }),
  });
  if (!source) return;
  for (let part = 0; part * PART < source.length; part++) {
    const bytes = source.subarray(part * PART, (part + 1) * PART);
    const content = ctx.app.vault.seal(bytes.toString('base64'), sealedFor(received_id, part));
    await ctx.db.insert(MailboxRaw, { received_id, part, content });
  }
  ctx.emit(MessageStored, { received_id });
}

async function keep(ctx: Context, { mailbox_id }: Mailbox, change: Partial<Row<typeof MailboxState>>): Promise<void> {
  await ctx.transaction(async (inside) => {
    await lockedRow(inside.db, MailboxState, { mailbox_id }, { mailbox_id });
    await inside.db.update(MailboxState, { mailbox_id }, change);
  });
}

/** So long a mail is kept as it came; what became of it stays. */
const KEPT = { days: -90 } as const;
const AT_ONCE = 200;

/** Forgets the contents of old mails that have become something. */
export async function pruneMails(outside: Context): Promise<void> {
  const before = toDatabase(plus(outside.now, KEPT));
  for (;;) {
    const rows = await outside.db.query<{ received_id: number }>(sql`SELECT DISTINCT mailbox_raw.received_id
      FROM mailbox_raw JOIN mailbox_message ON mailbox_message.received_id = mailbox_raw.received_id
      WHERE mailbox_message.received_at < ${before} AND mailbox_message.state NOT IN ('stored', 'review') LIMIT ${AT_ONCE}`);
    const received_id = rows.map((each) => Number(each.received_id));
    if (received_id.length > 0) await outside.transaction((ctx) => ctx.db.remove(MailboxRaw, { received_id }));
    if (received_id.length < AT_ONCE) return;
  }
}

/** The mail as it came; undefined when it was forgotten. */
export async function readRaw(ctx: Context, received_id: number): Promise<Buffer | undefined> {
  const parts = await ctx.db.find(MailboxRaw, { received_id }, { order: [['part', 'ASC']] });
  if (parts.length === 0) return undefined;
  const open = ({ part, content }: Row<typeof MailboxRaw>) =>
    Buffer.from(ctx.app.vault.open(content, sealedFor(received_id, part)), 'base64');
  return Buffer.concat(parts.map(open));
}

const sealedFor = (received_id: number, part: number): string => `mailbox message ${received_id} ${part}`;

/** A Message-ID that is too long for a key, or is missing, gives way to the fingerprint of the mail. */
function keyOf({ message_id, source, uid, from, subject }: Incoming): string {
  if (message_id && message_id.length <= 255) return message_id;
  const of = source ?? `${uid} ${from.address} ${subject}`;
  return `sha256:${createHash('sha256').update(of).digest('hex')}`;
}
