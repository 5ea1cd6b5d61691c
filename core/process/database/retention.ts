// Retention of logs, and deletion of older lines.
import { createSecretKey } from 'node:crypto';
import { removeBefore } from '@keelson/database/prune.ts';
import { eachApart } from '@keelson/kit/each-apart.ts';
import { plus } from '@keelson/kit/time.ts';
import { recount } from '@keelson/list/counter/counter-compaction.ts';
import { ActivityBlock, pruneBlock, headOf } from '@keelson/log/activity-chain.ts';
import { ErrorCount, ErrorLine } from '@keelson/log/error-log.ts';
import { In, IsNull, LessThan } from 'typeorm';
import { z } from 'zod';
import type { Context } from '../../plugin/context.ts';
import { perApp } from '../../plugin/per-app.ts';
import { setting } from '../../plugin/setting/settings.ts';
import { ImportRow, ImportRun } from '../../record/import/import-history.ts';

/** Retention of the activity log and the error log. */
export const Retention = setting(
  'core.retention',
  z.object({ activity_days: z.int().min(1).max(36_500), error_days: z.int().min(1).max(36_500) }),
  { activity_days: 365, error_days: 30 },
);

/** Retention of the history of imports, after which they can no longer be undone. */
export const ImportRetention = setting('core.import-retention', z.object({ import_days: z.int().min(1).max(3650) }), {
  import_days: 90,
});

/** The key that seals an installation's activity log. A key object, because Node would otherwise create one per use. */
export const sealSecret = perApp((app) => createSecretKey(app.vault.derive('activity log')));

const BLOCKS = 400;
/** A day has up to 4,320 blocks, because a job seals new lines every 20 seconds. */
const BATCHES = 50;

/**
 * Deletes activity past its retention (ST-09), block by block from the oldest, at most 20,000 blocks per call. Returns
 * the number of lines.
 */
export async function pruneActivity(ctx: Context): Promise<number> {
  const { app } = ctx;
  const { activity_days } = await app.settings.get(ctx, Retention);
  const old = { forgotten: IsNull(), sealed_at: LessThan(plus(ctx.now, { days: -activity_days })) };
  let removed = 0;
  for (let i = 0; i < BATCHES; i++) {
    const blocks = await app.database.find(ActivityBlock, { where: old, order: { block_id: 'ASC' }, take: BLOCKS });
    for (const block of blocks)
      removed += await app.database.transaction((tx) => pruneBlock(tx, sealSecret(app), block));
    if (blocks.length < BLOCKS) break;
  }
  const head = await headOf(app.database);
  // The process log is stored elsewhere, so this hash can later prove that the activity log was not truncated.
  if (head) app.log.info({ block: head.block_id, hash: head.hash }, 'activity log: the newest block');
  return removed;
}

/** Deletes errors past their retention (ST-09). Returns the number deleted. */
export async function pruneErrors(ctx: Context): Promise<number> {
  const { error_days } = await ctx.app.settings.get(ctx, Retention);
  const before = plus(ctx.now, { days: -error_days });
  try {
    return await removeBefore(ctx.app.database, ErrorLine, 'created_at', before);
  } finally {
    await recount(ctx.app.database, ErrorCount, ctx.now);
  }
}

const IMPORTS = 100;
const ROWS = 1000;

/** Deletes imports past their retention, after which they can no longer be undone. Returns the number deleted. */
export async function pruneImports(ctx: Context): Promise<number> {
  const { database, settings } = ctx.app;
  const { import_days } = await settings.get(ctx, ImportRetention);
  const old = {
    created_at: LessThan(plus(ctx.now, { days: -import_days })),
    status: In(['done', 'undone']),
  };
  const runs = await database.find(ImportRun, { where: old, order: { created_at: 'ASC' }, take: IMPORTS });
  await eachApart(
    runs,
    ({ import_id }) => `import ${import_id}`,
    async ({ import_id }) => {
      for (;;) {
        const rows = await database.find(ImportRow, { where: { import_id }, take: ROWS });
        if (rows.length === 0) break;
        await database.delete(ImportRow, { row_id: In(rows.map((each) => each.row_id)) });
      }
      await database.delete(ImportRun, { import_id });
    },
  );
  return runs.length;
}
