// Stores and deletes attachments. The file is stored before its row, so that a row never lacks its file; the nightly
// job (tidy.ts) deletes a file whose row was never written.
import { lockedRow } from '@keelson/database/locked-row.ts';
import type { Row, Table } from '@keelson/database/schema/table.ts';
import { sql } from '@keelson/database/statement/sql.ts';
import { conflict, Problem, tooLarge } from '@keelson/kit/problem.ts';
import { type ArrivedFile, cleanName, fileTypeOf } from '@keelson/storage';
import { In } from 'typeorm';
import { changed } from '../plugin/cache-invalidation.ts';
import { announceChange } from '../plugin/change-feed.ts';
import type { Context } from '../plugin/context.ts';
import {
  Attachment,
  AttachmentAdded,
  AttachmentLimits,
  AttachmentRemoved,
  AttachmentUse,
  sizeInWords,
} from './attachment.ts';

/** The record that attachments belong to. */
export interface Holder {
  readonly table: Table;
  readonly row: Readonly<Record<string, unknown>>;
  /** The record in messages: `ticket`. */
  readonly noun: string;
  /** The record in the activity log: `ticket 1001`. */
  readonly called: string;
  readonly company: number | null;
  readonly part: number | null;
  /** Customers do not see the part, and are not notified about its files. */
  readonly internal: boolean;
}

/** A record in the activity log; without its row if it is deleted. */
type Called = Pick<Holder, 'called'> & Partial<Pick<Holder, 'table' | 'row'>>;

/**
 * Stores files and then their rows.
 * @param holderOf finds and locks the record, in the transaction of the rows
 * @throws what `holderOf` throws; tooLarge() or conflict() naming the limit
 */
export async function keepFiles(
  ctx: Context,
  files: readonly ArrivedFile[],
  holderOf: (ctx: Context) => Promise<Holder>,
): Promise<Attachment[]> {
  const { storage } = ctx.app;
  const kept: KeptUpload[] = [];
  try {
    for (const file of files) {
      const content_type = await fileTypeOf(file.head);
      const { size, sha256 } = file;
      kept.push({ filename: cleanName(file.name), content_type, size, sha256, stored_as: await storage.keep(file) });
    }
    return await ctx.transaction(async (each) => addRows(each, await holderOf(each), kept));
  } catch (error) {
    // After any other error the rows may exist anyway: the response to a commit can get lost.
    if (error instanceof Problem && error.kind !== 'unavailable')
      await removeFiles(
        ctx,
        kept.map(({ stored_as }) => stored_as),
      );
    throw error;
  }
}

/** Deletes an attachment of a locked record, and its file after the commit. */
export async function removeAttachment(ctx: Context, holder: Holder, row: Attachment): Promise<void> {
  await removeAttachments(ctx, holder, [row]);
  await touch(ctx, holder);
}

/** Deletes attachments of deleted records, and their files after the commit. */
export async function removeAttachments(ctx: Context, holder: Called, rows: readonly Attachment[]): Promise<void> {
  const ids = rows.map(({ attachment_id }) => attachment_id);
  await ctx.db.delete(Attachment, { attachment_id: In(ids) });
  for (const [company_number, some] of Map.groupBy(rows, (each) => each.company_number)) {
    const use = await lockUse(ctx, company_number);
    const bytes = Math.max(0, use.bytes - sumOf(some));
    await ctx.db.update(AttachmentUse, { company_number }, { files: Math.max(0, use.files - some.length), bytes });
  }
  tell(ctx, holder, 'delete', rows);
  const keys = rows.map(({ stored_as }) => stored_as);
  ctx.afterCommit(() => void removeFiles(ctx, keys));
}

/** Moves the attachments of a record to another one of the same table and company. */
export async function moveAttachments(
  { db }: Context,
  of: Table,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  await db.update(Attachment, { record_type: of.name, record_id: from }, { record_id: to });
}

/** Deletes unreferenced files. Failures are left to the nightly job. */
async function removeFiles({ app, log }: Context, keys: readonly string[]): Promise<void> {
  for (const key of keys)
    await app.storage
      .remove(key)
      .catch((error: unknown) => log.warn({ err: error }, 'a file could not be deleted and will be retried'));
}

