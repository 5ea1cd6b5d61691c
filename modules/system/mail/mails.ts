// Mails of the installation for administrators.
import { by, conflict, forbidden, notFound, noun, view, z, type Admin, type Context } from '@keelson/core';
import { callerWording } from '@keelson/core/plugin';
import { Mail, retryMail, sendSample, type EditableTemplate } from '@keelson/core/system';

const mailNoun = noun(Mail, {
  title: 'Mail',
  filters: (its) => ({ state: its.is('state') }),
  sorts: { created_at: by('created_at') },
});

/** Mail without its text, which is private to the recipient. */
export const MailItem = view(mailNoun);

/** Mail with the name of its template in the caller's language. */
export const NamedMail = MailItem.shape.extend({ template_name: z.string() });

/** Adds the names of their templates to mails; the key if the plugin that sent it is gone. */
export async function namedMails<M extends { readonly template: string }>(ctx: Context, mails: readonly M[]) {
  const { find } = await callerWording(ctx);
  return mails.map((each) => ({
    ...each,
    template_name: find(ctx.app.mail.templates.get(each.template)?.name ?? each.template),
  }));
}

/** Returns a mail. @throws notFound() */
export async function findMail(ctx: Context, mail_id: string) {
  const mail = await ctx.db.findOneBy(Mail, { mail_id });
  if (!mail) throw notFound('Mail');
  return mail;
}

/** Resends a failed or held mail. @throws conflict() for any other */
export async function resend(ctx: Context, { mail_id, template }: Mail) {
  if (!(await retryMail(ctx, mail_id))) throw conflict('Only failed or held mails can be resent');
  const description = `Mail ${template} resent`;
  ctx.record({ action: 'update', entity_type: 'mail', entity_id: mail_id, description });
  return findMail(ctx, mail_id);
}

/** Sends a template with sample values to the caller only. @throws forbidden() for an API key, which has no address */
export async function mailTest(ctx: Context<Admin>, template: EditableTemplate) {
  const { actor } = ctx;
  if (actor.kind === 'key') throw forbidden('API keys have no email address: sign in to send a test mail');
  const mail_id = sendSample(ctx, template, { name: actor.name, address: actor.email });
  const description = `Test mail of ${template.key} sent to ${actor.email}`;
  ctx.record({ action: 'create', entity_type: 'mail', entity_id: mail_id, description });
  const to = { recipient_name: actor.name, recipient_address: actor.email };
  const state: Mail['state'] = 'waiting';
  return { mail_id, template: template.key, ...to, state, error: null, created_at: ctx.now, sent_at: null };
}
