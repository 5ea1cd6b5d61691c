// Mails: stored as a row and an event in the transaction that causes them, and sent after its commit
// (mail-delivery.ts).
import { choice, json, key, table, text, when, type Row } from '@keelson/database/schema/table.ts';
import { event } from '@keelson/events/event.ts';
import { newId } from '@keelson/kit/random.ts';
import type { Spoken } from '@keelson/kit/wording.ts';
import { z } from 'zod';
import type { MailContext } from './mail-context.ts';
import type { MailTemplate } from './mail-template.ts';

/**
 * The states of a mail:
 * - `waiting`: will be sent or retried
 * - `held`: no mail server, or it does not respond; sent once one does
 * - `sent`, `failed` (for good), `skipped` (an administrator has switched this kind of mail off)
 */
export const mailStates = ['waiting', 'held', 'sent', 'failed', 'skipped'] as const;

/** Headers of a mail; automatic mail has none of them by default. */
export const MailHeaders = z.object({
  /** The author: `Terry Technician`, from the installation's address. */
  from_name: z.string().optional(),
  /** The address for replies. */
  reply_to: z.string().optional(),
  /** The sender address to use, if the sender has several. */
  from_address: z.string().optional(),
  /** Earlier mails of the conversation: `<…>`, or ids to which the sender's domain is appended. */
  references: z.array(z.string()).optional(),
});
export type MailHeaders = z.infer<typeof MailHeaders>;

/** A stored file that is sent with a mail. */
export const StoredFile = z.object({
  stored_as: z.string(),
  filename: z.string(),
  content_type: z.string(),
  size: z.int(),
});
export type StoredFile = z.infer<typeof StoredFile>;

/** All mails, sent or not. */
export const Mail = table(
  'mail',
  {
    /** Sorts by time. Also used as the Message-ID, so that mail clients recognise a mail that was sent twice. */
    mail_id: key(40).primary(),
    template: key(64),
    recipient_name: text(255),
    recipient_address: text(254),
    /** The values of its placeholders, sealed because some are sign-in links; null once it is sent. */
    data: text().nullable().hidden(),
    /** The attached file. */
    attachment_id: key(40).nullable().hidden(),
    /** Files of the record that the mail is about. */
    files: json(z.array(StoredFile)).nullable().hidden(),
    headers: json(MailHeaders).nullable().hidden(),
    /** The sender's id, resolved by the plugin that provides it (`mailSender`); null for the installation. */
    sender: key(40).nullable().hidden(),
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

/** Files attached to mails, sealed like their data; deleted after 10 days, when no mail can still be waiting. */
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

/** The recipient of a mail, and the values of its placeholders. */
export interface Letter<Variable extends string> {
  /** The recipient. The address must be a stored one, never one from the request (ME-10). */
  readonly to: { readonly name: string; readonly address: string };
  /** Texts, or values to be formatted in the recipient's language. */
  readonly data: Readonly<Record<Variable, Spoken>>;
  /** The attached file, stored by `storeAttachment`. */
  readonly attachment_id?: string;
  /**
   * Files of the record that the mail is about, from `readStoredFiles`. Those that are too large are named in the text.
   */
  readonly files?: readonly StoredFile[];
  /** Headers of a mail from one person to another: not marked as automatic, and part of a conversation. */
  readonly headers?: MailHeaders & { readonly from_name: string };
  /** The conversation that an automatic mail belongs to. */
  readonly thread?: Omit<MailHeaders, 'from_name'>;
  /** The sender, as known to the plugin with `mailSender`; defaults to the installation. */
  readonly sender?: string | undefined;
}

/** A file to attach to mails. */
export interface MailFile {
  /** Chosen by the caller: unique, so that the same mails cannot be written twice. */
  readonly attachment_id: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** Stores a file for mails of the same transaction. It is deleted after 10 days. @throws DuplicateKey */
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

/** Longer values are truncated: full descriptions belong on the linked page. */
const LONGEST = 10_000;

/**
 * Stores a mail in the caller's transaction; returns its id. It is rendered and sent after the commit, retried, or held
 * while there is no mail server. This reads nothing, so one transaction can store many mails.
 * @throws Error outside a transaction
 */
export function sendMail<Variable extends string>(
  ctx: MailContext,
  template: MailTemplate<Variable>,
  { to, data, attachment_id, files = [], headers, thread, sender }: Letter<Variable>,
): string {
  if (!ctx.tx) throw new Error(`Mail ${template.key} was queued outside a transaction`);
  const mail_id = newId();
  ctx.tx.append(Mail, {
    mail_id,
    template: template.key,
    recipient_name: to.name.slice(0, 255),
    recipient_address: to.address,
    data: ctx.app.vault.seal(JSON.stringify(valuesOf(data)), sealedFor(mail_id)),
    attachment_id: attachment_id ?? null,
    files: files.length > 0 ? [...files] : null,
    headers: headers ?? thread ?? null,
    sender: sender ?? null,
    created_at: ctx.now,
  });
  ctx.emit(MailQueued, { mail_id });
  return mail_id;
}

/** Returns the vault context of a mail's data. */
export const sealedFor = (mail_id: string): string => `mail ${mail_id}`;

/** Returns the values for rendering a template. */
export const valuesOf = (data: Readonly<Record<string, Spoken>>): Record<string, Spoken> =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [name, typeof value === 'object' ? value : cut(String(value))]),
  );

function cut(value: string): string {
  return value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value;
}
