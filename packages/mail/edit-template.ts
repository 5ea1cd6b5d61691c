// Mail templates as administrators see and change them (F-67, ST-06).
import { conflict, invalid, notFound } from '@keelson/kit/problem.ts';
import type { Timestamp } from '@keelson/kit/time.ts';
import { changesBetween } from '@keelson/log/activity.ts';
import { renderMail, type Rendered } from './compose.ts';
import type { Mailbox, MailContext } from './mail-context.ts';
import { commonVariables, type MailTemplate } from './mail-template.ts';
import { wordsProblem, type Words } from './mail-words.ts';
import { sendMail } from './mail.ts';
import { StoredTemplate } from './stored-template.ts';

/** A mail template as administrators see it. */
export interface EditableTemplate extends Words {
  readonly template_id: number;
  readonly key: string;
  readonly name: string;
  readonly variables: readonly string[];
  readonly active: boolean;
  readonly updated_at: Timestamp;
}

export interface TemplateChanges {
  readonly subject?: string | undefined;
  readonly body?: string | undefined;
  readonly active?: boolean | undefined;
}

/** Returns all templates that administrators can edit, in declaration order. */
export async function listTemplates(ctx: MailContext): Promise<EditableTemplate[]> {
  const rows = new Map((await ctx.db.find(StoredTemplate)).map((row) => [row.key, row]));
  return editable(ctx).flatMap((each) => {
    const row = rows.get(each.key);
    return row ? [shown(each, row)] : [];
  });
}

/** Returns a template by its id. @throws notFound() */
export async function findTemplate(ctx: MailContext, template_id: number): Promise<EditableTemplate> {
  const row = await ctx.db.findOne(StoredTemplate, {
    where: { template_id },
    lock: ctx.tx && { mode: 'pessimistic_write' },
  });
  const template = row && editable(ctx).find((each) => each.key === row.key);
  if (!row || !template) throw notFound('Email template');
  return shown(template, row);
}

/**
 * Stores custom texts, or enables or disables the mail.
 * @throws invalid() if a text is not a valid template
 */
export async function changeTemplate(
  ctx: MailContext,
  before: EditableTemplate,
  changes: TemplateChanges,
): Promise<EditableTemplate> {
  checkWords(before, changes);
  const differing = changesBetween({ ...before }, { ...changes });
  if (Object.keys(differing).length === 0) return before;
  const given = Object.fromEntries(Object.entries(changes).filter(([name]) => Object.hasOwn(differing, name)));
  const template = declared(ctx, before.key);
  // Default texts are sent in the recipient's language, so only changed ones are stored.
  const stored = {
    ...given,
    ...(given.subject === template.subject && { subject: null }),
    ...(given.body === template.body && { body: null }),
  };
  await ctx.db.update(StoredTemplate, { template_id: before.template_id }, { ...stored, updated_at: ctx.now });
  recordChange(ctx, before, `Email template ${before.key} changed`, differing);
  return { ...before, ...given, updated_at: ctx.now };
}

/** Resets a template to its default texts. */
export async function resetTemplate(ctx: MailContext, before: EditableTemplate): Promise<EditableTemplate> {
  const template = declared(ctx, before.key);
  const differing = changesBetween({ ...before }, { subject: template.subject, body: template.body });
  if (Object.keys(differing).length === 0) return before;
  const { template_id } = before;
  await ctx.db.update(StoredTemplate, { template_id }, { subject: null, body: null, updated_at: ctx.now });
  recordChange(ctx, before, `Email template ${before.key} reset to its default text`, differing);
  return findTemplate(ctx, template_id);
}

/** Renders the mail with a sample for every value. @throws invalid() if a text is not a valid template */
export async function previewTemplate(
  ctx: MailContext,
  template: EditableTemplate,
  changes: Pick<TemplateChanges, 'subject' | 'body'>,
): Promise<Rendered> {
  checkWords(template, changes);
  const words = { subject: changes.subject ?? template.subject, body: changes.body ?? template.body };
  const to = { name: 'Alex Example', address: 'alex@example.com' };
  return renderMail(ctx, declared(ctx, template.key), {
    words,
    values: sampleOf(template),
    to,
    wording: ctx.app.wording(null),
  });
}

/** Sends the mail with sample values; returns its id. @throws conflict() if the template is disabled */
export function sendSample(ctx: MailContext, template: EditableTemplate, to: Mailbox): string {
  if (!template.active) throw conflict('The template is disabled');
  return sendMail(ctx, declared(ctx, template.key), { to, data: sampleOf(template) });
}

/** Returns a sample for every placeholder: its name in words. */
function sampleOf({ variables }: Pick<EditableTemplate, 'variables'>): Record<string, string> {
  return Object.fromEntries(variables.map((each) => [each, `[${each.replaceAll('_', ' ')}]`]));
}

function editable({ app }: MailContext): MailTemplate[] {
  return [...app.mail.templates.values()].filter((each) => !each.fixed);
}

function declared({ app }: MailContext, key: string): MailTemplate {
  const template = app.mail.templates.get(key);
  if (!template) throw notFound('Email template');
  return template;
}

function shown({ key, name, subject, body, variables }: MailTemplate, row: StoredTemplate): EditableTemplate {
  return {
    template_id: row.template_id,
    key,
    name,
    subject: row.subject ?? subject,
    body: row.body ?? body,
    variables: [...variables, ...commonVariables],
    active: row.active,
    updated_at: row.updated_at,
  };
}

function checkWords({ variables }: EditableTemplate, { subject = '', body = '' }: TemplateChanges): void {
  for (const [field, words] of Object.entries({ subject, body })) {
    const problem = wordsProblem(words, variables);
    if (problem !== undefined) throw invalid(`${field} is not a valid template: ${problem}`);
  }
}

function recordChange(
  ctx: MailContext,
  { template_id }: EditableTemplate,
  description: string,
  changes: ReturnType<typeof changesBetween>,
): void {
  ctx.record({ action: 'update', entity_type: 'email_template', entity_id: template_id, description, changes });
}
