// The workflows there are, and changing them.
import { changed, changesBetween, invalid, notFound, plus, type Context } from '@keelson/core';
import { checkDefinition, type Definition } from './definition.ts';
import { Workflow } from './entities.ts';
import type { Action, Condition, Trigger } from './fields.ts';
import { sealSecrets, withoutSecrets, type Sealed } from './secrets.ts';

export interface NewWorkflow {
  readonly name: string;
  readonly description?: string | undefined;
  readonly active?: boolean | undefined;
  readonly trigger: Trigger;
  readonly conditions?: Condition[] | undefined;
  readonly actions: Action[];
}

/** A workflow, with the secrets that were made for it just now. */
export interface Saved {
  readonly workflow: Workflow;
  readonly made: Sealed['made'];
}

const MOST = 200;

/** All of them, newest first (P-09). */
export function listWorkflows(ctx: Context): Promise<Workflow[]> {
  return ctx.db.find(Workflow, { deleted_at: null }, { order: [['workflow_id', 'DESC']] });
}

/** @throws notFound() when it is absent or deleted */
export async function findWorkflow(ctx: Context, workflow_id: number, { lock = false } = {}): Promise<Workflow> {
  const row = await ctx.db.one(Workflow, { workflow_id, deleted_at: null }, { lock });
  if (!row) throw notFound('Workflow');
  return row;
}

/** The same, for changing it. */
export function lockWorkflow(ctx: Context, workflow_id: number): Promise<Workflow> {
  return findWorkflow(ctx, workflow_id, { lock: true });
}

/** @throws invalid() for what it cannot do (WF-08) */
export async function createWorkflow(ctx: Context, input: NewWorkflow): Promise<Saved> {
  const { name, description = '', active = true, conditions = [], actions } = input;
  const definition = { ...triggerColumns(input.trigger), conditions, actions };
  await checkDefinition(ctx, definition);
  if ((await ctx.db.count(Workflow, { deleted_at: null })) >= MOST) {
    throw invalid(`There can be at most ${MOST} workflows`);
  }
  const times = { created_at: ctx.now, updated_at: ctx.now, next_run_at: nextRun(ctx, definition, active) };
  // Secrets are sealed for the id.
  const row = { name, description, active, ...definition, actions: [], ...times };
  const workflow_id = await ctx.db.insert(Workflow, row);
  const sealed = sealSecrets(ctx.app, workflow_id, actions);
  await ctx.db.update(Workflow, { workflow_id }, { actions: sealed.actions });
  const said = `Workflow ${name} created`;
  ctx.record({ action: 'create', entity_type: 'workflow', entity_id: workflow_id, description: said });
  changed(ctx, Workflow);
  return { workflow: await findWorkflow(ctx, workflow_id), made: sealed.made };
}

/** Changes what is given. @throws as createWorkflow */
export async function updateWorkflow(ctx: Context, before: Workflow, input: Partial<NewWorkflow>): Promise<Saved> {
  const { workflow_id } = before;
  const sealed = input.actions && sealSecrets(ctx.app, workflow_id, input.actions, before.actions);
  const made = sealed?.made ?? new Map<number, string>();
  const definition: Definition = {
    ...(input.trigger ? triggerColumns(input.trigger) : triggerOf(before)),
    conditions: input.conditions ?? before.conditions,
    actions: sealed?.actions ?? before.actions,
  };
  const { name = before.name, description = before.description, active = before.active } = input;
  const after: Workflow = { ...before, name, description, active, ...definition };
  const changes = Object.keys(changesBetween(before, after));
  if (changes.length === 0) return { workflow: before, made };
  // Whoever only renames it is not told that a technician in it has left.
  const isOther = changes.some((each) => Object.hasOwn(definition, each));
  if (isOther) await checkDefinition(ctx, definition);
  const anew = ['active', 'trigger_type', 'every_minutes'].some((each) => changes.includes(each));
  await ctx.db.update(
    Workflow,
    { workflow_id },
    {
      ...definition,
      name,
      description,
      active,
      updated_at: ctx.now,
      revision: before.revision + (isOther ? 1 : 0),
      next_run_at: anew ? nextRun(ctx, definition, active) : before.next_run_at,
    },
  );
  ctx.record({
    action: 'update',
    entity_type: 'workflow',
    entity_id: workflow_id,
    description: `Workflow ${name} updated`,
    changes: logged(before, after),
  });
  changed(ctx, Workflow);
  return { workflow: await findWorkflow(ctx, workflow_id), made };
}

/** What ran stays in the history; secrets go at once (V-25). */
export async function deleteWorkflow(ctx: Context, { workflow_id, name }: Workflow): Promise<void> {
  const gone = { deleted_at: ctx.now, active: false, next_run_at: null, actions: [] };
  await ctx.db.update(Workflow, { workflow_id }, gone);
  const description = `Workflow ${name} deleted`;
  ctx.record({ action: 'delete', entity_type: 'workflow', entity_id: workflow_id, description });
  changed(ctx, Workflow);
}

/** The first time by the clock is a whole interval away. */
function nextRun(ctx: Context, { trigger_type, every_minutes }: Definition, active: boolean) {
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

function triggerOf({ trigger_type, event, every_minutes }: Workflow) {
  return { trigger_type, event, every_minutes };
}

/** What the activity log tells of a change: no secrets, and of an address its host. */
function logged(before: Workflow, after: Workflow) {
  const told = (row: Workflow) => ({ ...row, actions: withoutSecrets(row.actions, { hosts: true }) });
  const changes = changesBetween(told(before), told(after));
  const hidden = !('actions' in changes) && 'actions' in changesBetween(before, after);
  return hidden ? { ...changes, actions: ['changed', 'changed'] as const } : changes;
}
