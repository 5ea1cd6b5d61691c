// A received mail as it was written: its headers that matter, its whole text with quotations, and its HTML.
import { z, type Context } from '@keelson/core';
import type { Attachment, Email } from 'postal-mime';
import { Mailbox, type MailboxMessage } from './entities.ts';
import { bytesOf, cleanLine, headerOf, openMail, resultsOf } from './parse.ts';
import { readRaw } from './receive.ts';

export const OriginalMail = z.object({
  /** False once the content is deleted, after 90 days; only the listed fields remain. */
  kept: z.boolean(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  /** The provider's mail server's verdict on the sender; null if there is none or no server is configured. */
  authentication: z.string().nullable(),
  text: z.string(),
  has_html: z.boolean(),
  /** Number of pictures from elsewhere, which show only when asked for. */
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
const nothing = { kept: false, headers: [], authentication: null, text: '', has_html: false, pictures: 0, files: [] };

export async function readOriginal(ctx: Context, message: MailboxMessage): Promise<z.infer<typeof OriginalMail>> {
  const opened = await open(ctx, message);
  if (!opened) return nothing;
  const { mail, mailbox } = opened;
  const { decodeWords } = await import('postal-mime');
  const headers = SHOWN.flatMap((name) => {
    const value = headerOf(mail, name.toLowerCase());
    return value === undefined ? [] : [{ name, value: cleanLine(decodeWords(value)).slice(0, LONGEST_HEADER) }];
  });
  return {
    kept: true,
    headers,
    authentication: resultsOf(mail, mailbox?.authserv_id ?? '')?.slice(0, LONGEST_HEADER) ?? null,
    text: (mail.text ?? '').slice(0, LONGEST_TEXT),
    has_html: Boolean(mail.html),
    pictures: (await htmlOf(mail, false)).blocked,
    files: mail.attachments.map((each) => ({
      name: cleanLine(each.filename ?? each.mimeType),
      size: bytesOf(each).length,
    })),
  };
}

/** Returns the sanitised HTML: an empty document if the mail has none or was deleted. */
export async function readOriginalHtml(ctx: Context, message: MailboxMessage, asked: { readonly pictures: boolean }) {
  const opened = await open(ctx, message);
  if (!opened) return { html: '', pictures: false };
  const { html } = await htmlOf(opened.mail, asked.pictures);
  return { html, pictures: asked.pictures };
}

async function open(ctx: Context, { received_id, mailbox_id }: MailboxMessage) {
  const raw = await readRaw(ctx, received_id);
  const mailbox = await ctx.db.findOneBy(Mailbox, { mailbox_id });
  // The list says why one cannot be parsed; it has nothing to show.
  const mail = raw && (await openMail(raw).catch(() => undefined));
  return mail && { mail, mailbox };
}

async function htmlOf({ html, attachments }: Email, pictures: boolean) {
  if (!html) return { html: '', blocked: 0 };
  const { safeHtml } = await import('./original-html.ts');
  return safeHtml(html, inlineOf(attachments), pictures);
}

const PICTURE = /^image\/(?:png|jpeg|gif|webp)$/;
const LARGEST = 5 * 1024 * 1024;

/** Returns the pictures that came with the mail, as data URLs by their Content-ID. */
function inlineOf(attachments: readonly Attachment[]): ReadonlyMap<string, string> {
  const inline = new Map<string, string>();
  let size = 0;
  for (const each of attachments) {
    const bytes = bytesOf(each);
    if (!each.contentId || !PICTURE.test(each.mimeType) || size + bytes.length > LARGEST) continue;
    size += bytes.length;
    inline.set(
      each.contentId.replaceAll(/^<|>$/g, ''),
      `data:${each.mimeType};base64,${Buffer.from(bytes).toString('base64')}`,
    );
  }
  return inline;
}
