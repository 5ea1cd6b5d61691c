// Attachments: files of any record. A single table holds all of them, so that plugins need none of their own and one
// job finds orphans.
import { big, choice, id, int, key, table, text, when, type Row } from '@keelson/database/schema/table.ts';
import { z } from 'zod';
import { event } from '../plugin/declaration/declare.ts';
import { setting } from '../plugin/setting/settings.ts';
import { noun } from '../record/noun.ts';

export const Attachment = table(
  'attachment',
  {
    attachment_id: id(),
    /** The table of the record that it belongs to. */
    record_type: key(64),
    record_id: int(),
    /** The part of the record that it came with: a ticket's comment. */
    part_id: int().nullable(),
    /** The company whose quota it counts towards; 0 for none. */
    company_number: int().default(0),
    filename: text(255),
    content_type: text(127),
    size: big(),
    sha256: key(64),
    /** Its key in the storage. */
    stored_as: key(64).unique().hidden(),
    author_type: choice('technician', 'employee', 'api', 'system', 'assistant'),
    author_id: int().nullable(),
    author_name: text(255),
    created_at: when(),
  },
  [
    ['record_type', 'record_id', 'attachment_id'],
    ['author_type', 'author_id', 'size'],
  ],
);
export type Attachment = Row<typeof Attachment>;

/** The storage used by each company. The row is locked while a file is added, so that limits are exact. */
export const AttachmentUse = table('attachment_use', {
  company_number: int().primary(),
  files: int(),
  bytes: big(),
});

export const AttachmentNoun = noun(Attachment, { title: 'Attachment', order: 'asc' });

const data = z.object({
  attachment_id: z.int(),
  record_type: z.string(),
  record_id: z.int(),
  part_id: z.int().nullable(),
});

/** A file was attached to a record. Omits the file's name: that of an internal comment's file is internal. */
export const AttachmentAdded = event('attachment.added', data);
/** An attachment was deleted, by a person or with its record. */
export const AttachmentRemoved = event('attachment.removed', data);

const MIB = 1024 * 1024;
const bytes = () =>
  z
    .int()
    .min(1)
    .max(1024 ** 4);

/** A quarter of the company limit; also the default for limits stored before this one existed. */
const PERSON_BYTES = 2560 * MIB;

/** The upload limits. The maximum per file follows R-30. */
export const AttachmentLimits = setting(
  'core.attachment_limits',
  z.object({
    file_bytes: bytes(),
    record_files: z.int().min(1).max(1000),
    record_bytes: bytes(),
    company_bytes: bytes(),
    /** The total for one of a customer's people, across all records. */
    person_bytes: bytes().default(PERSON_BYTES),
    upload_seconds: z.int().min(1).max(3600),
    deleted_record_days: z.int().min(1).max(36_500),
  }),
  {
    file_bytes: 10 * MIB,
    record_files: 100,
    record_bytes: 250 * MIB,
    company_bytes: 10 * 1024 * MIB,
    person_bytes: PERSON_BYTES,
    upload_seconds: 1800,
    deleted_record_days: 30,
  },
);

/** Formats a limit for messages: `10 MiB`. */
export function sizeInWords(size: number): string {
  const [unit, divisor] = size >= 1024 * MIB ? ['GiB', 1024 * MIB] : size >= MIB ? ['MiB', MIB] : ['bytes', 1];
  return `${Math.round((size / Number(divisor)) * 10) / 10} ${unit}`;
}
