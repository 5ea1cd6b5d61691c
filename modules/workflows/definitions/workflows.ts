// Creating, changing and deleting workflows.
import { change, create, invalid, IsNull, plus, record, type Context } from '@keelson/core';
import { Workflow } from '../entities.ts';
import { sealSecrets, withoutSecrets, type Sealed } from '../plans/secrets.ts';
import { checkDefinition, type Definition } from './definition.ts';
import type { Action, Condition, Trigger } from './fields.ts';

const MAX_WORKFLOWS = 200;
const definitionColumns = ['trigger_type', 'event', 'every_minutes', 'conditions', 'actions'] as const;
const scheduleColumns = ['active', 'trigger_type', 'every_minutes'] as const;

export const Workflows = record(Workflow, {
  title: 'Workflow',
  call: ({ name }) => name,
  log: {
    redact: ({ actions }) => ({ actions: withoutSecrets(actions, { hosts: true }) }),
    omit: ['revision', 'next_run_at'],
  },
  // Runs stay in the history; secrets are erased (V-25).
  erased: { active: false, next_run_at: null, actions: [] },
  follow: (ctx, before, wanted) => ({
    ...(definitionColumns.some((each) => Object.hasOwn(wanted, each)) && { revision: before.revision + 1 }),
    ...(scheduleColumns.some((each) => Object.hasOwn(wanted, each)) && {
      next_run_at: nextRun(ctx, { ...before, ...wanted }),
    }),
  }),
  async prepare(ctx, after, before) {
    if (!before && (await ctx.db.countBy(Workflow, { deleted_at: IsNull() })) >= MAX_WORKFLOWS)
      throw invalid(`There can be at most ${MAX_WORKFLOWS} workflows`);
    // Skipped for a rename, because a referenced technician may have left since.
    if (before && after.revision !== before.revision) await checkDefinition(ctx, after);
  },
});

export interface NewWorkflow {
  readonly name: string;
  readonly description?: string | undefined;
  readonly active?: boolean | undefined;
  readonly trigger: Trigger;
  readonly conditions?: Condition[] | undefined;
  readonly actions: Action[];
}

/** Workflow with its newly generated secrets. */
export interface SavedWorkflow {
  readonly workflow: Workflow;
  readonly generated: Sealed['generated'];
}

/** Returns all workflows, newest first (P-09). */
export function listWorkflows(ctx: Context): Promise<Workflow[]> {
  return ctx.db.find(Workflow, { where: { deleted_at: IsNull() }, order: { workflow_id: 'DESC' } });
}

/** Creates a workflow. @throws invalid() for an invalid definition (WF-08) */
export async function createWorkflow(ctx: Context, input: NewWorkflow): Promise<SavedWorkflow> {
  const { name, description, active = true, conditions = [], actions } = input;
  const definition: Definition = { ...triggerColumns(input.trigger), conditions, actions };
  await checkDefinition(ctx, definition);
  let generated: Sealed['generated'] = new Map();
  const row = { name, description, active, ...definition, next_run_at: nextRun(ctx, { ...definition, active }) };
  const workflow = await create(
    ctx,
    Workflows,
    { ...row, actions: [] },
    {
      // The seal includes the id, and secrets are never stored unsealed, so the actions follow the row.
      async store(stored) {
        const sealed = sealSecrets(ctx.app, stored.workflow_id, actions);
        generated = sealed.generated;
        stored.actions = sealed.actions;
        await ctx.db.update(Workflow, { workflow_id: stored.workflow_id }, { actions: sealed.actions });
      },
    },
  );
  return { workflow, generated };
}

/** Changes the given fields. @throws as createWorkflow */
export async function updateWorkflow(
  ctx: Context,
  before: Workflow,
  { trigger, actions, ...input }: Partial<NewWorkflow>,
): Promise<SavedWorkflow> {
  const sealed = actions && sealSecrets(ctx.app, before.workflow_id, actions, before.actions);
  const workflow = await change(ctx, Workflows, before, {
    ...input,
    ...(trigger && triggerColumns(trigger)),
    actions: sealed?.actions,
  });
  return { workflow, generated: sealed?.generated ?? new Map<number, string>() };
}

/** Returns the next run; the first is one full interval away. */
function nextRun(
  ctx: Context,
  { active, trigger_type, every_minutes }: Pick<Workflow, (typeof scheduleColumns)[number]>,
) {
  if (!active || trigger_type !== 'schedule' || every_minutes === null) return null;
  return plus(ctx.now, { minutes: every_minutes });
}

function triggerColumns(trigger: Trigger) {
  return {
    trigger_type: trigger.type,
    event: trigger.type === 'event' ? trigger.event : null,
    every_minutes: trigger.type === 'schedule' ? trigger.every_minutes : null,
  };
}
