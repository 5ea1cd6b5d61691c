// Reading a mailbox by IMAP: what is new since the last time, oldest first. Nothing is changed there but the mark of mails
// that were read.
import type { FetchMessageObject, ImapFlow, ImapFlowOptions } from 'imapflow';
import type { securities } from './entities.ts';

export interface MailboxServer {
  readonly host: string;
  readonly port: number;
  readonly security: (typeof securities)[number];
  readonly username: string;
  readonly password: string;
}

/** The last mail that was read; its number counts within one validity only. */
export interface Position {
  readonly uid_validity: string;
  readonly last_uid: number;
}

/** The server cannot be reached or lets us not in. */
export class MailboxAway extends Error {}

/** A mail of the server. */
export interface Incoming {
  readonly uid: number;
  readonly size: number;
  readonly message_id: string | undefined;
  /** Milliseconds since 1970; undefined when the server does not say. */
  readonly arrived_at: number | undefined;
  readonly from: { readonly name: string; readonly address: string };
  readonly subject: string;
  /** Undefined when it is too large to be fetched. */
  readonly source: Buffer | undefined;
}

/** Mails of one run: others follow with the next. */
const MOST = 200;
const MOST_BYTES = 25 * 1024 * 1024;
const FOLDER = 'INBOX';
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000 } as const;

/** Signs in and says where new mails will begin. @throws MailboxAway */
export function peek(server: MailboxServer): Promise<Position> {
  return converse(server, (_client, at) => Promise.resolve(at));
}

/**
 * Hands over each mail since `from`, one after the other, and marks it as read when `take` has returned.
 * @returns where to go on the next time. @throws MailboxAway, and what `take` throws
 */
export function receive(
  server: MailboxServer,
  from: Position,
  take: (mail: Incoming, at: Position) => Promise<void>,
): Promise<Position> {
  return converse(server, async (client, end) => {
    const first = from.uid_validity === end.uid_validity ? from.last_uid + 1 : 1;
    if (first > end.last_uid) return end;
    const fields = { uid: true, size: true, envelope: true, internalDate: true } as const;
    const found = (await client.fetchAll(`${first}:*`, fields, { uid: true }))
      .filter(({ uid }) => uid >= first)
      .toSorted((a, b) => a.uid - b.uid)
      .slice(0, MOST);
    let at: Position = { uid_validity: end.uid_validity, last_uid: first - 1 };
    for (const each of found) {
      at = { uid_validity: end.uid_validity, last_uid: each.uid };
      await take(await incomingOf(client, each), at);
      await client.messageFlagsAdd(String(each.uid), ['\\Seen'], { uid: true });
    }
    return found.length < MOST ? end : at;
  });
}

async function incomingOf(
  client: ImapFlow,
  { uid, size = 0, envelope, internalDate }: FetchMessageObject,
): Promise<Incoming> {
  const [sender] = envelope?.from ?? [];
  const fetched = size > MOST_BYTES ? false : await client.fetchOne(String(uid), { source: true }, { uid: true });
  return {
    uid,
    size,
    message_id: envelope?.messageId,
    arrived_at: internalDate ? Date.parse(String(internalDate)) : undefined,
    from: { name: sender?.name ?? '', address: sender?.address ?? '' },
    subject: envelope?.subject ?? '',
    source: fetched ? fetched.source : undefined,
  };
}

async function converse<T>(server: MailboxServer, work: (client: ImapFlow, end: Position) => Promise<T>): Promise<T> {
  const { ImapFlow: Client } = await import('imapflow');
  const client = new Client(optionsOf(server));
  // What breaks the connection rejects the call that waits for it, too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.mailboxOpen(FOLDER);
  } catch (error) {
    client.close();
    throw new MailboxAway(sentenceOf(error), { cause: error });
  }
  try {
    const { mailbox } = client;
    if (!mailbox) throw new MailboxAway('The folder INBOX cannot be opened');
    return await work(client, { uid_validity: String(mailbox.uidValidity), last_uid: mailbox.uidNext - 1 });
  } catch (error) {
    throw isBroken(error) ? new MailboxAway(sentenceOf(error), { cause: error }) : error;
  } finally {
    await client.logout().catch(() => client.close());
  }
}

function optionsOf({ host, port, security, username, password }: MailboxServer): ImapFlowOptions {
  return {
    host,
    port,
    secure: security === 'tls',
    // A password is sent over a connection that nobody else can read, or not at all.
    ...(security !== 'tls' && { doSTARTTLS: security === 'starttls' }),
    auth: { user: username, pass: password },
    logger: false,
    disableAutoIdle: true,
    ...TIMEOUTS,
  };
}

/** The library's errors of a connection that has ended have a code; what our own code throws has none. */
const isBroken = (error: unknown): boolean => error instanceof Error && 'code' in error && !('kind' in error);

function sentenceOf(error: unknown): string {
  const { responseText, authenticationFailed, message } = error as {
    responseText?: string;
    authenticationFailed?: boolean;
    message?: string;
  };
  if (authenticationFailed) return 'it does not accept the user name and password';
  return responseText ?? message ?? 'it does not answer';
}
