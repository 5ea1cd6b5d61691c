// Reads the attachments of records for responses that include them.
import type { Table } from '@keelson/database/schema/table.ts';
import { In, IsNull } from 'typeorm';
import { z } from 'zod';
import type { Context } from '../plugin/context.ts';
import { Attachment } from './attachment.ts';

/** An attachment within its record's response. */
export const AttachmentLink = z.object({
  attachment_id: z.int(),
  filename: z.string(),
  content_type: z.string(),
  size: z.int(),
  created_at: z.iso.datetime(),
});
export type AttachmentLink = z.infer<typeof AttachmentLink>;

/** Maximum attachments per read. */
const MOST = 5000;

/**
 * Returns the attachments of several records of a table by record id, oldest first, in one statement. Omits those of
 * parts of a record, such as comments. A lookup for views:
 * `attachments: its.lookup(z.array(AttachmentLink), 'item_id', (ctx, ids) => readAttachments(ctx, PunchItem, ids), [])`.
 */
export async function readAttachments(
  { db }: Context,
  of: Table,
  ids: readonly number[],
): Promise<Map<number, AttachmentLink[]>> {
  if (ids.length === 0) return new Map();
  const where = { record_type: of.name, record_id: In([...new Set(ids)]), part_id: IsNull() };
  const rows = await db.find(Attachment, { where, order: { attachment_id: 'ASC' }, take: MOST });
  const links = new Map<number, AttachmentLink[]>();
  for (const { record_id, attachment_id, filename, content_type, size, created_at } of rows) {
    const link = { attachment_id, filename, content_type, size, created_at };
    links.set(record_id, [...(links.get(record_id) ?? []), link]);
  }
  return links;
}
