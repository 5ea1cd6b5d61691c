// Previews of mails that people are about to send.
import type { Spoken } from '@keelson/kit/wording.ts';
import { renderMail, wordsOf, type Rendered } from './compose.ts';
import type { Mailbox, MailContext } from './mail-context.ts';
import type { MailTemplate } from './mail-template.ts';
import { valuesOf } from './mail.ts';
import { StoredTemplate } from './stored-template.ts';

/** Renders a mail with the administrator's texts, without storing or sending it. */
export async function previewMail<Variable extends string>(
  ctx: MailContext,
  template: MailTemplate<Variable>,
  { to, data }: { readonly to: Mailbox; readonly data: Readonly<Record<Variable, Spoken>> },
): Promise<Rendered> {
  const wording = ctx.app.wording(await ctx.app.languageOf(ctx, to));
  const words = wordsOf(wording, await ctx.db.findOneBy(StoredTemplate, { key: template.key }), template);
  return renderMail(ctx, template, { words, values: valuesOf(data), to, wording });
}
