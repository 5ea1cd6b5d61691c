// Storage of workflow runs: start, takeover, end (M-35).
import { by, DuplicateKey, noun, sql, toDatabase, view, type Context } from '@keelson/core';
import { updateCounters } from '@keelson/core/list';
import { WorkflowRun, type ActionResult } from '../entities.ts';
import type { Facts } from './facts.ts';

/** Read through a noun but written directly, because writes are fenced and not logged. */
const runNoun = noun(WorkflowRun, {
  title: 'Run',
  filters: (its) => ({ workflow_id: its.is('workflow_id'), status: its.is('status') }),
  sorts: { started_at: by('started_at') },
});

/** Run in lists (F-53). */
export const RunItem = view(runNoun, {
  except: ['trigger_type'],
  more: (its) => ({ trigger: its.column('trigger_type') }),
});

/** Another process has taken over the run; rolls back this transaction. */
export class Superseded extends Error {}

/**
 * Starts or resumes the run of an event; undefined if it has ended.
 * @param skipped the conditions do not hold: the run is only recorded
 */
export async function beginRun(
  outside: Context,
  facts: Facts,
  { event_id, skipped }: { readonly event_id: string; readonly skipped: boolean },
): Promise<WorkflowRun | undefined> {
  try {
    return await outside.transaction((ctx) => insertRun(ctx, facts, { event_id, skipped }));
  } catch (error) {
    if (!(error instanceof DuplicateKey)) throw error;
    return outside.transaction((ctx) => takeOver(ctx, facts.workflow.workflow_id, event_id));
  }
}

async function insertRun(
  ctx: Context,
  { workflow, trigger, entity_type, entity_id }: Facts,
  { event_id, skipped }: { event_id: string; skipped: boolean },
): Promise<WorkflowRun> {
  const { workflow_id, revision } = workflow;
  const status: ActionResult['status'] = skipped ? 'not_run' : 'pending';
  const row: Omit<WorkflowRun, 'run_id'> = {
    workflow_id,
    workflow_name: workflow.name,
    event_id,
    trigger_type: trigger,
    entity_type,
    entity_id,
    status: skipped ? 'skipped' : 'running',
    actions: workflow.actions.map(({ type }) => ({ type, status })),
    error: null,
    revision,
    fence: 1,
    started_at: ctx.now,
    finished_at: skipped ? ctx.now : null,
  };
  const run_id = await ctx.db.insertReturningId(WorkflowRun, row);
  const run = { ...row, run_id };
  updateCounters(ctx, WorkflowRun, undefined, run);
  // Deferred to the commit, so that the workflow row, which all its runs update, is locked only briefly.
  ctx.tx?.last(sql`UPDATE workflow SET run_count = run_count + 1, last_run_at = ${toDatabase(ctx.now)}
    WHERE workflow_id = ${workflow_id}`);
  return run;
}

async function takeOver(ctx: Context, workflow_id: number, event_id: string): Promise<WorkflowRun | undefined> {
  const run = await ctx.db.findOne(WorkflowRun, {
    where: { workflow_id, event_id },
    lock: { mode: 'pessimistic_write' },
  });
  if (run?.status !== 'running') return undefined;
  const fence = run.fence + 1;
  await ctx.db.update(WorkflowRun, { run_id: run.run_id }, { fence });
  return { ...run, fence };
}

/**
 * Records the result of an action within its transaction. The last action completes the run.
 * @throws Superseded if another process has taken over the run
 */
export async function recordAction(
  ctx: Context,
  run: WorkflowRun,
  position: number,
  result: Omit<ActionResult, 'type'>,
): Promise<WorkflowRun> {
  const actions = run.actions.map((each, i) => (i === position ? { type: each.type, ...result } : each));
  const isLast = !actions.some((each) => each.status === 'pending');
  const after: WorkflowRun = {
    ...run,
    actions,
    ...(isLast && { status: 'completed' as const, finished_at: ctx.now }),
  };
  return storeRun(ctx, run, after);
}

/** Ends a run at the failed action: earlier actions stand, later ones do not run (WF-09). */
export async function failRun(ctx: Context, run: WorkflowRun, reason: string): Promise<WorkflowRun> {
  const error = reason.slice(0, 500);
  const failed = run.actions.findIndex((each) => each.status === 'pending');
  const actions = run.actions.map((each, i): ActionResult => {
    if (i === failed) return { type: each.type, status: 'failed', error };
    return each.status === 'pending' ? { type: each.type, status: 'not_run' } : each;
  });
  return storeRun(ctx, run, { ...run, actions, status: 'failed', error, finished_at: ctx.now });
}

async function storeRun(ctx: Context, before: WorkflowRun, after: WorkflowRun): Promise<WorkflowRun> {
  const { run_id, fence } = before;
  const { actions, status, error, finished_at } = after;
  const own = { run_id, fence, status: 'running' } as const;
  if ((await ctx.db.update(WorkflowRun, own, { actions, status, error, finished_at })).affected === 0)
    throw new Superseded();
  updateCounters(ctx, WorkflowRun, before, after);
  return after;
}
