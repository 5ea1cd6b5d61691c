// A mail source: the inbox of a mailbox, over IMAP or a provider's API.

/** The last mail read. IMAP's UIDs are valid only within one UIDVALIDITY; APIs have a cursor instead. */
export interface Position {
  readonly uid_validity: string;
  readonly last_uid: number;
  readonly cursor: string | null;
}

/** The server is unreachable or rejects the sign-in. */
export class MailboxAway extends Error {}

/** The server asked us to pause. */
export class MailboxBusy extends MailboxAway {
  readonly seconds: number;
  constructor(message: string, seconds: number) {
    super(message);
    this.seconds = seconds;
  }
}

/** The server refuses to deliver one mail; others may still be available. */
export class MailWithheld extends MailboxAway {}

/** So many in one run are not a problem of individual mails. */
const MOST_WITHHELD = 3;

/**
 * Receives mails one by one. A withheld mail does not delay the others.
 * @throws MailWithheld of the first withheld mail, once the others are done: the position must stay before it
 */
export async function receiveEach<T>(mails: readonly T[], work: (mail: T) => Promise<void>): Promise<void> {
  const withheld: MailWithheld[] = [];
  for (const mail of mails) {
    if (withheld.length === MOST_WITHHELD) break;
    await work(mail).catch((error: unknown) => {
      if (!(error instanceof MailWithheld)) throw error;
      withheld.push(error);
    });
  }
  const [first] = withheld;
  if (first) throw first;
}

/** Mail on the server. */
export interface Incoming {
  /** The UID; 0 for a mail that only has an API id. */
  readonly uid: number;
  /** The API id, which never changes. */
  readonly source_id: string | undefined;
  readonly size: number;
  readonly message_id: string | undefined;
  /** Milliseconds since the epoch; undefined if the server does not report it. */
  readonly arrived_at: number | undefined;
  readonly from: { readonly name: string; readonly address: string };
  readonly subject: string;
  /** Only the beginning of a mail that is too large to fetch. */
  readonly source: Buffer;
}

/** What happens to a mail on the server once it is stored: marked as read, or deleted. */
export type After = 'read' | 'remove';

/** Mail on the server, and its position. */
export interface Arrived {
  readonly mail: Incoming;
  readonly at: Position;
}

/** Stores mails in this order; returns what happens to each on the server. */
export type Take = (arrived: readonly Arrived[]) => Promise<readonly After[]>;

export interface Taking {
  readonly take: Take;
  /** Returns which of the mails with these ids are already stored and need not be fetched. */
  known(source_ids: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface MailSource {
  /**
   * Signs in and returns the read position, after which mails are new.
   * @throws MailboxAway
   */
  peek(): Promise<Position>;
  /**
   * Passes the mails since `from` to `take`, a few at a time, oldest first, and marks or deletes them once that resolves.
   * @returns the position for the next run.
   * @throws MailboxAway, and what `take` throws
   */
  receive(from: Position, taking: Taking): Promise<Position>;
  /**
   * Stays connected and takes mails as soon as the server reports it. Resolves once `off` is aborted. Absent if the
   * server does not support it.
   * @throws MailboxAway when the connection breaks, and what `take` throws
   */
  watch?(watching: Watching, off: AbortSignal): Promise<void>;
}

export interface Watching {
  /** Reads the position from which to continue. */
  position(): Promise<Position>;
  readonly take: Take;
  /** Called whenever an idle server has proved to be alive. */
  alive(): void;
}

/** Maximum number of mails per run; the rest follows in the next run. */
export const MOST = 200;
/** Maximum bytes of a mail to fetch: 25 MiB of files, which are a third larger in a mail. */
export const MOST_BYTES = 40 * 1024 * 1024;
/** Bytes to fetch of a larger mail: its headers and usually its text, which come first. */
export const BEGINNING_BYTES = 1024 * 1024;
