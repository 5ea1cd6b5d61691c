// Running a workflow: each action in a short transaction of its own, with the note that it is done (WF-03, WF-09).
import { Problem, type Context } from '@keelson/core';
import { contextOf } from '@keelson/core/system';
import { judgeConditions } from './conditions.ts';
import { subscriberOf, type Workflow, type WorkflowRun } from './entities.ts';
import type { Facts } from './facts.ts';
import { ActionFailed, leaves, planAction } from './plan.ts';
import { beginRun, failRun, noteAction, Superseded } from './runs.ts';

export interface Attempt {
  /** A workflow runs once for each. */
  readonly event_id: string;
  /** This one included. */
  readonly attempts: number;
  /** There will be no other one: what goes wrong now is how it ends. */
  readonly last: boolean;
}

/** What may be over in a moment is tried so often before the run counts as failed. */
const TRIES = 3;

/**
 * Runs a workflow for an event, from where it was left if it was begun before. Answers the run as it is then; undefined
 * when it had finished already.
 * @throws what should be tried again; never at the last attempt
 */
export async function runWorkflow(outside: Context, facts: Facts, attempt: Attempt): Promise<WorkflowRun | undefined> {
  const { workflow } = facts;
  const skipped = judgeConditions(workflow.conditions, facts).some((each) => !each.holds);
  const run = await beginRun(outside, facts, { event_id: attempt.event_id, skipped });
  if (run?.status !== 'running') return run;
  if (run.revision !== workflow.revision) return end(outside, run, 'The workflow was changed meanwhile');
  return goOn(outside, facts, run, attempt);
}

async function goOn(outside: Context, facts: Facts, begun: WorkflowRun, attempt: Attempt): Promise<WorkflowRun> {
  let run = begun;
  for (let i = 0; i < run.actions.length; i++) {
    if (run.actions[i]?.status !== 'pending') continue;
    try {
      run = await perform(outside, facts, run, i);
    } catch (error) {
      if (error instanceof Superseded) throw error;
      const said = reasonOf(error);
      const { run_id, workflow_id } = run;
      if (said === undefined) outside.log.error({ err: error, workflow_id, run_id }, 'workflow: an action failed');
      const hopeful =
        said === undefined || (error instanceof ActionFailed && error.passing && attempt.attempts < TRIES);
      if (hopeful && !attempt.last) throw error;
      return end(outside, run, said ?? 'Internal error');
    }
  }
  return run;
}

/** Does one action and notes it. What leaves the database is done first, so it may be done twice, but is never left out. */
async function perform(outside: Context, facts: Facts, run: WorkflowRun, position: number): Promise<WorkflowRun> {
  const action = facts.workflow.actions[position];
  if (!action) throw new ActionFailed('The workflow has no such action any more');
  const call = { run_id: run.run_id, event_id: run.event_id, position };
  const ctx = contextFor(outside, facts.workflow);
  if (leaves(action)) {
    const plan = await planAction(ctx, facts, action);
    await plan.act(ctx, call);
    return contextFor(outside, facts.workflow).transaction((tx) =>
      noteAction(tx, run, position, { status: 'completed' }),
    );
  }
  return ctx.transaction(async (tx) => {
    const { idle, act } = await planAction(tx, facts, action);
    if (idle !== undefined) return noteAction(tx, run, position, { status: 'skipped', error: idle });
    await act(tx, call);
    return noteAction(tx, run, position, { status: 'completed' });
  });
}

function end(outside: Context, run: WorkflowRun, said: string): Promise<WorkflowRun> {
  return outside.transaction((ctx) => failRun(ctx, run, said));
}

/** Whose changes these are in every log, and what they are caused by: they start no workflow (WF-06). */
function contextFor({ app, request }: Context, { workflow_id, name }: Workflow): Context<undefined> {
  const author = { type: 'system', id: null, name: `Workflow ${name}`.slice(0, 255) } as const;
  return contextOf({ app, actor: undefined, author, request, cause: subscriberOf(workflow_id) });
}

/** A sentence for people; undefined for what is our own fault, or the database's. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof ActionFailed) return error.message;
  const ours = ['internal', 'unavailable'];
  return error instanceof Problem && !ours.includes(error.kind) ? error.message : undefined;
}
