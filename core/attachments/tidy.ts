// Cleans up attachments every night: deletes those of records deleted long ago and files without a row, and reports
// rows without a file.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { name, sql } from '@keelson/database/statement/sql.ts';
import { partsApart } from '@keelson/kit/each-apart.ts';
import { newId } from '@keelson/kit/random.ts';
import { plus, toDatabase } from '@keelson/kit/time.ts';
import { removeFile, undefinedWhenAbsent, shards } from '@keelson/storage';
import { In } from 'typeorm';
import { z } from 'zod';
import type { Context } from '../plugin/context.ts';
import { perApp } from '../plugin/per-app.ts';
import type { Attached } from '../plugin/plugin.ts';
import { setting } from '../plugin/setting/settings.ts';
import { Attachment, AttachmentLimits } from './attachment.ts';
import { removeAttachments } from './store-attachment.ts';

const BATCH = 200;
const DAY_MS = 86_400_000;

/** The owner of a storage's files: the same id is stored next to them. */
export const StorageOwner = setting('core.storage_owner', z.string(), '');
const OWNER_NOTE = 'owner';

/** Number of rows without a file at the last check of the storage. */
export const missingFiles = perApp(() => ({ count: 0 }));

/** Cleans up attachments and the storage. */
export async function tidyAttachments(ctx: Context): Promise<void> {
  const steps = [
    ...ctx.app.plugins
      .flatMap(({ attachments = [] }) => attachments)
      .map((each) => ({ name: `attachments of ${each.noun}`, run: () => removeOfDeleted(ctx, each) })),
    { name: 'partial files', run: () => removeArrivals(ctx) },
    { name: 'files in storage', run: () => tidyStorage(ctx) },
  ];
  await partsApart(steps);
}

/** Deletes files without a row, and counts rows without a file. */
async function tidyStorage(ctx: Context): Promise<void> {
  if (!(await isOurs(ctx))) return;
  let missing = 0;
  for (const shard of shards) missing += await tidyShard(ctx, shard);
  missingFiles(ctx.app).count = missing;
  if (missing > 0) report(ctx, `${missing} attachments have no file in storage`);
}

/**
 * Deletes the attachments of records that were deleted longer ago than `deleted_record_days` (V-25), or no longer
 * exist.
 */
async function removeOfDeleted(ctx: Context, { of, noun, call }: Attached): Promise<void> {
  const { deleted_record_days } = await ctx.app.settings.get(ctx, AttachmentLimits);
  const before = toDatabase(plus(ctx.now, { days: -deleted_record_days }));
  const record = name(`${of.name}.${of.primary}`);
  const gone = 'deleted_at' in of.columns ? sql` OR ${name(of.name)}.deleted_at < ${before}` : sql``;
  for (let after = 0; ;) {
    const rows = await ctx.db.query<{ attachment_id: number; record_id: number; gone: unknown }>(
      sql`SELECT attachment.attachment_id, attachment.record_id, (${record} IS NULL${gone}) AS gone FROM attachment
        LEFT JOIN ${name(of.name)} ON ${record} = attachment.record_id
        WHERE attachment.record_type = ${of.name} AND attachment.attachment_id > ${after}
        ORDER BY attachment.attachment_id LIMIT ${BATCH}`,
    );
    const ids = rows.filter((row) => Number(row.gone) === 1).map((row) => row.attachment_id);
    if (ids.length > 0) await ctx.transaction((each) => removeRows(each, { of, noun, call }, ids));
    if (rows.length < BATCH) return;
    after = rows.at(-1)?.attachment_id ?? after;
  }
}

async function removeRows(
  ctx: Context,
  { of, noun, call }: Pick<Attached, 'of' | 'noun' | 'call'>,
  ids: readonly number[],
): Promise<void> {
  const rows = await ctx.db.find(Attachment, {
    where: { attachment_id: In(ids) },
    lock: { mode: 'pessimistic_write' },
  });
  for (const [id, some] of Map.groupBy(rows, (each) => each.record_id)) {
    const record = await ctx.db.findOneBy(of, { [of.primary]: id } as never);
    const called = `deleted ${noun} ${record ? call(record as never) : id}`;
    await removeAttachments(ctx, { called }, some);
  }
}

/** Deletes partial files left by a crashed process. */
async function removeArrivals({ app, now }: Context): Promise<void> {
  const { arrivals } = app.storage;
  for (const each of (await readdir(arrivals).catch(undefinedWhenAbsent)) ?? []) {
    const path = join(arrivals, each);
    const found = await stat(path).catch(undefinedWhenAbsent);
    if (found && found.mtimeMs < Date.parse(now) - DAY_MS) await removeFile(path);
  }
}

/**
 * Whether the files in the storage belong to this database. If two installations shared a folder or bucket, each would
 * treat the other's files as orphans.
 */
async function isOurs(ctx: Context): Promise<boolean> {
  const { app } = ctx;
  const noted = await app.storage.readNote(OWNER_NOTE);
  const known = await app.settings.get(ctx, StorageOwner);
  if (noted !== undefined && noted === known) return true;
  if (noted !== undefined) {
    report(
      ctx,
      `Attachment storage belongs to another database; skipping cleanup. If no other installation uses it, delete its file "${OWNER_NOTE}"`,
    );
    return false;
  }
  const owner = known || newId();
  if (known === '') await ctx.transaction((each) => app.settings.set(each, StorageOwner, owner));
  await app.storage.writeNote(OWNER_NOTE, owner);
  return true;
}

/**
 * Deletes files older than a day without a row; a newer one may belong to an upload whose row is not written yet.
 * Returns the number of rows without a file.
 */
async function tidyShard({ app, db, now, log }: Context, shard: string): Promise<number> {
  const old = Date.parse(now) - DAY_MS;
  const files = new Map<string, number>();
  for await (const { key, storedAt } of app.storage.list(shard)) files.set(key, storedAt);
  // Read after the files: a listed file with a row by now is not an orphan.
  const rows = await db.query<{ stored_as: string }>(
    sql`SELECT stored_as FROM attachment WHERE stored_as >= ${`${shard}/`} AND stored_as < ${`${shard}0`}`,
  );
  const owned = new Set(rows.map((row) => row.stored_as));
  for (const [key, storedAt] of files) {
    if (owned.has(key) || storedAt >= old) continue;
    await app.storage.remove(key);
    log.info({ key }, 'deleted an orphaned file');
  }
  let missing = 0;
  for (const key of owned) {
    // The file may have arrived, or its row been deleted, since the files were listed.
    if (files.has(key) || (await app.storage.exists(key))) continue;
    if ((await db.countBy(Attachment, { stored_as: key })) > 0) missing++;
  }
  return missing;
}

function report({ app }: Context, message: string): void {
  app.log.error(message);
  app.errorLog.store({ level: 'error', message, path: '', method: '', status: 500, request_id: '' });
}
