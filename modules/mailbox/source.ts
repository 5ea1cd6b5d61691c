// A source of mails: the inbox of a mailbox, over IMAP or the API of a provider.

/** The last mail read. IMAP's UIDs are valid only within one UIDVALIDITY; APIs have a cursor instead. */
export interface Position {
  readonly uid_validity: string;
  readonly last_uid: number;
  readonly cursor: string | null;
}

/** The server is unreachable or rejects the sign-in. */
export class MailboxAway extends Error {}

/** The server asks to be left alone for some time. */
export class MailboxBusy extends MailboxAway {
  readonly seconds: number;
  constructor(message: string, seconds: number) {
    super(message);
    this.seconds = seconds;
  }
}

/** The server does not hand out one mail; it may hand out others. */
export class MailWithheld extends MailboxAway {}

/** As many in one run are no matter of single mails. */
const MOST_WITHHELD = 3;

/**
 * Receives mails one by one. One that is withheld does not delay the others.
 * @throws MailWithheld of the first such mail, once the others are done: the position must stay before it
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
  /** The UID, or 0 for a mail that has only an id. */
  readonly uid: number;
  /** The id of an API, which stays the same. */
  readonly source_id: string | undefined;
  readonly size: number;
  readonly message_id: string | undefined;
  /** Milliseconds since the epoch; undefined if the server does not report it. */
  readonly arrived_at: number | undefined;
  readonly from: { readonly name: string; readonly address: string };
  readonly subject: string;
  /** Undefined if too large to fetch. */
  readonly source: Buffer | undefined;
}

/** What becomes of a mail on the server once it is stored: it is marked as read, or removed. */
export type After = 'read' | 'remove';

/** Stores a mail; `at` is its position. */
export type Take = (mail: Incoming, at: Position) => Promise<After>;

export interface Taking {
  readonly take: Take;
  /** Returns which of the mails with these ids are stored already and need not be fetched. */
  known(source_ids: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface MailSource {
  /** Signs in and returns the position at which new mails will start. @throws MailboxAway */
  peek(): Promise<Position>;
  /**
   * Passes each mail since `from` to `take`, one at a time, oldest first, and marks or removes it once that resolves.
   * @returns the position for the next run.
   * @throws MailboxAway, and what `take` throws
   */
  receive(from: Position, taking: Taking): Promise<Position>;
  /**
   * Stays connected and takes each mail as soon as the server reports it. Resolves once `off` is aborted. Absent where
   * the server reports nothing. @throws MailboxAway when the connection breaks, and what `take` throws
   */
  watch?(watching: Watching, off: AbortSignal): Promise<void>;
}

export interface Watching {
  /** Reads the position from which to continue. */
  position(): Promise<Position>;
  readonly take: Take;
  /** Called whenever the server has proved to be there while it was waited for. */
  alive(): void;
}

/** Maximum number of mails per run; the rest follows in the next run. */
export const MOST = 200;
export const MOST_BYTES = 25 * 1024 * 1024;
