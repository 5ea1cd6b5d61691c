// Mails on their way: a row and an event in the transaction that causes them, sent after its commit (mail-delivery.ts).
import { z } from 'zod';
import type { MailContext } from './mail-context.ts';
import { event } from '../events/event.ts';
import type { MailTemplate } from './mail-template.ts';
import { newId } from '../kit/random.ts';
import { choice, key, table, text, when, type Row } from '../database/table.ts';

/**
 * - `waiting`: on its way, or about to be tried again
 * - `held`: there is no mail server, or it does not answer; goes on when there is one
 * - `sent`, `failed` (for good), `skipped` (an administrator has switched this kind of mail off)
 */
export const mailStates = ['waiting', 'held', 'sent', 'failed', 'skipped'] as const;

/** The mails that were written, sent or not. */
export const Mail = table(
  'mail',
  {
    /** Sorts by time; also the Message-ID, so that a mail that had to be sent twice is recognised as one. */
    mail_id: key(40).primary(),
    template: key(64),
    recipient_name: text(255),
    recipient_address: text(254),
    /** The values of its placeholders, sealed: some are links that open accounts. Gone once it is sent. */
    data: text().nullable().hidden(),
    state: choice(...mailStates).default('waiting'),
    error: text(500).nullable(),
    created_at: when(),
    sent_at: when().nullable(),
  },
  [
    ['state', 'created_at', 'mail_id'],
    ['created_at', 'mail_id'],
  ],
);
export type Mail = Row<typeof Mail>;

/** Tells the delivery only; the mail itself stays in its row. */
export const MailQueued = event('mail.queued', z.object({ mail_id: z.string() }));

/** Whom a mail goes to, and the values of its placeholders. */
export interface Letter<Variable extends string> {
  /** One person; the address is the one that is stored of them, never one a request brings along (M10). */
  readonly to: { readonly name: string; readonly address: string };
  readonly data: Readonly<Record<Variable, string | number>>;
}

/** A value in a mail is cut here: whole descriptions belong behind the link. */
const LONGEST = 10_000;

/**
 * Writes a mail into the caller's transaction; it is rendered and sent after the commit, tried again, or held while
 * there is no mail server. Reads nothing, so many may be written in one transaction. Answers its id.
 * @throws Error outside a transaction
 */
export function sendMail<Variable extends string>(
  ctx: MailContext,
  template: MailTemplate<Variable>,
  { to, data }: Letter<Variable>,
): string {
  if (!ctx.tx) throw new Error(`Mail ${template.key} was written outside a transaction`);
  const mail_id = newId();
  const values = Object.entries<string | number>(data).map(([name, value]) => [name, cut(String(value))]);
  ctx.tx.append(Mail, {
    mail_id,
    template: template.key,
    recipient_name: to.name.slice(0, 255),
    recipient_address: to.address,
    data: ctx.app.vault.seal(JSON.stringify(Object.fromEntries(values)), sealedFor(mail_id)),
    created_at: ctx.now,
  });
  ctx.emit(MailQueued, { mail_id });
  return mail_id;
}

/** What the data of a mail is sealed for. */
export const sealedFor = (mail_id: string): string => `mail ${mail_id}`;

function cut(value: string): string {
  return value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
}
