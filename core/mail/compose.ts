// From a row to a message: the administrator's words, or the shipped ones, filled in and dressed.
import MailComposer from 'nodemailer/lib/mail-composer';
import type { MailContext } from './mail-context.ts';
import { mailPage, type MailBrand } from './mail-page.ts';
import type { MailTemplate } from './mail-template.ts';
import { fillIn, type Values, type Words } from './mail-words.ts';

export interface Rendered {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/** What a reader sees, for words that may be an administrator's; theirs that cannot be filled in give way to the shipped. */
export async function renderMail(
  ctx: MailContext,
  template: MailTemplate,
  { words, values, to }: { words: Words; values: Values; to: Mailbox },
): Promise<Rendered> {
  const { config, mail } = ctx.app;
  const brand = await mail.brand(ctx);
  const common = { recipient_name: to.name, provider_name: brand.company_name, base_url: config.baseUrl };
  const all = { ...values, ...common };
  const filled = (() => {
    try {
      return { subject: fillIn(words.subject, all), body: fillIn(words.body, all) };
    } catch (err) {
      ctx.log.error({ err, template: template.key }, 'mail: the words of a template cannot be filled in');
      return { subject: fillIn(template.subject, all), body: fillIn(template.body, all) };
    }
  })();
  const subject = oneLine(filled.subject) || template.name;
  const text = filled.body.replaceAll('\r\n', '\n').trim();
  return { subject, text, html: mailPage(subject, text, brand, config.baseUrl) };
}

export interface Outgoing {
  readonly mail_id: string;
  readonly from: Mailbox;
  readonly to: Mailbox;
  readonly rendered: Rendered;
}

/** The message as it goes over the wire. Nothing in it is read from files or addresses. */
export async function compose({ mail_id, from, to, rendered }: Outgoing): Promise<Buffer> {
  const composer = new MailComposer({
    from: { name: oneLine(from.name), address: from.address },
    to: { name: oneLine(to.name), address: to.address },
    ...rendered,
    messageId: `<${mail_id}@${from.address.split('@').at(-1)}>`,
    // So that an absence notice does not answer a machine.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'win',
  });
  return composer.compile().build();
}

/** A header has one line, whatever names and subjects contain. */
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
