// Opens a raw mail to show it as it was written, with its HTML sanitised.
import type { Attachment, Email } from 'postal-mime';
import { bytesOf, openMail } from '../parse/parse.ts';
import type { SafeHtml } from './original-html.ts';

export interface OpenedMail {
  readonly mail: Email;
  /** The document for a frame; empty if the mail has no HTML. */
  readonly shown: SafeHtml;
}

/** @param asked whether to keep pictures from elsewhere */
export async function openWithHtml(raw: Buffer, asked: { readonly pictures: boolean }): Promise<OpenedMail> {
  const mail = await openMail(raw);
  return { mail, shown: await htmlOf(mail, asked.pictures) };
}

async function htmlOf({ html, attachments }: Email, pictures: boolean): Promise<SafeHtml> {
  if (!html) return { html: '', blocked: 0 };
  const { safeHtml } = await import('./original-html.ts');
  return safeHtml(html, inlineOf(attachments), pictures);
}

const PICTURE = /^image\/(?:png|jpeg|gif|webp)$/;
const LARGEST = 5 * 1024 * 1024;

/** Returns the mail's embedded images as data URLs, by Content-ID. */
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
