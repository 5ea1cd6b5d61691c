// Receives mails. Each raw mail is stored together with its event before it is processed, and marked as read on the
// server only after the commit. A mail may therefore be received twice but is stored once.
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
import { abreast, explained } from '@keelson/core/kit';
import { lockedRow } from '@keelson/core/plugin';
import { Mailbox, MailboxMessage, MailboxRaw, MailboxState, MailboxToken } from '../entities.ts';
import { MessageStored } from '../events.ts';
import { canaryArrived, canaryOf } from '../mailboxes/canary.ts';
import { storeRaw } from '../parse/raw.ts';
import { readAhead } from '../parse/read-mail.ts';
import { sourceOf } from './reach.ts';
import { MailboxAway, MailboxBusy, type After, type Arrived, type Incoming, type Position } from './source.ts';

const MOST_BOXES = 50;
/** A server that does not respond must not delay other mailboxes. */
const BOXES_AT_ONCE = 5;
/** Servers report whole seconds. */
const SECOND = 1000;

/** Whether the mailbox already failed before this run. The health page shows jobs whose last two runs failed. */
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
  throw new Error(
    explained(`The mailbox ${box.address} cannot be read (last success: ${last}): ${failing.last_error}`),
  );
}

/** Returns the mailboxes to read, without those that still await their first sign-in. */
export async function readActive({ db }: Context): Promise<Mailbox[]> {
  const boxes = await db.find(Mailbox, { where: { active: true, deleted_at: IsNull() }, take: MOST_BOXES });
  const signedIn = new Set((await db.find(MailboxToken)).map((each) => each.mailbox_id));
  return boxes.filter((each) => each.sign_in === 'password' || signedIn.has(each.mailbox_id));
}

