// Manual workflow runs and dry runs (WF-04, WF-05).
import { invalid, Problem, type Context } from '@keelson/core';
import { newId } from '@keelson/core/kit';
import type { Action, RecordReference } from '../definitions/fields.ts';
import { withPluginFields } from '../definitions/plugin-fields.ts';
import type { Workflow, WorkflowRun } from '../entities.ts';
import { planAction } from '../plans/plan.ts';
import { ActionFailed } from '../plans/planned-action.ts';
import { withoutSecrets } from '../plans/secrets.ts';
import { judgeConditions } from './conditions.ts';
import { runWorkflow } from './engine.ts';
import { manualFacts, type Facts } from './facts.ts';

/** Runs the workflow now, whatever its trigger. @throws invalid() if it is inactive */
export async function triggerWorkflow(
  outside: Context,
  workflow: Workflow,
  wanted: RecordReference,
): Promise<WorkflowRun> {
  if (!workflow.active) throw invalid('The workflow is disabled');
  const facts = await manualFacts(outside, workflow, wanted);
  const { workflow_id, name } = workflow;
  await outside.transaction(async (ctx) => {
    const description = `Workflow ${name} triggered manually`;
    ctx.record({ action: 'update', entity_type: 'workflow', entity_id: workflow_id, description });
  });
  const run = await runWorkflow(outside, facts, { event_id: newId(), attempts: 1, last: true });
  if (!run) throw new Error('A run with a new id was already finished');
  return run;
}

/** Reports what the workflow would do with a record as it is now, without side effects. */
export async function dryRunWorkflow(
  ctx: Context,
  workflow: Workflow,
  wanted: RecordReference & { readonly changed?: readonly string[] | undefined },
) {
  const facts = await withPluginFields(ctx, await manualFacts(ctx, workflow, wanted));
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
    actions: runs ? await dryRunActions(ctx, facts) : workflow.actions.map(({ type }) => notRun(type)),
  };
}

interface DryRunResult {
  readonly type: string;
  readonly status: 'would_run' | 'would_skip' | 'would_fail' | 'not_run';
  readonly error?: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Evaluates each action against the current record, ignoring the effects of earlier actions. */
async function dryRunActions(ctx: Context, facts: Facts): Promise<DryRunResult[]> {
  const results: DryRunResult[] = [];
  for (const action of facts.workflow.actions) {
    const failed = results.some((each) => each.status === 'would_fail');
    results.push(failed ? notRun(action.type) : await dryRunAction(ctx, facts, action));
  }
  return results;
}

async function dryRunAction(ctx: Context, facts: Facts, action: Action): Promise<DryRunResult> {
  const { type } = action;
  try {
    const { shown, skipReason } = await planAction(ctx, facts, action);
    if (skipReason === undefined) return { type, status: 'would_run', details: { ...shown } };
    return { type, status: 'would_skip', error: skipReason, details: { ...shown } };
  } catch (error) {
    if (!(error instanceof Problem || error instanceof ActionFailed)) throw error;
    const [details = {}] = withoutSecrets([action]);
    return { type, status: 'would_fail', error: error.message, details };
  }
}

const notRun = (type: string): DryRunResult => ({ type, status: 'not_run', details: {} });
