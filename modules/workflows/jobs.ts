import { IsNull, job, plus, secondsBetween, sql, toDatabase, type Context } from '@keelson/core';
import { removeBefore } from '@keelson/core/database';
import { eachApart } from '@keelson/core/kit';
import { Workflow, WorkflowRun } from './entities.ts';
import { WorkflowDue } from './events.ts';
import { failRun, Superseded } from './runs/runs.ts';

const AT_ONCE = 200;
const KEPT = { days: -90 } as const;
/** Longer than all attempts of a run combined. */
const ABANDONED = { hours: -1 } as const;

export default [
  job('workflows.schedule', '* * * * *', startDue, { title: 'Start scheduled workflows' }),
  job('workflows.end-abandoned', '*/10 * * * *', endAbandoned, { title: 'End abandoned workflow runs' }),
  job('workflows.prune', '40 3 * * *', pruneRuns, { title: 'Delete old workflow runs' }),
];

/**
 * Starts due workflows, once for any number of missed times. One process claims the due time; any process may run it.
 * @throws AggregateError naming the workflows that failed, once the others are done
 */
async function startDue(outside: Context<undefined>): Promise<void> {
  const due = await outside.db.query<{ workflow_id: number }>(sql`SELECT workflow_id FROM workflow
    WHERE trigger_type = 'schedule' AND next_run_at <= ${toDatabase(outside.now)} ORDER BY next_run_at LIMIT ${AT_ONCE}`);
  await eachApart(
    due,
    ({ workflow_id }) => `workflow ${workflow_id}`,
    ({ workflow_id }) => outside.transaction((ctx) => startIfDue(ctx, workflow_id)),
  );
}

async function startIfDue(ctx: Context, workflow_id: number): Promise<void> {
  const row = await ctx.db.findOne(Workflow, {
    where: { workflow_id, deleted_at: IsNull(), active: true },
    lock: { mode: 'pessimistic_write' },
  });
  if (!row || row.every_minutes === null || row.next_run_at === null || row.next_run_at > ctx.now) return;
  const passed = Math.floor(secondsBetween(row.next_run_at, ctx.now) / (row.every_minutes * 60));
  const next_run_at = plus(row.next_run_at, { minutes: (passed + 1) * row.every_minutes });
  await ctx.db.update(Workflow, { workflow_id }, { next_run_at });
  ctx.emit(WorkflowDue, { workflow_id });
}

/** Ends runs of dead processes that nothing resumes: manual ones, and those of inactive workflows. */
async function endAbandoned(outside: Context<undefined>): Promise<void> {
  const before = plus(outside.now, ABANDONED);
  const left = await outside.db.query<{ run_id: number }>(sql`SELECT run_id FROM workflow_run
    WHERE status = 'running' AND started_at < ${toDatabase(before)} ORDER BY started_at LIMIT ${AT_ONCE}`);
  await eachApart(
    left,
    ({ run_id }) => `run ${run_id}`,
    ({ run_id }) => outside.transaction((ctx) => endIfAbandoned(ctx, run_id)),
  );
}

async function endIfAbandoned(ctx: Context, run_id: number): Promise<void> {
  const run = await ctx.db.findOne(WorkflowRun, {
    where: { run_id, status: 'running' },
    lock: { mode: 'pessimistic_write' },
  });
  if (!run) return;
  try {
    await failRun(ctx, run, 'Interrupted');
  } catch (error) {
    if (!(error instanceof Superseded)) throw error;
  }
}

async function pruneRuns({ app, now }: Context<undefined>): Promise<void> {
  await removeBefore(app.database, WorkflowRun, 'started_at', plus(now, KEPT));
}