type KeptUpload = Pick<Attachment, 'filename' | 'content_type' | 'size' | 'sha256' | 'stored_as'>;

async function addRows(ctx: Context, holder: Holder, files: readonly KeptUpload[]): Promise<Attachment[]> {
  const { table, part, company } = holder;
  const company_number = company ?? 0;
  const use = await lockUse(ctx, company_number);
  const bytes = use.bytes + sumOf(files);
  await checkRoom(ctx, holder, files, bytes);
  const rows: Attachment[] = [];
  for (const file of files) {
    const row = {
      ...file,
      record_type: table.name,
      record_id: idOf(holder),
      part_id: part,
      company_number,
      author_type: ctx.author.type,
      author_id: ctx.author.id,
      author_name: ctx.author.name,
      created_at: ctx.now,
    };
    rows.push({ ...row, attachment_id: await ctx.db.insertReturningId(Attachment, row) });
  }
  await ctx.db.update(AttachmentUse, { company_number }, { files: use.files + files.length, bytes });
  await touch(ctx, holder);
  tell(ctx, holder, 'create', rows);
  return rows;
}

/** Writes an activity line and emits an event for each attachment added or deleted. */
function tell(ctx: Context, holder: Called, action: 'create' | 'delete', rows: readonly Attachment[]): void {
  const { called, table, row: record } = holder;
  const shownOn = table && record && { of: table, row: record };
  const description = `Attachment of ${called} ${action === 'create' ? 'added' : 'deleted'}`;
  const event = action === 'create' ? AttachmentAdded : AttachmentRemoved;
  for (const row of rows) {
    ctx.record({ action, entity_type: Attachment.name, entity_id: row.attachment_id, description, shownOn });
    const { attachment_id, record_type, record_id, part_id } = row;
    ctx.emit(event, { attachment_id, record_type, record_id, part_id });
  }
}

/**
 * Checks the limits. The record and the company's row are locked, so that two concurrent uploads cannot both take the
 * last place.
 */
async function checkRoom(ctx: Context, holder: Holder, files: readonly KeptUpload[], ofCompany: number): Promise<void> {
  const { noun } = holder;
  const limits = await ctx.app.settings.get(ctx, AttachmentLimits);
  const there = await ctx.db.find(Attachment, {
    where: { record_type: holder.table.name, record_id: idOf(holder) },
    take: limits.record_files,
  });
  if (there.length + files.length > limits.record_files)
    throw conflict(`A ${noun} can have at most ${limits.record_files} attachments`);
  if (sumOf(there) + sumOf(files) > limits.record_bytes)
    throw tooLarge(`The attachments of a ${noun} can total at most ${sizeInWords(limits.record_bytes)}`);
  if (ofCompany > limits.company_bytes)
    throw tooLarge(`The attachments of a company can total at most ${sizeInWords(limits.company_bytes)}`);
  // A single person must not use up the whole company's quota.
  if (ctx.author.type === 'employee' && (await sumOfPerson(ctx)) + sumOf(files) > limits.person_bytes)
    throw tooLarge(`The attachments of one person can total at most ${sizeInWords(limits.person_bytes)}`);
}

async function sumOfPerson({ db, author }: Context): Promise<number> {
  const [row] = await db.query<{ bytes: number | string | null }>(sql`SELECT SUM(size) AS bytes FROM attachment
    WHERE author_type = ${author.type} AND author_id = ${author.id}`);
  return Number(row?.bytes ?? 0);
}

const lockUse = ({ db }: Context, company_number: number): Promise<Row<typeof AttachmentUse>> =>
  lockedRow(db, AttachmentUse, { company_number }, { company_number, files: 0, bytes: 0 });

/** Updates the record's timestamp, as a comment does, and announces the change to viewers, without an activity line. */
async function touch(ctx: Context, holder: Holder): Promise<void> {
  const { table, row, internal } = holder;
  announceChange(ctx, { of: table, row, kind: 'changed', internal });
  if (!('updated_at' in table.columns)) return;
  await ctx.db.update(table, { [table.primary]: idOf(holder) } as never, { updated_at: ctx.now } as never);
  changed(ctx, table);
}

const idOf = ({ table, row }: Holder): number => Number(row[table.primary]);

function sumOf(files: readonly { readonly size: number }[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}
