// Files of records for mails about them.
import type { Table } from '@keelson/database/schema/table.ts';
import type { Timestamp } from '@keelson/kit/time.ts';
import type { StoredFile } from '@keelson/mail/mail.ts';
import { Between, In, IsNull } from 'typeorm';
import type { Context } from '../plugin/context.ts';
import { Attachment } from './attachment.ts';

/** Maximum files per read. */
const MOST = 50;

interface StoredWhen {
  readonly record_id: number;
  readonly part_id?: number;
  readonly from: Timestamp;
  readonly to: Timestamp;
}

/**
 * Returns the files that the provider's people and programs attached to a record in a period, oldest first, for a
 * `Letter`: those of a part of the record, such as a comment, or those of no part.
 */
export async function readStoredFiles(
  { db }: Context,
  of: Table,
  { record_id, part_id, from, to }: StoredWhen,
): Promise<StoredFile[]> {
  const author_type = In(['technician', 'api']);
  const where = {
    record_type: of.name,
    record_id,
    part_id: part_id ?? IsNull(),
    author_type,
    created_at: Between(from, to),
  };
  const rows = await db.find(Attachment, { where, order: { attachment_id: 'ASC' }, take: MOST });
  return rows.map(({ stored_as, filename, content_type, size }) => ({ stored_as, filename, content_type, size }));
}
