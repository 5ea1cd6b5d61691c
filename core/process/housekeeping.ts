// Core's own jobs.
import { pruneMarks } from '@keelson/database/transaction/commit-mark.ts';
import { pruneOutbox } from '@keelson/events/delivery/outbox.ts';
import { job, type Job } from '@keelson/events/job/job.ts';
import { eachApart, partsApart } from '@keelson/kit/each-apart.ts';
import type { Timestamp } from '@keelson/kit/time.ts';
import { compactCounter, repairCounter } from '@keelson/list/counter/counter-compaction.ts';
import type { CounterTable } from '@keelson/list/counter/counter.ts';
import { sealActivity } from '@keelson/log/activity-chain.ts';
import { ErrorCount } from '@keelson/log/error-log.ts';
import { mailJobs } from '@keelson/mail/mail-delivery.ts';
import { tidyAttachments } from '../attachments/tidy.ts';
import { pruneKeys } from '../http/idempotency.ts';
import { pruneChanges } from '../plugin/change-feed.ts';
import type { Context } from '../plugin/context.ts';
import type { Plugin } from '../plugin/plugin.ts';
import { WrongCounters } from '../plugin/troubles.ts';
import { tidyImports } from '../record/import/import-undo.ts';
import { backUpWhenDue } from './backup/installation-backup.ts';
import { pruneActivity, pruneErrors, pruneImports, sealSecret } from './database/retention.ts';

/** Many files take hours to copy and to verify. */
const BACKUP_SECONDS = 24 * 3600;

/** Compares counters with their tables, recounts wrong ones, and reports them. */
async function repairCounters(ctx: Context, counters: readonly CounterTable[]): Promise<void> {
  const { app, now } = ctx;
  const found: { readonly name: string; readonly wrong: number; readonly at: Timestamp }[] = [];
  const repair = async (each: CounterTable) => {
    const wrong = await repairCounter(app.database, each, now);
    if (wrong === 0) return;
    app.log.error({ counter: each.name, wrong }, 'a counter was wrong and has been recounted');
    found.push({ name: each.name, wrong, at: now });
  };
  try {
    await eachApart(counters, ({ name }) => name, repair);
  } finally {
    if (found.length > 0)
      await ctx.transaction((inside) =>
        app.settings.change(inside, WrongCounters, (known) => [...known, ...found].slice(-50)),
      );
  }
}

/** Returns core's own jobs: counter compaction, and deletion of expired rows (ST-09, R-33, EV-05). */
export function housekeeping(plugins: readonly Plugin[]): Job[] {
  const counters = [ErrorCount, ...plugins.flatMap((plugin) => plugin.counters ?? [])];
  return [
    job(
      'core.fold-counters',
      '*/15 * * * * *',
      async ({ app, now }) => {
        await eachApart(
          counters,
          ({ name }) => name,
          (each) => compactCounter(app.database, each, now),
        );
      },
      { title: 'Update counters' },
    ),
    job('core.repair-counters', '40 2 * * *', (ctx: Context) => repairCounters(ctx, counters), {
      title: 'Check counters against their tables',
    }),
    job('core.prune-events', '10 3 * * *', async ({ app, now }) => void (await pruneOutbox(app.database, now)), {
      title: 'Delete delivered events',
    }),
    job(
      'core.seal-activity',
      '*/20 * * * * *',
      async ({ app, now }) => {
        await sealActivity(app.database, sealSecret(app), now);
      },
      { title: 'Sign the activity log' },
    ),
    job('core.prune-activity', '20 3 * * *', async (ctx) => void (await pruneActivity(ctx)), {
      title: 'Delete old activity log entries',
    }),
    job('core.prune-errors', '30 3 * * *', async (ctx) => void (await pruneErrors(ctx)), {
      title: 'Delete old errors',
    }),
    job('core.prune-imports', '35 3 * * *', async (ctx) => void (await pruneImports(ctx)), {
      title: 'Delete old import reports',
    }),
    job('core.tidy-imports', '* * * * *', tidyImports, { title: 'End abandoned imports' }),
    job(
      'core.prune-keys',
      '40 * * * *',
      async ({ app, now }) => {
        const tasks = [
          { name: 'idempotency keys', run: () => pruneKeys(app.database, now) },
          { name: 'commit marks', run: () => pruneMarks(app.database) },
        ];
        await partsApart(tasks);
      },
      { title: 'Delete expired idempotency keys' },
    ),
    job('core.tidy-attachments', '50 2 * * *', tidyAttachments, { title: 'Delete files without a record' }),
    job('core.prune-changes', '* * * * *', async ({ app, now }) => void (await pruneChanges(app.database, now)), {
      title: 'Delete old live updates',
    }),
    job('core.backup', '* * * * *', backUpWhenDue, {
      title: 'Back up the installation',
      deadlineSeconds: BACKUP_SECONDS,
    }),
    ...mailJobs,
  ];
}
