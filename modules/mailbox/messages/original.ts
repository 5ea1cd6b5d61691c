// The original of a received mail: its relevant headers, full text with quotations, and HTML.
import { conflict, z, type Context } from '@keelson/core';
import { Mailbox, type MailboxMessage } from '../entities.ts';
import { resultsOf } from '../judge/verdict.ts';
import { openApart } from '../parse/apart.ts';
import { bytesOf, cleanLine, headerOf } from '../parse/parse.ts';
import { readRaw } from '../parse/raw.ts';
import { isCut, orUnreadable, unkept, Unreadable, unreadableBy, wasLeft } from '../parse/unreadable.ts';
import { htmlWithoutLinks, withoutLinks } from './personal-links.ts';

export const OriginalMail = z.object({
  /** False once the content has been deleted after 90 days; only the listed fields remain. */
  kept: z.boolean(),
  /** Why the original cannot be shown; null if it can, or was deleted. If kept, it can be downloaded. */
  unreadable: z.string().nullable(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  /** The sender verdict of the provider's mail server; null if there is none or no server is configured. */
  authentication: z.string().nullable(),
  text: z.string(),
  has_html: z.boolean(),
  /** Number of remote images, which are shown only on request. */
  pictures: z.int(),
  files: z.array(z.object({ name: z.string(), size: z.int() })),
});

const SHOWN: readonly string[] = [
  'From',
  'To',
  'Cc',
  'Reply-To',
  'Date',
  'Subject',
  'Message-ID',
  'In-Reply-To',
  'Auto-Submitted',
];
const LONGEST_HEADER = 2000;
const LONGEST_TEXT = 500_000;
/** Follows a text that is too long to show. */
const REST = '\n\n[The text is longer. Download the original for the rest.]';
/** Follows the text of a mail that was too large. */
const BEGINNING = '\n\n[Only the beginning of this mail was received, because it is too large.]';
const nothing = { headers: [], authentication: null, text: '', has_html: false, pictures: 0, files: [] };

export async function readOriginal(ctx: Context, message: MailboxMessage): Promise<z.infer<typeof OriginalMail>> {
  const opened = await open(ctx, message, { pictures: false });
  if (!opened) return { ...nothing, kept: false, unreadable: wasLeft(message) ? unkept(message).message : null };
  if (opened instanceof Unreadable) return { ...nothing, kept: true, unreadable: opened.message };
  const { mail, shown, mailbox } = opened;
  const { decodeWords } = await import('postal-mime');
  const headers = SHOWN.flatMap((name) => {
    const value = headerOf(mail, name.toLowerCase());
    return value === undefined ? [] : [{ name, value: cleanLine(decodeWords(value)).slice(0, LONGEST_HEADER) }];
  });
  const results = mailbox ? resultsOf(mail, mailbox) : [];
  return {
    kept: true,
    unreadable: null,
    headers,
    authentication: results.length > 0 ? results.join('\n').slice(0, LONGEST_HEADER) : null,
    text: withoutLinks(cut(mail.text ?? ''), ctx.app.config.baseUrl) + (isCut(message) ? BEGINNING : ''),
    has_html: Boolean(mail.html),
    pictures: shown.blocked,
    files: mail.attachments.map((each) => ({
      name: cleanLine(each.filename ?? each.mimeType),
      size: bytesOf(each).length,
    })),
  };
}

const cut = (text: string): string => (text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}${REST}` : text);

/**
 * Returns the sanitised HTML: an empty document if the mail has none or was deleted.
 * @throws conflict() if the mail cannot be read
 */
export async function readOriginalHtml(ctx: Context, message: MailboxMessage, asked: { readonly pictures: boolean }) {
  const opened = await open(ctx, message, asked);
  if (!opened) return { html: '', pictures: false };
  if (opened instanceof Unreadable) throw conflict(`The original cannot be opened: ${opened.message}`);
  return { html: htmlWithoutLinks(opened.shown.html, ctx.app.config.baseUrl), pictures: asked.pictures };
}

async function open(ctx: Context, { received_id, mailbox_id }: MailboxMessage, asked: { readonly pictures: boolean }) {
  const raw = await readRaw(ctx, received_id).catch(orUnreadable);
  if (!raw || raw instanceof Unreadable) return raw;
  const opened = await openApart(ctx.app, raw, asked).catch(unreadableBy);
  if (opened instanceof Unreadable) return opened;
  return { ...opened, mailbox: await ctx.db.findOneBy(Mailbox, { mailbox_id }) };
}
