import { z, type Admin } from '@keelson/core';
import { ActionResult, runStates, triggerTypes, type Workflow, type WorkflowRun } from './entities.ts';
import { operators } from './fields.ts';
import type { Sealed } from './secrets.ts';
import { withoutSecrets } from './secrets.ts';
import type { Saved } from './workflows.ts';

const condition = { field: z.string(), operator: z.enum(operators), value: z.unknown().optional() };

/** F-52. */
export const WorkflowShape = z.object({
  workflow_id: z.int(),
  name: z.string(),
  description: z.string(),
  active: z.boolean(),
  trigger: z.object({
    type: z.enum(triggerTypes),
    event: z.string().optional(),
    every_minutes: z.int().optional(),
  }),
  conditions: z.array(z.object(condition)),
  /** With the members of its type; of a webhook, whether it has a secret, and the secret in the answer that makes it. */
  actions: z.array(z.record(z.string(), z.unknown())),
  run_count: z.int(),
  last_run_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** As this caller may see it: addresses of webhooks are whole for administrators only (Z-24). */
export const shownTo = ({ role }: Admin, row: Workflow) => shown(row, { hosts: role !== 'administrator' });

function shown(row: Workflow, { made = new Map(), hosts = false }: { made?: Sealed['made']; hosts?: boolean }) {
  const { trigger_type, event, every_minutes, ...rest } = row;
  return {
    ...rest,
    trigger: {
      type: trigger_type,
      ...(event !== null && { event }),
      ...(every_minutes !== null && { every_minutes }),
    },
    actions: withoutSecrets(row.actions, { hosts }).map((each, i) =>
      made.has(i) ? { ...each, secret: made.get(i) } : { ...each },
    ),
  };
}

export const shownSaved = ({ workflow, made }: Saved) => shown(workflow, { made });

/** F-53. */
export const RunShape = z.object({
  run_id: z.int(),
  workflow_id: z.int(),
  workflow_name: z.string(),
  trigger: z.enum(triggerTypes),
  entity_type: z.string(),
  entity_id: z.int().nullable(),
  status: z.enum(runStates),
  actions: z.array(ActionResult),
  error: z.string().nullable(),
  started_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
});

type ShownRun = Omit<WorkflowRun, 'event_id' | 'revision' | 'fence'>;
export const shownRun = ({ trigger_type, ...rest }: ShownRun) => ({ ...rest, trigger: trigger_type });

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
