// Receives mails. Each raw mail is stored together with its event before it is processed, and marked as read on the
// server only after the commit. A mail may therefore arrive twice but is stored once.
import { createHash } from 'node:crypto';
import {
  DuplicateKey,
  In,
  IsNull,
  LessThan,
  normalised,
  plus,
  sql,
  toDatabase,
  type Context,
  type Row,
} from '@keelson/core';
import { abreast } from '@keelson/core/kit';
import { lockedRow } from '@keelson/core/plugin';
import { Mailbox, MailboxMessage, MailboxRaw, MailboxState, MailboxToken } from './entities.ts';
import { canaryArrived, canaryOf } from './canary.ts';
import { MessageStored } from './events.ts';
import { sourceOf } from './reach.ts';
import { MailboxAway, MailboxBusy, type After, type Incoming, type Position } from './source.ts';

const MOST_BOXES = 50;
/** A server that does not respond must not delay other mailboxes. */
const BOXES_AT_ONCE = 5;
/** Bytes per part: sealing doubles the size, and databases accept 16 MiB per packet. */
const PART = 2 * 1024 * 1024;
/** Servers report whole seconds. */
const SECOND = 1000;

/** A mailbox that has failed before this run, too. The health page shows jobs whose last two runs failed. */
const BEFORE = { seconds: -10 } as const;

/**
 * Reads every active mailbox. A failing one does not block the others.
 * @throws Error if a mailbox has failed twice; the job then fails, and administrators are notified when it does so
 * again
 */
export async function receiveAll(outside: Context): Promise<void> {
  const boxes = await readActive(outside);
  const failed: unknown[] = [];
  const reading = abreast({ most: BOXES_AT_ONCE, keysOf: () => [] }, (mailbox: Mailbox) =>
    receiveFrom(outside, mailbox).then(
      () => undefined,
      (error: unknown) => void failed.push(error),
    ),
  );
  for (const mailbox of boxes) await reading.next(mailbox);
  await reading.done();
  if (failed.length > 0) throw new AggregateError(failed, failed.map(String).join('; '));
  const mailbox_id = boxes.map((each) => each.mailbox_id);
  const since = LessThan(plus(outside.now, BEFORE));
  const failing = await outside.db.findOneBy(MailboxState, { mailbox_id: In(mailbox_id), failing_since: since });
  const box = boxes.find((each) => each.mailbox_id === failing?.mailbox_id);
  if (!box || !failing) return;
  const last = failing.last_success_at ?? 'never';
  throw new Error(`The mailbox ${box.address} cannot be read (last success: ${last}): ${failing.last_error}`);
}

/** Returns the mailboxes to read; not those that nobody has signed in to yet. */
export async function readActive({ db }: Context): Promise<Mailbox[]> {
  const boxes = await db.find(Mailbox, { where: { active: true, deleted_at: IsNull() }, take: MOST_BOXES });
  const signedIn = new Set((await db.find(MailboxToken)).map((each) => each.mailbox_id));
  return boxes.filter((each) => each.sign_in === 'password' || signedIn.has(each.mailbox_id));
}

/** Reads one mailbox and stores the result. @returns whether it succeeded */
export async function receiveFrom(outside: Context, mailbox: Mailbox): Promise<boolean> {
  const { mailbox_id } = mailbox;
  const { busy_until = null } = (await outside.db.findOneBy(MailboxState, { mailbox_id })) ?? {};
  // The server has asked for a pause.
  if (busy_until !== null && busy_until > outside.app.clock.now()) return pauseUntil(outside, mailbox, busy_until);
  const from = await readPosition(outside, mailbox);
  try {
    const end = await (
      await sourceOf(outside, mailbox)
    ).receive(from, {
      take: (mail, at) => store(outside, mailbox, mail, at),
      known: (source_ids) => readKnown(outside, mailbox, source_ids),
    });
    await keep(outside, mailbox, {
      ...end,
      last_success_at: outside.app.clock.now(),
      last_error: null,
      failing_since: null,
      busy_until: null,
    });
    return true;
  } catch (error) {
    if (!(error instanceof MailboxAway)) throw error;
    if (error instanceof MailboxBusy)
      return pauseUntil(outside, mailbox, plus(outside.app.clock.now(), { seconds: error.seconds }));
    outside.log.warn({ err: error, mailbox_id: mailbox.mailbox_id }, 'mailbox: could not be read');
    await fail(outside, mailbox, error.message);
    return false;
  }
}

