import type { App } from '../../core/plugin/app.ts';
import { contextOf } from '../../core/plugin/context.ts';
import type { OpenDatabase } from '../../packages/database/database.ts';
import type { Job } from '../../packages/events/job/job.ts';
import { createScheduler } from '../../packages/events/job/scheduler.ts';
import { systemClock, type Clock } from '../../packages/kit/time.ts';
import { theSystem } from '../../packages/log/activity.ts';
import type { Logger } from '../../packages/log/log.ts';
import { quiet } from './_outbox.ts';

/** Creates a scheduler of its own, which is not started. */
export function scheduler(
  database: OpenDatabase,
  jobs: readonly Job[],
  clock: Clock = systemClock,
  { deadlineSeconds, log = quiet }: { readonly deadlineSeconds?: number; readonly log?: Logger } = {},
) {
  const app: Partial<App> = { database, clock: { ...systemClock, ...clock }, log };
  const makeContext = () => contextOf({ app: app as App, actor: undefined, author: theSystem });
  return createScheduler({
    database,
    clock,
    log,
    jobs,
    makeContext,
    refresh: () => Promise.resolve(),
    ...(deadlineSeconds !== undefined && { deadlineSeconds }),
  });
}
