// IMAP client: reads new mails, oldest first. It changes nothing on the server except the read flag.
import type { FetchMessageObject, ImapFlow, ImapFlowOptions } from 'imapflow';
import type { securities } from './entities.ts';

export interface MailboxServer {
  readonly host: string;
  readonly port: number;
  readonly security: (typeof securities)[number];
  readonly username: string;
  readonly password: string;
}

/** The last mail read. Its UID is valid only within one UIDVALIDITY. */
export interface Position {
  readonly uid_validity: string;
  readonly last_uid: number;
}

/** The server is unreachable or rejects the sign-in. */
export class MailboxAway extends Error {}

/** Mail on the server. */
export interface Incoming {
  readonly uid: number;
  readonly size: number;
  readonly message_id: string | undefined;
  /** Milliseconds since the epoch; undefined if the server does not report it. */
  readonly arrived_at: number | undefined;
  readonly from: { readonly name: string; readonly address: string };
  readonly subject: string;
  /** Undefined if too large to fetch. */
  readonly source: Buffer | undefined;
}

/** Maximum number of mails per run; the rest follows in the next run. */
const MOST = 200;
const MOST_BYTES = 25 * 1024 * 1024;
const FOLDER = 'INBOX';
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000 } as const;

/** Signs in and returns the position at which new mails will start. @throws MailboxAway */
export function peek(server: MailboxServer): Promise<Position> {
  return converse(server, (_client, at) => Promise.resolve(at));
}

/**
 * Passes each mail since `from` to `take`, one at a time, and marks it as read once `take` resolves.
 * @returns the position for the next run.
 * @throws MailboxAway, and what `take` throws
 */
export function receive(server: MailboxServer, from: Position, take: Take): Promise<Position> {
  return converse(server, async (client, end) => {
    const first = from.uid_validity === end.uid_validity ? from.last_uid + 1 : 1;
    if (first > end.last_uid) return end;
    const { at, all } = await takeNew(client, { uid_validity: end.uid_validity, last_uid: first - 1 }, take);
    return all && end.last_uid > at.last_uid ? end : at;
  });
}

/** Stores a mail; `at` is its position. */
export type Take = (mail: Incoming, at: Position) => Promise<void>;

export interface Watching {
  /** Reads the position from which to continue. */
  position(): Promise<Position>;
  readonly take: Take;
  /** Called whenever the server has proved to be there while it was waited for. */
  alive(): void;
}

/**
 * Stays connected and takes each mail as soon as the server reports it (IDLE, or NOOP every two minutes).
 * Resolves once `off` is aborted. @throws MailboxAway when the connection breaks, and what `take` throws
 */
export async function watch(server: MailboxServer, watching: Watching, off: AbortSignal): Promise<void> {
  await converse(server, async (client, { uid_validity }) => {
    const end = () => client.close();
    off.addEventListener('abort', end, { once: true });
    let [arrived, wake] = [true, () => {}];
    client.on('exists', () => {
      arrived = true;
      wake();
    });
    try {
      while (!off.aborted) {
        if (arrived) {
          arrived = false;
          const from = await watching.position();
          const start = from.uid_validity === uid_validity ? from : { uid_validity, last_uid: 0 };
          const { all } = await takeNew(client, start, watching.take);
          arrived ||= !all;
          continue;
        }
        const more = new Promise<void>((resolve) => (wake = resolve));
        // The next command ends IDLE, and so does the client to see whether a silent server is still there.
        const refused = (await Promise.race([more, client.idle()])) === false;
        if (off.aborted) return;
        if (refused || !client.usable || !client.mailbox) throw new MailboxAway('The connection was closed');
        watching.alive();
      }
    } finally {
      off.removeEventListener('abort', end);
    }
  }).catch((error: unknown) => {
    if (!off.aborted) throw error;
  });
}

/** Takes the mails after a position, oldest first; `all` is false if there may be more. */
async function takeNew(client: ImapFlow, from: Position, take: Take): Promise<{ at: Position; all: boolean }> {
  const first = from.last_uid + 1;
  const fields = { uid: true, size: true, envelope: true, internalDate: true } as const;
  const uids = ((await client.search({ uid: `${first}:*` }, { uid: true })) || [])
    .filter((uid) => uid >= first)
    .toSorted((a, b) => a - b)
    .slice(0, MOST);
  if (uids.length === 0) return { at: from, all: true };
  const found = (await client.fetchAll(uids.join(','), fields, { uid: true })).toSorted((a, b) => a.uid - b.uid);
  let at = from;
  for (const each of found) {
    at = { uid_validity: from.uid_validity, last_uid: each.uid };
    const mail = await incomingOf(client, each);
    // It was moved or deleted meanwhile.
    if (!mail) continue;
    await take(mail, at);
    // One that was too large to fetch stays unread.
    if (mail.source) await client.messageFlagsAdd(String(each.uid), ['\\Seen'], { uid: true });
  }
  return { at, all: uids.length < MOST };
}

async function incomingOf(
  client: ImapFlow,
  { uid, size = 0, envelope, internalDate }: FetchMessageObject,
): Promise<Incoming | undefined> {
  const [sender] = envelope?.from ?? [];
  const isFetched = size <= MOST_BYTES;
  const fetched = isFetched && (await client.fetchOne(String(uid), { source: true }, { uid: true }));
  if (isFetched && !fetched) return undefined;
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
  // A connection error also rejects the pending call.
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
    // Never send the password over an unencrypted connection.
    ...(security !== 'tls' && { doSTARTTLS: security === 'starttls' }),
    auth: { user: username, pass: password },
    logger: false,
    disableAutoIdle: true,
    ...TIMEOUTS,
  };
}

/** Library errors of a closed connection have a `code`; our own errors do not. */
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
