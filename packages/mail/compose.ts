// Renders a mail as text and HTML from the administrator's template or the default one.
import { spokenIn, type Spoken, type Wording } from '@keelson/kit/wording.ts';
import type { Mailbox, MailContext } from './mail-context.ts';
import { mailPage, type MailBrand } from './mail-page.ts';
import type { MailTemplate } from './mail-template.ts';
import { fillIn, type Values, type Words } from './mail-words.ts';
import type { MailHeaders } from './mail.ts';

export interface Rendered {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Placeholders of signatures, besides the common ones. */
export const signatureVariables = ['agent_name', 'sender_name', 'sender_address'] as const;

/** Renders subject and body. Falls back to the default template if the administrator's cannot be rendered. */
export async function renderMail(
  ctx: MailContext,
  template: MailTemplate,
  { words, values, to, signed, wording, left = [] }: Rendering,
): Promise<Rendered> {
  const { config, mail } = ctx.app;
  const brand = await mail.brand(ctx);
  const common = { recipient_name: to.name, provider_name: brand.company_name, base_url: config.baseUrl };
  const all = { ...valuesIn(wording, values), ...common };
  const filled = (() => {
    try {
      return { subject: fillIn(words.subject, all), body: fillIn(words.body, all) };
    } catch (err) {
      ctx.log.error({ err, template: template.key }, 'mail: a template could not be rendered');
      return { subject: fillIn(template.subject, all), body: fillIn(template.body, all) };
    }
  })();
  const subject = oneLine(filled.subject) || template.name;
  const signature = signed ? signatureOf(ctx, signed, common) : '';
  const more =
    left.length > 0
      ? wording.t('Too large for this email, but on the page of the ticket: {files}', { files: left.join(', ') })
      : '';
  const parts = [filled.body.replaceAll('\r\n', '\n').trim(), more, signature];
  const text = parts.filter((each) => each !== '').join('\n\n');
  return {
    subject,
    text,
    html: mailPage(subject, text, brand, { baseUrl: config.baseUrl, language: wording.language }),
  };
}

interface Rendering {
  readonly words: Words;
  readonly values: Readonly<Record<string, Spoken>>;
  readonly to: Mailbox;
  readonly signed?: Signed;
  /** In the recipient's language. */
  readonly wording: Wording;
  /** The names of files that are not attached because of their size. */
  readonly left?: readonly string[];
}

const valuesIn = (wording: Wording, values: Readonly<Record<string, Spoken>>): Values =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, spokenIn(wording, value)]));

/** Returns a default template's texts in a language, except those that an administrator has replaced. */
export function wordsOf(
  wording: Wording,
  stored: { readonly subject: string | null; readonly body: string | null } | null,
  { subject, body }: Words,
): Words {
  const paragraphs = body.split('\n\n').map(wording.find);
  return { subject: stored?.subject ?? wording.find(subject), body: stored?.body ?? paragraphs.join('\n\n') };
}

/** A signature and its author. */
export interface Signed {
  readonly signature: string;
  readonly from: Mailbox;
  /** Empty for automatic mail. */
  readonly agent_name: string;
}

function signatureOf(ctx: MailContext, { signature, from, agent_name }: Signed, common: Values): string {
  try {
    const all = { ...common, agent_name, sender_name: from.name, sender_address: from.address };
    return fillIn(signature, all).replaceAll('\r\n', '\n').trim();
  } catch (err) {
    ctx.log.error({ err }, 'mail: a signature cannot be filled in');
    return '';
  }
}

export interface Outgoing {
  readonly mail_id: string;
  readonly from: Mailbox;
  readonly to: Mailbox;
  readonly rendered: Rendered;
  readonly attachments?: readonly Attached[];
  readonly headers?: MailHeaders | null;
  /** Further headers, by their names. */
  readonly further?: Readonly<Record<string, string>> | undefined;
}

/** An attached file. */
export interface Attached {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** Builds the complete MIME message. It loads nothing from files or URLs. */
export async function compose({
  mail_id,
  from,
  to,
  rendered,
  attachments = [],
  headers,
  further,
}: Outgoing): Promise<Buffer> {
  // Load it with the first mail, because many processes send none.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const domain = from.address.split('@').at(-1) ?? '';
  const { from_name, reply_to, references = [] } = headers ?? {};
  const before = references.map((each) => (each.startsWith('<') ? oneLine(each) : `<${each}@${domain}>`));
  const writer = from_name === undefined ? from.name : `${from_name} (${from.name})`;
  const composer = new MailComposer({
    from: { name: oneLine(writer), address: from.address },
    to: { name: oneLine(to.name), address: to.address },
    ...rendered,
    ...(attachments.length > 0 && { attachments: attachments.map((each) => ({ ...each })) }),
    messageId: `<${mail_id}@${domain}>`,
    ...(reply_to !== undefined && { replyTo: reply_to }),
    ...(before.length > 0 && { references: before, inReplyTo: before.at(-1) }),
    // Keeps autoresponders from replying to automatic mail; they may reply to a person's.
    headers: {
      ...(from_name === undefined && { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }),
      ...further,
    },
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'win',
  });
  return composer.compile().build();
}

/** Replaces line breaks, so that names and subjects cannot inject headers. */
export function oneLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 500);
}

export const plainBrand = (company_name: string): MailBrand => ({
  company_name,
  logo_url: '',
  primary_color: '#1e3a5f',
  link_color: '#1d4ed8',
  text_color: '#0f172a',
  background_color: '#ffffff',
});
