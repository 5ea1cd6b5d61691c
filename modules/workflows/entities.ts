import { choice, flag, id, int, json, key, ref, table, text, when, z, type Row } from '@keelson/core';
import { Action, Condition } from './definitions/fields.ts';

export const triggerTypes = ['event', 'schedule', 'manual'] as const;
export type TriggerType = (typeof triggerTypes)[number];

/** Actions that run after an event, on a schedule or manually (F-52). */
export const Workflow = table(
  'workflow',
  {
    workflow_id: id(),
    name: text(255),
    description: text().default(''),
    active: flag().default(true),
    trigger_type: choice(...triggerTypes),
    event: text(100).nullable(),
    every_minutes: int().nullable(),
    conditions: json(z.array(Condition)),
    /** Webhook secrets are sealed; a deleted workflow has no actions (V-25). */
    actions: json(z.array(Action)),
    /** Incremented on every change of the definition; runs of an older revision are not resumed. */
    revision: int().default(1).hidden(),
    /** Set while active with a schedule. */
    next_run_at: when().nullable().hidden(),
    run_count: int().default(0),
    last_run_at: when().nullable(),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['deleted_at', 'workflow_id'],
    ['trigger_type', 'next_run_at'],
  ],
);
export type Workflow = Row<typeof Workflow>;

export const runStates = ['running', 'completed', 'failed', 'skipped'] as const;

/** `skipped`: nothing to do, with the reason in `error`; `not_run`: an earlier action failed. */
export const actionStates = ['pending', 'completed', 'failed', 'skipped', 'not_run'] as const;
export const ActionResult = z.object({
  type: z.string(),
  status: z.enum(actionStates),
  error: z.string().optional(),
});
export type ActionResult = z.infer<typeof ActionResult>;

/** Workflow run; `skipped` if its conditions did not hold (F-53, M-35). */
export const WorkflowRun = table(
  'workflow_run',
  {
    run_id: id(),
    workflow_id: ref(Workflow),
    workflow_name: text(255),
    /** Deduplicates deliveries: one run per event. */
    event_id: key(40).hidden(),
    trigger_type: choice(...triggerTypes),
    entity_type: text(60),
    entity_id: int().nullable(),
    status: choice(...runStates),
    actions: json(z.array(ActionResult)),
    error: text(500).nullable(),
    revision: int().hidden(),
    /** Fencing token, incremented on takeover so that the previous process can no longer write. */
    fence: int().default(1).hidden(),
    started_at: when(),
    finished_at: when().nullable(),
  },
  [
    ['started_at', 'run_id'],
    ['workflow_id', 'started_at', 'run_id'],
    ['status', 'started_at', 'run_id'],
    ['workflow_id', 'status', 'started_at', 'run_id'],
  ],
  { unique: [['workflow_id', 'event_id']] },
);
export type WorkflowRun = Row<typeof WorkflowRun>;

/** Subscriber name of a workflow, used for its deliveries and as the cause of its changes (WF-06). */
export const PREFIX = 'workflow:';
export const subscriberOf = (workflow_id: number): string => `${PREFIX}${workflow_id}`;