/** Returns the read position of a mailbox. */
async function readPosition({ db }: Context, { mailbox_id }: Mailbox): Promise<Position> {
  const { uid_validity = '', last_uid = 0, cursor = null } = (await db.findOneBy(MailboxState, { mailbox_id })) ?? {};
  return { uid_validity, last_uid, cursor };
}

/** Longer pauses count as failures. */
const LONG_PAUSE = { minutes: -15 } as const;

/** Leaves the server alone until then. @returns false if that has lasted too long */
async function pauseUntil(outside: Context, mailbox: Mailbox, busy_until: string): Promise<boolean> {
  const { mailbox_id, created_at } = mailbox;
  await keep(outside, mailbox, { busy_until });
  const { last_success_at = null } = (await outside.db.findOneBy(MailboxState, { mailbox_id })) ?? {};
  if ((last_success_at ?? created_at) > plus(outside.app.clock.now(), LONG_PAUSE)) return true;
  await fail(outside, mailbox, 'The provider has been asking for a pause for more than 15 minutes');
  return false;
}

async function fail(outside: Context, mailbox: Mailbox, why: string): Promise<void> {
  const { mailbox_id } = mailbox;
  const { failing_since = null } = (await outside.db.findOneBy(MailboxState, { mailbox_id })) ?? {};
  const since = failing_since ?? outside.app.clock.now();
  await keep(outside, mailbox, { last_error: why.slice(0, 500), failing_since: since });
}

/**
 * Stores mails as the server reports them, until `off` is aborted.
 * @throws MailboxAway when the connection breaks
 */
export async function receiveAsTheyCome(
  outside: Context,
  mailbox: Mailbox,
  alive: () => void,
  off: AbortSignal,
): Promise<void> {
  const watching = {
    position: () => readPosition(outside, mailbox),
    take: (mail: Incoming, at: Position) => store(outside, mailbox, mail, at),
    alive,
  };
  await (await sourceOf(outside, mailbox)).watch?.(watching, off);
}

const KNOWN_AT_ONCE = 500;

/** Returns which mails of an API are stored already. */
async function readKnown({ db }: Context, { mailbox_id }: Mailbox, source_ids: readonly string[]) {
  const known = new Set<string>();
  for (let from = 0; from < source_ids.length; from += KNOWN_AT_ONCE) {
    const source_id = In(source_ids.slice(from, from + KNOWN_AT_ONCE));
    const rows = await db.findBy(MailboxMessage, { mailbox_id, source_id });
    for (const each of rows) known.add(each.source_id ?? '');
  }
  return known;
}

/** Stores a mail unless already stored. */
async function store(outside: Context, mailbox: Mailbox, mail: Incoming, at: Position): Promise<After> {
  const { mailbox_id, created_at } = mailbox;
  // A server with a new UIDVALIDITY offers all mails again; skip those older than the mailbox.
  if ((mail.arrived_at ?? Infinity) < Date.parse(created_at) - SECOND) {
    await keep(outside, mailbox, at);
    return 'read';
  }
  const canary = mail.source && canaryOf(outside, mail.source);
  if (canary !== undefined) {
    await outside.transaction((ctx) => canaryArrived(ctx, mailbox, canary));
    await keep(outside, mailbox, at);
    return 'remove';
  }
  try {
    await outside.transaction(async (ctx) => {
      const now = await lockedRow(ctx.db, MailboxState, { mailbox_id }, { mailbox_id });
      // The poll and the watch read the same mailbox; the other one was faster.
      if (at.cursor === null && now.uid_validity === at.uid_validity && at.last_uid <= now.last_uid) return;
      await storeMail(ctx, mailbox_id, mail);
      await keep(ctx, mailbox, at);
    });
  } catch (error) {
    // Another process has stored it.
    if (!(error instanceof DuplicateKey)) throw error;
  }
  return 'read';
}

/** Mail to store. */
export type NewMail = Pick<Incoming, 'from' | 'subject' | 'size' | 'source' | 'message_id'> &
  Partial<Pick<Incoming, 'source_id'>>;

