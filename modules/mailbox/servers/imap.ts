// IMAP client: reads new mails, oldest first. It changes nothing on the server except the read flag, and deletes only
// on request.
import { isIP } from 'node:net';
import { plus } from '@keelson/core';
import type { FetchMessageObject, FetchQueryObject, ImapFlow, ImapFlowOptions } from 'imapflow';
import type { securities } from '../entities.ts';
import {
  BEGINNING_BYTES,
  MailboxAway,
  MOST,
  MOST_BYTES,
  type After,
  type Incoming,
  type MailSource,
  type Position,
  type Take,
  type Watching,
} from './source.ts';

export interface MailboxServer {
  readonly host: string;
  /** The host's IP address to connect to. */
  readonly address: string;
  readonly port: number;
  readonly security: (typeof securities)[number];
  readonly username: string;
  readonly password: string;
  /** Access token for signing in with OAuth instead of a password. */
  readonly accessToken?: string | undefined;
}

const FOLDER = 'INBOX';
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 60_000 } as const;

/** Returns the inbox as a mail source. @param since mails from before are skipped when the position is lost */
export function imapSource(find: FindServer, since?: string): MailSource {
  const signedIn = async <T>(work: (server: MailboxServer) => Promise<T>): Promise<T> => {
    const server = await find();
    try {
      return await work(server);
    } catch (error) {
      // A token can be revoked before it expires.
      if (!(error instanceof SignInRefused) || server.accessToken === undefined) throw error;
      return work(await find(server.accessToken));
    }
  };
  return {
    peek: () => signedIn(peek),
    receive: (from, { take }) => signedIn((server) => receive(server, from, { take, since })),
    watch: (watching, off) => signedIn((server) => watch(server, { ...watching, since }, off)),
  };
}

/**
 * Returns the connection settings.
 * @param rejected an access token that the server rejected
 */
type FindServer = (rejected?: string) => Promise<MailboxServer>;

/** Whether the server rejected the password or token. */
class SignInRefused extends MailboxAway {}

function peek(server: MailboxServer): Promise<Position> {
  return converse(server, (_client, at) => Promise.resolve(at));
}

interface Since {
  readonly since: string | undefined;
}

function receive(
  server: MailboxServer,
  from: Position,
  { take, since }: Since & { readonly take: Take },
): Promise<Position> {
  return converse(server, async (client, end) => {
    const start = await startOf(client, from, end, since);
    if (start.last_uid >= end.last_uid) return end;
    const { at, all } = await takeNew(client, start, take);
    return all && end.last_uid > at.last_uid ? end : at;
  });
}

/** Returns where to continue: at the position, or if it is lost, at the first mail since a day before `since`. */
async function startOf(client: ImapFlow, from: Position, end: Position, since: string | undefined): Promise<Position> {
  if (from.uid_validity === end.uid_validity) return from;
  if (since === undefined) return { ...end, last_uid: 0 };
  // Servers compare dates only, in their own time zones.
  const found = await client.search({ since: plus(since, { days: -1 }).slice(0, 10) }, { uid: true });
  const uids = found || [];
  return { ...end, last_uid: uids.length > 0 ? Math.min(...uids) - 1 : end.last_uid };
}

