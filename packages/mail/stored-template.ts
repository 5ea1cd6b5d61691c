// Administrators' changes to a mail template: custom texts, or disabled. A row without texts uses the default ones.
import { DuplicateKey, type Database } from '@keelson/database/db.ts';
import { flag, id, key, table, text, when, type Row } from '@keelson/database/schema/table.ts';
import type { Timestamp } from '@keelson/kit/time.ts';
import type { MailTemplate } from './mail-template.ts';

export const StoredTemplate = table('email_template', {
  template_id: id(),
  key: key(64).unique(),
  subject: text(255).nullable(),
  body: text().nullable(),
  active: flag().default(true),
  updated_at: when(),
});
export type StoredTemplate = Row<typeof StoredTemplate>;

/** Gives every declared template a row, and thus an id, at start-up. */
export async function installTemplates(
  database: Database,
  templates: readonly MailTemplate[],
  now: Timestamp,
): Promise<void> {
  const known = new Set((await database.find(StoredTemplate)).map((row) => row.key));
  const missing = templates.filter((each) => !known.has(each.key));
  if (missing.length === 0) return;
  const rows = missing.map((each) => ({ key: each.key, updated_at: now }));
  await database.insert(StoredTemplate, rows).catch((error: unknown) => {
    // Another starting process was faster.
    if (error instanceof DuplicateKey) return installTemplates(database, templates, now);
    throw error;
  });
}
