// Mails: stored as a row and an event in the transaction that causes them, and sent after its commit (mail-delivery.ts).
import { z } from 'zod';
import type { MailContext } from './mail-context.ts';
import { event } from '../events/event.ts';
import type { MailTemplate } from './mail-template.ts';
import { newId } from '../kit/random.ts';
import { choice, json, key, table, text, when, type Row } from '../database/table.ts';

/**
 * - `waiting`: to be sent, or tried again
 * - `held`: there is no mail server or it does not answer; sent when there is one
 * - `sent`, `failed` (for good), `skipped` (an administrator has switched this kind of mail off)
 */
export const mailStates = ['waiting', 'held', 'sent', 'failed', 'skipped'] as const;

/** What a mail says of itself besides its words; all of it is left out of mails that the program writes by itself. */
export const MailHeaders = z.object({
  /** Who writes: `Terry Technician`, from the installation's address. */
  from_name: z.string().optional(),
  /** Where answers go. */
  reply_to: z.string().optional(),
  /** Mails before it in the conversation: `<…>`, or ids to which the sender's domain is added. */
  references: z.array(z.string()).optional(),
});
export type MailHeaders = z.infer<typeof MailHeaders>;

/** The mails that were written, sent or not. */
export const Mail = table(
  'mail',
  {
    /** Sorts by time. It is also the Message-ID, so that mail programs recognise a mail that was sent twice. */
    mail_id: key(40).primary(),
    template: key(64),
    recipient_name: text(255),
    recipient_address: text(254),
    /** The values of its placeholders, sealed because some are sign-in links; null once it is sent. */
    data: text().nullable().hidden(),
    /** The file that goes with it. */
    attachment_id: key(40).nullable().hidden(),
    headers: json(MailHeaders).nullable().hidden(),
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

/** Files that are attached to mails, sealed like their data; those of mails that were sent or given up are removed. */
export const MailAttachment = table(
  'mail_attachment',
  {
    attachment_id: key(40).primary(),
    name: text(255),
    type: text(100),
    content: text().hidden(),
    created_at: when(),
  },
  [['created_at']],
);

/** Triggers the delivery; the mail itself stays in its row. */
export const MailQueued = event('mail.queued', z.object({ mail_id: z.string() }));

/** Whom a mail goes to, and the values of its placeholders. */
export interface Letter<Variable extends string> {
  /** The recipient. The address must be a stored one, never one from the request (ME-10). */
  readonly to: { readonly name: string; readonly address: string };
  readonly data: Readonly<Record<Variable, string | number>>;
  /** The file that goes with it, which `storeAttachment` has stored. */
  readonly attachment_id?: string;
  /** A mail that one person writes to another has no marks of a program, and continues a conversation. */
  readonly headers?: MailHeaders & { readonly from_name: string };
  /** The conversation that a mail of the program belongs to. */
  readonly thread?: Omit<MailHeaders, 'from_name'>;
}

/** A file for mails. */
export interface MailFile {
  /** The caller chooses it: unique, so that the same mails cannot be written twice. */
  readonly attachment_id: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** Stores a file for mails of the same transaction. It is removed with them after a week. @throws DuplicateKey */
export async function storeAttachment(ctx: MailContext, { attachment_id, name, type, bytes }: MailFile): Promise<void> {
  const content = ctx.app.vault.seal(bytes.toString('base64'), `mail attachment ${attachment_id}`);
  const cut = name.slice(0, 255);
  await ctx.db.insert(MailAttachment, {
    attachment_id,
    name: cut,
    type: type.slice(0, 100),
    content,
    created_at: ctx.now,
  });
}

/** Longer values are cut: whole descriptions are for the page behind the link. */
const LONGEST = 10_000;

/**
 * Stores a mail in the caller's transaction; answers its id. It is rendered and sent after the commit, tried again, or held
 * while there is no mail server. This reads nothing, so one transaction can store many mails.
 * @throws Error outside a transaction
 */
export function sendMail<Variable extends string>(
  ctx: MailContext,
  template: MailTemplate<Variable>,
  { to, data, attachment_id, headers, thread }: Letter<Variable>,
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
    attachment_id: attachment_id ?? null,
    headers: headers ?? thread ?? null,
    created_at: ctx.now,
  });
  ctx.emit(MailQueued, { mail_id });
  return mail_id;
}

/** The vault context of a mail's data. */
export const sealedFor = (mail_id: string): string => `mail ${mail_id}`;

function cut(value: string): string {
  return value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
}
