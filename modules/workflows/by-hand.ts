// Triggering a workflow by hand, and trying what it would do (WF-04, WF-05).
import { invalid, newId, Problem, type Context } from '@keelson/core';
import { judgeConditions } from './conditions.ts';
import { runWorkflow } from './engine.ts';
import type { Workflow, WorkflowRun } from './entities.ts';
import { factsByHand, type Facts } from './facts.ts';
import type { Action, Wanted } from './fields.ts';
import { ActionFailed, planAction } from './plan.ts';
import { withoutSecrets } from './secrets.ts';

/** Runs it at once, whatever its trigger; answers the run. @throws invalid() when it is switched off */
export async function triggerWorkflow(outside: Context, workflow: Workflow, wanted: Wanted): Promise<WorkflowRun> {
  if (!workflow.active) throw invalid('The workflow is switched off');
  const facts = await factsByHand(outside, workflow, wanted);
  const { workflow_id, name } = workflow;
  await outside.transaction(async (ctx) => {
    const description = `Workflow ${name} triggered by hand`;
    ctx.record({ action: 'update', entity_type: 'workflow', entity_id: workflow_id, description });
  });
  const run = await runWorkflow(outside, facts, { event_id: newId(), attempts: 1, last: true });
  if (!run) throw new Error('A new run was finished before it began');
  return run;
}

/** What it would do with a record as it is now; nothing is changed, sent or called. */
export async function tryWorkflow(
  ctx: Context,
  workflow: Workflow,
  wanted: Wanted & { readonly changed?: readonly string[] | undefined },
) {
  const facts = await factsByHand(ctx, workflow, wanted);
  const conditions = judgeConditions(workflow.conditions, facts).map(({ value, ...each }) => ({
    ...each,
    ...(value !== undefined && { value }),
  }));
  const runs = conditions.every((each) => each.holds);
  return {
    runs,
    entity_type: facts.entity_type,
    entity_id: facts.entity_id,
    conditions,
    actions: runs ? await tryActions(ctx, facts) : workflow.actions.map(({ type }) => notRun(type)),
  };
}

interface Tried {
  readonly type: string;
  readonly status: 'would_run' | 'would_skip' | 'would_fail' | 'not_run';
  readonly error?: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Each is tried on the record as it is: what an earlier action would have changed is not seen by a later one. */
async function tryActions(ctx: Context, facts: Facts): Promise<Tried[]> {
  const tried: Tried[] = [];
  for (const action of facts.workflow.actions) {
    const failed = tried.some((each) => each.status === 'would_fail');
    tried.push(failed ? notRun(action.type) : await tryAction(ctx, facts, action));
  }
  return tried;
}

async function tryAction(ctx: Context, facts: Facts, action: Action): Promise<Tried> {
  const { type } = action;
  try {
    const { shown, idle } = await planAction(ctx, facts, action);
    if (idle === undefined) return { type, status: 'would_run', details: { ...shown } };
    return { type, status: 'would_skip', error: idle, details: { ...shown } };
  } catch (error) {
    const ours = !(error instanceof Problem || error instanceof ActionFailed);
    if (ours) throw error;
    const [details = {}] = withoutSecrets([action]);
    return { type, status: 'would_fail', error: error.message, details };
  }
}

const notRun = (type: string): Tried => ({ type, status: 'not_run', details: {} });
