// Workflows as receivers of events: an event that none is for costs a look into a map.
import { cache, invalidateOnChange, perApp, type App, type Context, type Occurrence } from '@keelson/core';
import { type Receivers, type Target } from '@keelson/core/system';
import { runWorkflow } from './engine.ts';
import { PREFIX, subscriberOf, Workflow } from './entities.ts';
import { factsOfEvent } from './facts.ts';
import { Superseded } from './runs.ts';

/** Seconds before each attempt: what fails for longer is told in the history. */
export const retrySchedule: readonly number[] = [0, 5, 30, 120, 600];

const live = perApp((app) => {
  const kept = cache(async (db) => {
    const rows = await db.find(Workflow, { deleted_at: null, active: true, trigger_type: 'event' });
    return Map.groupBy(rows, (each) => each.event);
  });
  invalidateOnChange(app, kept, [Workflow]);
  return kept;
});

export const receivers: Receivers = {
  prefix: PREFIX,
  async targets(app, db, { event, cause }) {
    // What a workflow did starts none (WF-06), whoever did it in its course.
    if (event.webhook !== 'admin' || cause?.startsWith(PREFIX)) return [];
    return ((await live(app).get(db, 'all')).get(event.name) ?? []).map((each) => subscriberOf(each.workflow_id));
  },
  find: (_: App, subscriber) => Promise.resolve(targetOf(Number(subscriber.slice(PREFIX.length)))),
};

function targetOf(workflow_id: number): Target {
  return {
    retrySchedule,
    handle: (ctx, occurrence, { attempts }) => answerEvent(ctx, workflow_id, occurrence, attempts),
  };
}

/** One that was switched off or made for something else meanwhile answers nothing. */
async function answerEvent(ctx: Context, workflow_id: number, occurrence: Occurrence<unknown>, attempts: number) {
  const { event_id, name } = occurrence;
  const wanted = { workflow_id, deleted_at: null, active: true, trigger_type: 'event', event: name } as const;
  const workflow = await ctx.db.one(Workflow, wanted);
  if (workflow)
    await attempt(() => runWorkflow(ctx, factsOfEvent(workflow, occurrence), attemptOf(event_id, attempts)));
}

/** Whoever has taken the run over goes on with it: there is nothing left to do here. */
export async function attempt(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Superseded)) throw error;
  }
}

export function attemptOf(event_id: string, attempts: number) {
  return { event_id, attempts, last: attempts >= retrySchedule.length };
}
