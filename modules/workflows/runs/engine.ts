// Workflow engine: each action runs in a short transaction that also stores its result (WF-03, WF-09).
import { Problem, type Context } from '@keelson/core';
import { contextOf } from '@keelson/core/system';
import { withPluginFields } from '../definitions/plugin-fields.ts';
import { subscriberOf, type Workflow, type WorkflowRun } from '../entities.ts';
import { leavesDatabase, planAction } from '../plans/plan.ts';
import { ActionFailed } from '../plans/planned-action.ts';
import { judgeConditions } from './conditions.ts';
import type { Facts } from './facts.ts';
import { beginRun, failRun, recordAction, Superseded } from './runs.ts';

export interface Attempt {
  /** A workflow runs once per event. */
  readonly event_id: string;
  /** Number of attempts, including this one. */
  readonly attempts: number;
  /** Last attempt: a failure ends the run. */
  readonly last: boolean;
}

/** Maximum tries of an action with a temporary failure. */
const MAX_TRIES = 3;

/**
 * Runs a workflow for an event, or resumes an earlier run. Returns undefined if that run has ended.
 * @throws an error that should be retried, but never on the last attempt
 */
export async function runWorkflow(outside: Context, given: Facts, attempt: Attempt): Promise<WorkflowRun | undefined> {
  const facts = await withPluginFields(outside, given);
  const { workflow } = facts;
  const skipped = judgeConditions(workflow.conditions, facts).some((each) => !each.holds);
  const run = await beginRun(outside, facts, { event_id: attempt.event_id, skipped });
  if (run?.status !== 'running') return run;
  if (run.revision !== workflow.revision) return fail(outside, run, 'The workflow has changed since this run started');
  return continueRun(outside, facts, run, attempt);
}

async function continueRun(outside: Context, facts: Facts, begun: WorkflowRun, attempt: Attempt): Promise<WorkflowRun> {
  let run = begun;
  for (let i = 0; i < run.actions.length; i++) {
    if (run.actions[i]?.status !== 'pending') continue;
    try {
      run = await perform(outside, facts, run, i);
    } catch (error) {
      if (error instanceof Superseded) throw error;
      const reason = failureReason(error);
      const { run_id, workflow_id } = run;
      if (reason === undefined) outside.log.error({ err: error, workflow_id, run_id }, 'workflow: an action failed');
      const retryable =
        reason === undefined || (error instanceof ActionFailed && error.temporary && attempt.attempts < MAX_TRIES);
      if (retryable && !attempt.last) throw error;
      return fail(outside, run, reason ?? 'Internal error');
    }
  }
  return run;
}

/** Runs one action and records it. External effects come first: they may happen twice but are never lost. */
async function perform(outside: Context, facts: Facts, run: WorkflowRun, position: number): Promise<WorkflowRun> {
  const action = facts.workflow.actions[position];
  if (!action) throw new ActionFailed('The workflow no longer has this action');
  const call = { run_id: run.run_id, event_id: run.event_id, position };
  const ctx = contextFor(outside, facts.workflow);
  if (leavesDatabase(action)) {
    const plan = await planAction(ctx, facts, action);
    await plan.act(ctx, call);
    return contextFor(outside, facts.workflow).transaction((tx) =>
      recordAction(tx, run, position, { status: 'completed' }),
    );
  }
  return ctx.transaction(async (tx) => {
    const { skipReason, act } = await planAction(tx, facts, action);
    if (skipReason !== undefined) return recordAction(tx, run, position, { status: 'skipped', error: skipReason });
    await act(tx, call);
    return recordAction(tx, run, position, { status: 'completed' });
  });
}

function fail(outside: Context, run: WorkflowRun, reason: string): Promise<WorkflowRun> {
  return outside.transaction((ctx) => failRun(ctx, run, reason));
}

/** Builds the context with the workflow as author and cause, so that its changes start no workflow (WF-06). */
function contextFor({ app, request }: Context, { workflow_id, name }: Workflow): Context<undefined> {
  const author = { type: 'system', id: null, name: `Workflow ${name}`.slice(0, 255) } as const;
  return contextOf({ app, actor: undefined, author, request, cause: subscriberOf(workflow_id) });
}

/** Returns the message for people; undefined for internal and database errors. */
function failureReason(error: unknown): string | undefined {
  if (error instanceof ActionFailed) return error.message;
  const internal = ['internal', 'unavailable'];
  return error instanceof Problem && !internal.includes(error.kind) ? error.message : undefined;
}
