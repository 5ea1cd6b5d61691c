// What the installation sends, as administrators see it.
import { by, conflict, defineList, forbidden, is, notFound, readPage, type Admin, type Context } from '@keelson/core';
import { Mail, retryMail, sendSample, type EditableTemplate } from '@keelson/core/system';

/** A mail without what is in it: that is the reader's. */
export const MailItem = Mail.shape.pick({
  mail_id: true,
  template: true,
  recipient_name: true,
  recipient_address: true,
  state: true,
  error: true,
  created_at: true,
  sent_at: true,
});

const MailList = defineList({
  table: Mail,
  columns: ['mail_id', 'template', 'recipient_name', 'recipient_address', 'state', 'error', 'created_at', 'sent_at'],
  sorts: { created_at: by('created_at') },
});

/** A page of the mails of the last 90 days, newest first. */
export function listMails(
  ctx: Context,
  { state, page, size }: { state?: Mail['state'] | undefined; page: number; size: number },
) {
  const where = state === undefined ? [] : [is('state', state)];
  return readPage(ctx.db, MailList, { where, sort: 'created_at', direction: 'desc', page, size });
}

/** @throws notFound() */
export async function findMail(ctx: Context, mail_id: string) {
  const mail = await ctx.db.one(Mail, { mail_id });
  if (!mail) throw notFound('Mail');
  return mail;
}

/** Sends a mail that failed once more. @throws conflict() for one that has not */
export async function resend(ctx: Context, { mail_id, template }: Mail) {
  if (!(await retryMail(ctx, mail_id))) throw conflict('Only a mail that failed or is held can be sent again');
  const description = `Mail ${template} sent again`;
  ctx.record({ action: 'update', entity_type: 'mail', entity_id: mail_id, description });
  return findMail(ctx, mail_id);
}

/** Sends a template with samples to whoever asks, and to nobody else. @throws forbidden() for a key, which has no address */
export async function mailTest(ctx: Context<Admin>, template: EditableTemplate) {
  const { actor } = ctx;
  if (actor.kind === 'key') throw forbidden('A key has no e-mail address: sign in to send a test mail');
  const mail_id = sendSample(ctx, template, { name: actor.name, address: actor.email });
  const description = `Test mail of ${template.key} sent to ${actor.email}`;
  ctx.record({ action: 'create', entity_type: 'mail', entity_id: mail_id, description });
  const to = { recipient_name: actor.name, recipient_address: actor.email };
  const state: Mail['state'] = 'waiting';
  return { mail_id, template: template.key, ...to, state, error: null, created_at: ctx.now, sent_at: null };
}
