// Mails that cannot be read: why, and what takes the place of their text.
import { explained, messageOf } from '@keelson/core/kit';
import type { MailboxMessage } from '../entities.ts';
import { MOST_BYTES } from '../servers/source.ts';

/** A mail that cannot be read; a person can have it read again. The message is a sentence. */
export class Unreadable extends Error {
  /** Whether its original is kept. */
  readonly kept: boolean;

  constructor(why: string, { kept = true, cause }: { readonly kept?: boolean; readonly cause?: unknown } = {}) {
    super(why, { cause });
    this.kept = kept;
  }
}

/** The parser's limits, and what they mean. */
const LIMITS: readonly (readonly [RegExp, string])[] = [
  [/header size/i, explained('Its headers are longer than 512 KiB')],
  [/nesting depth/i, explained('Its parts are nested more than 50 levels deep')],
];

/** Returns a parser's error as the reason why a mail cannot be read. */
export function unreadableBy(error: unknown): Unreadable {
  const said = messageOf(error);
  const [, why = said] = LIMITS.find(([limit]) => limit.test(said)) ?? [];
  return new Unreadable(why, { cause: error });
}

/** For `catch`: returns why a mail cannot be read, and throws any other error. */
export function orUnreadable(error: unknown): Unreadable {
  if (error instanceof Unreadable) return error;
  throw error;
}

/** Whether only the beginning of a mail is kept. */
export const isCut = ({ size }: Pick<MailboxMessage, 'size'>): boolean => size > MOST_BYTES;

/** The reason that earlier versions gave for mails that they did not receive. */
const LEFT = explained('Larger than 25 MiB: left unread on the mail server');

/** Whether an earlier version left the mail on the server. */
export const wasLeft = ({ reason }: Pick<MailboxMessage, 'reason'>): boolean => reason === LEFT;

/** Returns why the original of a mail is not kept. */
export const unkept = (message: Pick<MailboxMessage, 'reason'>): Unreadable =>
  new Unreadable(
    wasLeft(message) ? 'It is larger than 25 MiB and was left on the mail server' : 'Its original is no longer kept',
    { kept: false },
  );

/** Returns the text of a ticket or a note whose mail cannot be read. */
export const standIn = ({ message, kept }: Unreadable): string =>
  `This mail could not be read. ${message}.${kept ? ' Technicians can download its original.' : ''}`;
