// Workflows as event subscribers, cached by event name because most events have none.
import { cache, invalidateOnChange, IsNull, perApp, type App, type Context, type Occurrence } from '@keelson/core';
import type { Receivers, Target } from '@keelson/core/system';
import { PREFIX, subscriberOf, Workflow } from '../entities.ts';
import { runWorkflow } from './engine.ts';
import { eventFacts } from './facts.ts';
import { Superseded } from './runs.ts';

/** Seconds before each attempt; after the last one, the history records the failure. */
export const retrySchedule: readonly number[] = [0, 5, 30, 120, 600];

const byEvent = perApp((app) => {
  const kept = cache(app, async (db) => {
    const rows = await db.findBy(Workflow, { deleted_at: IsNull(), active: true, trigger_type: 'event' });
    return Map.groupBy(rows, (each) => each.event);
  });
  invalidateOnChange(app, kept, [Workflow]);
  return kept;
});

export const receivers: Receivers = {
  prefix: PREFIX,
  async targets(app, db, { event, cause }) {
    // Changes caused by a workflow start no other (WF-06).
    if (event.webhook !== 'admin' || cause?.startsWith(PREFIX)) return [];
    return ((await byEvent(app).get(db, 'all')).get(event.name) ?? []).map((each) => subscriberOf(each.workflow_id));
  },
  find: (_: App, subscriber) => Promise.resolve(targetOf(Number(subscriber.slice(PREFIX.length)))),
};

function targetOf(workflow_id: number): Target {
  return {
    retrySchedule,
    handle: (ctx, occurrence, { attempts }) => runForEvent(ctx, workflow_id, occurrence, attempts),
  };
}

/** Runs the workflow unless it was deactivated or its trigger changed since. */
async function runForEvent(ctx: Context, workflow_id: number, occurrence: Occurrence<unknown>, attempts: number) {
  const { event_id, name } = occurrence;
  const wanted = { workflow_id, deleted_at: IsNull(), active: true, trigger_type: 'event', event: name } as const;
  const workflow = await ctx.db.findOneBy(Workflow, wanted);
  if (workflow)
    await ignoreSuperseded(() =>
      runWorkflow(ctx, eventFacts(ctx.app, workflow, occurrence), attemptFor(event_id, attempts)),
    );
}

/** Ignores runs that another process has taken over. */
export async function ignoreSuperseded(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Superseded)) throw error;
  }
}

export function attemptFor(event_id: string, attempts: number) {
  return { event_id, attempts, last: attempts >= retrySchedule.length };
}