/** Stores a raw mail unless already stored, and emits the event that processes it after the commit. */
export async function storeMail(ctx: Context, mailbox_id: number, mail: NewMail): Promise<void> {
  const { source, size, from, subject } = mail;
  const message_key = fingerprintOf(mail);
  const message_id = mail.message_id && mail.message_id.length <= 255 ? mail.message_id : null;
  const known = [message_key, ...(message_id ? [message_id] : [])];
  if (await ctx.db.findOneBy(MailboxMessage, { mailbox_id, message_key: In(known) })) return;
  const received_id = await ctx.db.insertReturningId(MailboxMessage, {
    mailbox_id,
    message_key,
    message_id,
    source_id: mail.source_id ?? null,
    from_name: from.name.slice(0, 255),
    from_address: from.address.slice(0, 254),
    sender_key: normalised(from.address).slice(0, 254),
    subject: subject.slice(0, 500),
    size,
    received_at: ctx.now,
    ...(!source && { state: 'failed', reason: 'Larger than 25 MiB: left unread on the mail server' }),
  });
  if (!source) return;
  for (let part = 0; part * PART < source.length; part++) {
    const bytes = source.subarray(part * PART, (part + 1) * PART);
    const content = ctx.app.vault.seal(bytes.toString('base64'), sealedFor(received_id, part));
    await ctx.db.insert(MailboxRaw, { received_id, part, content });
  }
  ctx.emit(MessageStored, { received_id });
}

/** What a read position holds for. */
const inboxOf = ['sign_in', 'protocol', 'tenant', 'username', 'host'] as const;

async function keep(ctx: Context, read: Mailbox, change: Partial<Row<typeof MailboxState>>): Promise<void> {
  const { mailbox_id } = read;
  await ctx.transaction(async (inside) => {
    const now = await lockedRow(inside.db, MailboxState, { mailbox_id }, { mailbox_id });
    // It was moved to another inbox while this one was read.
    const mailbox = await inside.db.findOneBy(Mailbox, { mailbox_id });
    if (!mailbox || inboxOf.some((each) => mailbox[each] !== read[each])) return;
    // Another process may be further ahead.
    // Cursors cannot be compared.
    const behind = !change.cursor && change.uid_validity === now.uid_validity && (change.last_uid ?? 0) < now.last_uid;
    await inside.db.update(MailboxState, { mailbox_id }, { ...change, ...(behind && { last_uid: now.last_uid }) });
  });
}

/** Retention of raw mails; their outcome is kept. */
const KEPT = { days: -90 } as const;
const AT_ONCE = 200;

/** Deletes the content of old, processed mails. */
export async function pruneMails(outside: Context): Promise<void> {
  const before = toDatabase(plus(outside.now, KEPT));
  for (;;) {
    const rows = await outside.db.query<{ received_id: number }>(sql`SELECT DISTINCT mailbox_raw.received_id
      FROM mailbox_raw JOIN mailbox_message ON mailbox_message.received_id = mailbox_raw.received_id
      WHERE mailbox_message.received_at < ${before} AND mailbox_message.state NOT IN ('stored', 'review') LIMIT ${AT_ONCE}`);
    const received_id = rows.map((each) => Number(each.received_id));
    if (received_id.length > 0)
      await outside.transaction((ctx) => ctx.db.delete(MailboxRaw, { received_id: In(received_id) }));
    if (received_id.length < AT_ONCE) return;
  }
}

/** Returns the raw mail; undefined if already deleted. */
export async function readRaw(ctx: Context, received_id: number): Promise<Buffer | undefined> {
  const parts = await ctx.db.find(MailboxRaw, { where: { received_id }, order: { part: 'ASC' } });
  if (parts.length === 0) return undefined;
  const open = ({ part, content }: Row<typeof MailboxRaw>) =>
    Buffer.from(ctx.app.vault.open(content, sealedFor(received_id, part)), 'base64');
  return Buffer.concat(parts.map(open));
}

const sealedFor = (received_id: number, part: number): string => `mailbox message ${received_id} ${part}`;

/** Headers that stay the same when a mail is delivered again or to another mailbox. */
const LASTING = /^(?:message-id|date|from|subject):/i;

/**
 * Identifies a mail by its lasting headers and its body. The Message-ID alone does not: programs repeat theirs, and
 * their mails must not be lost.
 */
function fingerprintOf({ source, message_id, size, from, subject }: NewMail): string {
  const hash = createHash('sha256');
  if (source) {
    const end = /\r?\n\r?\n/.exec(source.toString('latin1'));
    const [head, body] = end
      ? [source.toString('latin1', 0, end.index), source.subarray(end.index)]
      : [source.toString('latin1'), source.subarray(source.length)];
    const lines = head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
    hash.update(JSON.stringify(lines.filter((each) => LASTING.test(each)))).update(body);
  } else hash.update(JSON.stringify([message_id, size, from, subject]));
  return `sha256:${hash.digest('hex')}`;
}
