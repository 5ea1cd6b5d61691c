// The order of mails: each mailbox's mails are processed in the order of their arrival, on any number of processes.
import { Between, normalised, perApp, plus, type Context } from '@keelson/core';
import { Mailbox, MailboxMessage } from '../entities.ts';
import { readMail } from '../parse/read-mail.ts';
import { orUnreadable, Unreadable } from '../parse/unreadable.ts';
import { judge, prepare, type Prepared } from './judge.ts';

/** Earlier mails per query, and how many times this many a mail processes at most before its own turn. */
const BEFORE_AT_ONCE = 50;
const MOST_BATCHES = 20;

/** How long a failing mail delays later mails of its conversation. */
const DELAYED = { hours: -1 } as const;

/**
 * Processes a mail after the earlier pending mails of its mailbox, so that conversations keep their order with any
 * number of processes. A failing mail is retried separately; it blocks its own conversation for an hour, and no other.
 * @throws Error if the mail must wait for an earlier one of its conversation
 */
export async function judgeInTurn(outside: Context, received_id: number): Promise<void> {
  const forget = prepareAhead(outside, received_id);
  await judgeAfterEarlier(outside, received_id).finally(forget);
}

async function judgeAfterEarlier(outside: Context, received_id: number): Promise<void> {
  const message = await outside.db.findOneBy(MailboxMessage, { received_id });
  if (!message) return;
  const failed: MailboxMessage[] = [];
  for await (const each of readEarlier(outside, message))
    await judgeOnce(outside, each.received_id).catch((error: unknown) => {
      outside.log.warn({ err: error, received_id: each.received_id }, 'mailbox: an earlier mail is still pending');
      failed.push(each);
    });
  const recent = failed.filter((each) => each.received_at > plus(outside.now, DELAYED));
  if (recent.length > 0 && (await continuesOne(outside, message, recent)))
    throw new Error('An earlier mail of the conversation must be processed first');
  await judgeOnce(outside, received_id);
}

/**
 * Yields the earlier pending mails of a mailbox, oldest first. Many are pending after a crash, until their leases end.
 * @throws Error if there are more than one mail may process; the next attempt continues
 */
async function* readEarlier(
  { db }: Context,
  { mailbox_id, received_id }: MailboxMessage,
): AsyncIterable<MailboxMessage> {
  const order = { received_id: 'ASC' } as const;
  let first = 1;
  for (let batches = 0; batches < MOST_BATCHES; batches++) {
    const where = { mailbox_id, state: 'stored', received_id: Between(first, received_id - 1) } as const;
    const some = await db.find(MailboxMessage, { where, order, take: BEFORE_AT_ONCE });
    yield* some;
    if (some.length < BEFORE_AT_ONCE) return;
    first = (some.at(-1)?.received_id ?? 0) + 1;
  }
  throw new Error('Earlier mails of the mailbox must be processed first');
}

/** Returns true if a mail has the same sender as one of the earlier mails, or replies to one of them. */
async function continuesOne(ctx: Context, message: MailboxMessage, earlier: readonly MailboxMessage[]) {
  const sender = normalised(message.from_address);
  if (earlier.some((each) => normalised(each.from_address) === sender)) return true;
  const mailbox = await ctx.db.findOneBy(Mailbox, { mailbox_id: message.mailbox_id });
  const mail = mailbox && (await readMail(ctx, mailbox, message).catch(orUnreadable));
  // A mail that cannot be read is reported when it is processed; here it belongs to no conversation.
  const references = !mail || mail instanceof Unreadable ? [] : mail.references;
  return earlier.some(({ message_id }) => message_id !== null && references.includes(message_id));
}

/** Mails that this process prepares or processes. */
const works = perApp(() => ({
  prepared: new Map<number, Promise<Prepared>>(),
  turns: new Map<number, Promise<void>>(),
}));

/** Processes a pending mail once, for all whose turn depends on it. */
function judgeOnce(outside: Context, received_id: number): Promise<void> {
  const { prepared, turns } = works(outside.app);
  const known = turns.get(received_id);
  if (known) return known;
  const turn = judge(outside, received_id, {}, prepared.get(received_id)).finally(() => turns.delete(received_id));
  turns.set(received_id, turn);
  return turn;
}

/** Reads a mail and its author while earlier mails are being processed. */
function prepareAhead(outside: Context, received_id: number): () => void {
  const { prepared } = works(outside.app);
  const preparing = prepare(outside, received_id, {});
  // An error is thrown on the mail's turn.
  preparing.catch(() => undefined);
  prepared.set(received_id, preparing);
  return () => prepared.delete(received_id);
}
