// A mailbox's own versions of the ticket mail templates.
import { invalid, z, type Context } from '@keelson/core';
import { commonVariables } from '@keelson/core/mail';
import { listTemplates, templateProblem } from '@keelson/core/system';
import { ticketMails } from '@keelson/modules/tickets';
import { MailboxTemplate, type Mailbox } from '../entities.ts';

export const MailboxText = z.object({
  key: z.string(),
  name: z.string(),
  subject: z.string(),
  body: z.string(),
  variables: z.array(z.string()),
  /** False if the installation's template is used. */
  own: z.boolean(),
});

/** Returns the templates that a mailbox uses, its own or the installation's. */
export async function readTexts(ctx: Context, { mailbox_id }: Mailbox): Promise<z.infer<typeof MailboxText>[]> {
  const own = new Map((await ctx.db.findBy(MailboxTemplate, { mailbox_id })).map((each) => [each.template, each]));
  const usual = new Map((await listTemplates(ctx)).map((each) => [each.key, each]));
  return ticketMails.flatMap(({ key }) => {
    const shipped = usual.get(key);
    if (!shipped) return [];
    const { subject, body } = own.get(key) ?? shipped;
    return [{ key, name: shipped.name, subject, body, variables: [...shipped.variables], own: own.has(key) }];
  });
}

export interface GivenText {
  readonly key: string;
  readonly subject?: string | null | undefined;
  readonly body?: string | null | undefined;
}

/**
 * Stores a mailbox's own template; without one, or with the installation's, it uses the installation's, also when that
 * changes.
 * @throws invalid() naming the field with an invalid template
 */
export async function changeText(ctx: Context, mailbox: Mailbox, { key, subject, body }: GivenText): Promise<void> {
  const { mailbox_id, address } = mailbox;
  const template = ticketMails.find((each) => each.key === key);
  if (!template) throw invalid('key must be a mail about tickets');
  if (Boolean(subject) !== Boolean(body)) throw invalid(`${subject ? 'body' : 'subject'} is required`);
  const known = new Set([...template.variables, ...commonVariables]);
  for (const [field, words] of Object.entries({ subject, body })) {
    const problem = words ? templateProblem(words, known) : undefined;
    if (problem !== undefined) throw invalid(`${field} ${problem}`);
  }
  const usual = (await listTemplates(ctx)).find((each) => each.key === key);
  const isOwn = subject !== usual?.subject || body !== usual?.body;
  const own = isOwn && subject && body && { mailbox_id, template: key, subject, body };
  if (own) await ctx.db.upsert(MailboxTemplate, own, ['mailbox_id', 'template']);
  else await ctx.db.delete(MailboxTemplate, { mailbox_id, template: key });
  ctx.record({
    action: 'update',
    entity_type: 'mailbox',
    entity_id: mailbox_id,
    description: own ? `${address} has its own text for ${key}` : `${address} uses the default text for ${key}`,
  });
}
