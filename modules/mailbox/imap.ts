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
