import { showOne, view, z, type Admin, type Context } from '@keelson/core';
import { callerWording } from '@keelson/core/plugin';
import { inputFields } from '@keelson/core/system';
import { fieldLabel } from '@keelson/words/labels';
import { operators } from './definitions/fields.ts';
import { Workflows, type SavedWorkflow } from './definitions/workflows.ts';
import { triggerTypes, type Workflow } from './entities.ts';
import { pluginActions } from './plans/plugin-actions.ts';
import { withoutSecrets } from './plans/secrets.ts';

const condition = { field: z.string(), operator: z.enum(operators), value: z.unknown().optional() };
const TriggerShape = z.object({
  type: z.enum(triggerTypes),
  event: z.string().optional(),
  every_minutes: z.int().optional(),
});
/** Fields by action type. Webhooks show whether a secret is set, and a new secret only when generated. */
const ActionShape = z.record(z.string(), z.unknown());

/** Workflow in responses (F-52). */
const viewWith = ({ hosts }: { readonly hosts: boolean }) =>
  view(Workflows, {
    except: ['trigger_type', 'event', 'every_minutes', 'conditions', 'actions'],
    more: (its) => ({
      trigger: its.from(TriggerShape, ['trigger_type', 'event', 'every_minutes'], triggerOf),
      conditions: its.from(z.array(z.object(condition)), ['conditions'], (row) => row.conditions),
      actions: its.from(z.array(ActionShape), ['actions'], (row) => [...withoutSecrets(row.actions, { hosts })]),
    }),
  });
export const WorkflowItem = viewWith({ hosts: false });
const TechnicianWorkflow = viewWith({ hosts: true });

/** Only administrators see full webhook URLs (Z-24). */
export const viewFor = ({ role }: Admin) => (role === 'administrator' ? WorkflowItem : TechnicianWorkflow);

export async function showSaved(ctx: Context, { workflow, generated }: SavedWorkflow) {
  const shown = await showOne(ctx, WorkflowItem, workflow);
  const actions = shown.actions.map((each, i) => (generated.has(i) ? { ...each, secret: generated.get(i) } : each));
  return { ...shown, actions };
}

function triggerOf({ trigger_type, event, every_minutes }: Pick<Workflow, 'trigger_type' | 'event' | 'every_minutes'>) {
  return {
    type: trigger_type,
    ...(event !== null && { event }),
    ...(every_minutes !== null && { every_minutes }),
  };
}

export const TestShape = z.object({
  /** All conditions hold. */
  runs: z.boolean(),
  entity_type: z.string(),
  entity_id: z.int().nullable(),
  conditions: z.array(z.object({ ...condition, actual: z.unknown(), holds: z.boolean() })),
  actions: z.array(
    z.object({
      type: z.string(),
      status: z.enum(['would_run', 'would_skip', 'would_fail', 'not_run']),
      error: z.string().optional(),
      details: z.record(z.string(), z.unknown()),
    }),
  ),
});

/** Actions of plugins, with the fields to show in the editor. */
export const PluginActions = z.object({
  actions: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      needs: z.array(z.string()),
      input: z.object({ fields: z.record(z.string(), z.unknown()), required: z.array(z.string()) }),
    }),
  ),
});

/** Returns the actions of plugins, named in the caller's language. */
export async function showPluginActions(ctx: Context) {
  const { t } = await callerWording(ctx);
  const actions = [...pluginActions(ctx.app).values()].map(({ name, title, needs, input }) => {
    const { fields, required } = inputFields(input);
    const named = Object.entries(fields).map(([field, its]) => [
      field,
      {
        ...its,
        title: t(its?.title ?? fieldLabel(field)),
        ...(its?.description !== undefined && { description: t(its.description) }),
      },
    ]);
    return {
      ...{ name, title: t(title), needs: [...needs] },
      input: { fields: Object.fromEntries(named), required: [...required] },
    };
  });
  return { actions };
}
