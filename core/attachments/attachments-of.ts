// The attachments of records where an answer shows them along with the record.
import { z } from 'zod';
import type { Context } from '../plugin/context.ts';
import type { Table } from '../database/table.ts';
import { Attachment } from './attachment.ts';

/** An attachment as a part of its record's answer. */
export const AttachmentLink = z.object({
  attachment_id: z.int(),
  filename: z.string(),
  content_type: z.string(),
  size: z.int(),
  created_at: z.iso.datetime(),
});
export type AttachmentLink = z.infer<typeof AttachmentLink>;

/** The most that are read at once. */
const MOST = 5000;

/**
 * The attachments of several records of a table by the records' ids, oldest first, in one statement; without those of
 * parts of a record, such as comments. A lookup for views:
 * `attachments: its.lookup(z.array(AttachmentLink), 'item_id', (ctx, ids) => readAttachments(ctx, PunchItem, ids), [])`.
 */
export async function readAttachments(
  { db }: Context,
  of: Table,
  ids: readonly number[],
): Promise<Map<number, AttachmentLink[]>> {
  if (ids.length === 0) return new Map();
  const where = { record_type: of.name, record_id: [...new Set(ids)], part_id: null };
  const rows = await db.find(Attachment, where, { order: [['attachment_id', 'ASC']], limit: MOST });
  const links = new Map<number, AttachmentLink[]>();
  for (const { record_id, attachment_id, filename, content_type, size, created_at } of rows) {
    const link = { attachment_id, filename, content_type, size, created_at };
    links.set(record_id, [...(links.get(record_id) ?? []), link]);
  }
  return links;
}