/** Uses IDLE, or NOOP every two minutes. */
async function watch(server: MailboxServer, watching: Watching & Since, off: AbortSignal): Promise<void> {
  await converse(server, async (client, opened) => {
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
          const start = await startOf(client, await watching.position(), opened, watching.since);
          const { all } = await takeNew(client, start, watching.take);
          arrived ||= !all;
          continue;
        }
        const more = new Promise<void>((resolve) => (wake = resolve));
        // The next command ends IDLE; the client also ends it to check whether a silent server is still alive.
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
  for (const some of together(found)) {
    const sources = await sourcesOf(client, some);
    const arrived = some.flatMap((each) => {
      const source = sources.get(each.uid);
      // A mail without content was moved or deleted since.
      return source ? [{ mail: incomingOf(each, source), at: { ...from, last_uid: each.uid } }] : [];
    });
    const after = await take(arrived);
    // A mail that is too large to fetch stays unread.
    const uidsOf = (wanted: After) =>
      arrived.filter(({ mail }, n) => mail.size <= MOST_BYTES && after[n] === wanted).map(({ mail }) => mail.uid);
    const [seen, gone] = [uidsOf('read'), uidsOf('remove')];
    if (gone.length > 0) await client.messageDelete(gone.join(','), { uid: true });
    if (seen.length > 0) await client.messageFlagsAdd(seen.join(','), ['\\Seen'], { uid: true });
  }
  const last_uid = found.at(-1)?.uid ?? from.last_uid;
  return { at: { ...from, last_uid }, all: uids.length < MOST };
}

/** Maximum mails and bytes to fetch and store at once: they are in memory, and hold a transaction. */
const TOGETHER = { mails: 10, bytes: 1024 * 1024 };

/** Splits mails into those to store at once, in order. */
function together(found: readonly FetchMessageObject[]): FetchMessageObject[][] {
  const groups: FetchMessageObject[][] = [];
  let bytes = 0;
  for (const each of found) {
    const { size = 0 } = each;
    const last = groups.at(-1);
    bytes += size;
    if (last && last.length < TOGETHER.mails && bytes <= TOGETHER.bytes) last.push(each);
    else {
      groups.push([each]);
      bytes = size;
    }
  }
  return groups;
}

/** Returns the content of mails by UID, of those that are too large to fetch only the beginning. */
async function sourcesOf(client: ImapFlow, mails: readonly FetchMessageObject[]): Promise<Map<number, Buffer>> {
  const fetchSome = async (isWanted: (size: number) => boolean, source: FetchQueryObject['source'] = true) => {
    const uids = mails.filter(({ size = 0 }) => isWanted(size)).map(({ uid }) => uid);
    return uids.length > 0 ? client.fetchAll(uids.join(','), { uid: true, source }, { uid: true }) : [];
  };
  const fetched = [
    ...(await fetchSome((size) => size <= MOST_BYTES)),
    ...(await fetchSome((size) => size > MOST_BYTES, { start: 0, maxLength: BEGINNING_BYTES })),
  ];
  return new Map(fetched.flatMap(({ uid, source }) => (source ? [[uid, source]] : [])));
}

function incomingOf({ uid, size = 0, envelope, internalDate }: FetchMessageObject, source: Buffer): Incoming {
  const [sender] = envelope?.from ?? [];
  return {
    uid,
    source_id: undefined,
    size,
    message_id: envelope?.messageId,
    arrived_at: internalDate ? Date.parse(String(internalDate)) : undefined,
    from: { name: sender?.name ?? '', address: sender?.address ?? '' },
    subject: envelope?.subject ?? '',
    source,
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
    throw awayBy(error);
  }
  try {
    const { mailbox } = client;
    if (!mailbox) throw new MailboxAway('The INBOX folder cannot be opened');
    return await work(client, {
      uid_validity: String(mailbox.uidValidity),
      last_uid: mailbox.uidNext - 1,
      cursor: null,
    });
  } catch (error) {
    throw isBroken(error) ? awayBy(error) : error;
  } finally {
    await client.logout().catch(() => client.close());
  }
}

function optionsOf({ host, address, port, security, username, password, accessToken }: MailboxServer): ImapFlowOptions {
  return {
    host: address,
    ...(isIP(host) === 0 && { servername: host }),
    port,
    secure: security === 'tls',
    // Never send the password over an unencrypted connection.
    ...(security !== 'tls' && { doSTARTTLS: security === 'starttls' }),
    auth: accessToken === undefined ? { user: username, pass: password } : { user: username, accessToken },
    logger: false,
    disableAutoIdle: true,
    ...TIMEOUTS,
  };
}

/** Library errors of a closed connection have a `code`; our own errors do not. */
const isBroken = (error: unknown): boolean => error instanceof Error && 'code' in error && !('kind' in error);

function awayBy(error: unknown): MailboxAway {
  const { responseText, authenticationFailed, serverResponseCode, message } = error as {
    responseText?: string;
    authenticationFailed?: boolean;
    serverResponseCode?: string;
    message?: string;
  };
  const options = { cause: error };
  // A server that cannot check the sign-in now says UNAVAILABLE.
  if (authenticationFailed && serverResponseCode !== 'UNAVAILABLE')
    return new SignInRefused('the server rejected the username or password', options);
  return new MailboxAway(responseText ?? message ?? 'the server is not responding', options);
}
