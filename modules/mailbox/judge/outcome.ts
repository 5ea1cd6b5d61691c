// What judging a mail works with and results in, and what a ticket takes from a mail.
import type { Ticket } from '@keelson/modules/tickets';
import type { Mailbox, MailboxMessage } from '../entities.ts';
import type { ParsedMail } from '../parse/parse.ts';

/** What becomes of a mail. */
export interface Outcome {
  readonly state: MailboxMessage['state'];
  readonly reason: string;
  readonly ticket?: Ticket;
  readonly comment_id?: number;
  /** Whether to send the sender a confirmation. */
  readonly answered?: boolean;
  /** Whether a ticket that the mail names shows it, although it is ignored. */
  readonly shown?: boolean;
}

/** A mail in its turn. */
export interface Judging {
  readonly message: MailboxMessage;
  readonly mailbox: Mailbox;
  readonly mail: ParsedMail;
  /** Whether a person decided whose mail it is. */
  readonly isDecided: boolean;
}

/** Returns what a comment or a ticket says of a mail. */
export const textOf = ({ text, files }: ParsedMail): string =>
  text || (files.length > 0 ? 'See the attached files.' : 'This mail has no text.');

/** Strips reply prefixes and other tickets' numbers. */
export const subjectOf = ({ subject }: ParsedMail): string =>
  subject
    .replace(
      /^(?:\s*(?:\[#\d{1,12}\]|(?:re|fwd?|aw|wg|sv|tr|rv|antw|doorst|odp|pd|res|rif|enc|r|i|vb|vs|vl|ynt|回复|答复|转发|回覆|轉寄|転送)\s*[:：])\s*)+/i,
      '',
    )
    .replace(/\[#\d{1,12}\]\s*/, '')
    .trim()
    .slice(0, 255) || 'No subject';

/** Returns the category and the priority of a mailbox's tickets. */
export const usualFields = ({ job_type, priority }: Mailbox) => ({
  ...(job_type !== null && { job_type }),
  ...(priority !== null && { priority }),
});