/** Reads one mailbox and stores the result. @returns whether it succeeded */
export async function receiveFrom(outside: Context, mailbox: Mailbox): Promise<boolean> {
  const { mailbox_id } = mailbox;
  const { busy_until = null } = (await outside.db.findOneBy(MailboxState, { mailbox_id })) ?? {};
  // The server asked us to pause.
  if (busy_until !== null && busy_until > outside.app.clock.now()) return pauseUntil(outside, mailbox, busy_until);
  const from = await readPosition(outside, mailbox);
  try {
    const end = await (
      await sourceOf(outside, mailbox)
    ).receive(from, {
      take: (arrived) => store(outside, mailbox, arrived),
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

/** Maximum pause; longer pauses count as failures. */
const LONG_PAUSE = { minutes: -15 } as const;

/**
 * Pauses requests to the server until then.
 * @returns false if it has been paused for too long
 */
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
    take: (arrived: readonly Arrived[]) => store(outside, mailbox, arrived),
    alive,
  };
  await (await sourceOf(outside, mailbox)).watch?.(watching, off);
}

const KNOWN_AT_ONCE = 500;

/** Returns which mails of an API are already stored. */
async function readKnown({ db }: Context, { mailbox_id }: Mailbox, source_ids: readonly string[]) {
  const known = new Set<string>();
  for (let from = 0; from < source_ids.length; from += KNOWN_AT_ONCE) {
    const source_id = In(source_ids.slice(from, from + KNOWN_AT_ONCE));
    const rows = await db.findBy(MailboxMessage, { mailbox_id, source_id });
    for (const each of rows) known.add(each.source_id ?? '');
  }
  return known;
}

/** Stores mails unless already stored, together if possible. */
async function store(outside: Context, mailbox: Mailbox, arrived: readonly Arrived[]): Promise<After[]> {
  const after: After[] = [];
  const fresh: Arrived[] = [];
  for (const each of arrived) {
    const canary = isBefore(mailbox, each) ? undefined : canaryOf(outside, each.mail.source);
    if (canary !== undefined) await outside.transaction((ctx) => canaryArrived(ctx, mailbox, canary));
    if (canary === undefined && !isBefore(mailbox, each)) fresh.push(each);
    after.push(canary === undefined ? 'read' : 'remove');
  }
  await storeAll(outside, mailbox, fresh).catch(async () => {
    // One of them is stored already, or cannot be stored: it must not delay those before it.
    for (const each of fresh)
      await storeAll(outside, mailbox, [each]).catch((error: unknown) => {
        // Another process has already stored it.
        if (!(error instanceof DuplicateKey)) throw error;
      });
  });
  const last = arrived.at(-1);
  if (last && last !== fresh.at(-1)) await keep(outside, mailbox, last.at);
  return after;
}

/** A server with a new UIDVALIDITY offers all mails again; those older than the mailbox are skipped. */
const isBefore = ({ created_at }: Mailbox, { mail }: Arrived): boolean =>
  (mail.arrived_at ?? Infinity) < Date.parse(created_at) - SECOND;

/** Stores mails in one transaction, and begins to read them. */
async function storeAll(outside: Context, mailbox: Mailbox, arrived: readonly Arrived[]): Promise<void> {
  const { mailbox_id } = mailbox;
  const last = arrived.at(-1);
  if (!last) return;
  const stored = await outside.transaction(async (ctx) => {
    const now = await lockedRow(ctx.db, MailboxState, { mailbox_id }, { mailbox_id });
    // The poll and the watcher read the same mailbox; the other one was faster.
    const isTaken = ({ at }: Arrived) =>
      at.cursor === null && now.uid_validity === at.uid_validity && at.last_uid <= now.last_uid;
    const ids: (readonly [number, Incoming])[] = [];
    for (const { mail } of arrived.filter((each) => !isTaken(each))) {
      const received_id = await storeMail(ctx, mailbox_id, mail);
      if (received_id !== undefined) ids.push([received_id, mail]);
    }
    if (!isTaken(last)) await keep(ctx, mailbox, last.at);
    return ids;
  });
  for (const [received_id, { size, source }] of stored) readAhead(outside, mailbox, { received_id, size }, source);
}

/** Mail to store. */
export type NewMail = Pick<Incoming, 'from' | 'subject' | 'size' | 'source' | 'message_id'> &
  Partial<Pick<Incoming, 'source_id'>>;

/**
 * Stores a raw mail unless already stored, and emits the event that processes it after the commit.
 * @returns its id if it is to be processed
 */
export async function storeMail(ctx: Context, mailbox_id: number, mail: NewMail): Promise<number | undefined> {
  const { source, size, from, subject } = mail;
  const message_key = fingerprintOf(source);
  const message_id = mail.message_id && mail.message_id.length <= 255 ? mail.message_id : null;
  const known = [message_key, ...(message_id ? [message_id] : [])];
  if (await ctx.db.findOneBy(MailboxMessage, { mailbox_id, message_key: In(known) })) return undefined;
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
  });
  await storeRaw(ctx, received_id, source);
  ctx.emit(MessageStored, { received_id });
  return received_id;
}

/** The inbox that a read position is valid for. */
const inboxOf = ['sign_in', 'protocol', 'tenant', 'username', 'host'] as const;

async function keep(ctx: Context, read: Mailbox, change: Partial<Row<typeof MailboxState>>): Promise<void> {
  const { mailbox_id } = read;
  await ctx.transaction(async (inside) => {
    const now = await lockedRow(inside.db, MailboxState, { mailbox_id }, { mailbox_id });
    // The mailbox was switched to another inbox while this one was being read.
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

/** Bytes in which the headers of a mail end; parsing refuses longer ones. */
const LONGEST_HEAD = 512 * 1024;

/** Headers that do not change when a mail is delivered again or to another mailbox. */
const LASTING = /^(?:message-id|date|from|subject):/i;

/**
 * Returns the fingerprint of a mail: its stable headers and its body. The Message-ID alone is not enough, because some
 * programs reuse theirs, and their mails must not be lost.
 */
function fingerprintOf(source: Buffer): string {
  const start = source.toString('latin1', 0, LONGEST_HEAD);
  const end = /\r?\n\r?\n/.exec(start)?.index ?? start.length;
  const [head, body] = [start.slice(0, end), source.subarray(end)];
  const lines = head.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  const hash = createHash('sha256')
    .update(JSON.stringify(lines.filter((each) => LASTING.test(each))))
    .update(body);
  return `sha256:${hash.digest('hex')}`;
}
