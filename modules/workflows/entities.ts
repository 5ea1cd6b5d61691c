import { choice, counterTable, flag, id, int, json, key, ref, table, text, when, z, type Row } from '@keelson/core';
import { Action, Condition } from './fields.ts';

export const triggerTypes = ['event', 'schedule', 'manual'] as const;
export type TriggerType = (typeof triggerTypes)[number];

/** What is done by itself when something happens, by the clock, or at the push of a button (F-52). */
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
    /** Secrets of webhooks are sealed in here; none are left once the workflow is deleted (V-25). */
    actions: json(z.array(Action)),
    /** Counts changes of what it does: a run that began before one is not finished after it. */
    revision: int().default(1),
    /** By the clock, while it is active. */
    next_run_at: when().nullable(),
    run_count: int().default(0),
    last_run_at: when().nullable(),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable(),
  },
  [
    ['deleted_at', 'workflow_id'],
    ['trigger_type', 'next_run_at'],
  ],
);
export type Workflow = Row<typeof Workflow>;

export const runStates = ['running', 'completed', 'failed', 'skipped'] as const;

/** `pending`: its turn comes; `skipped`: there was nothing to do, as `error` says; `not_run`: one before it failed. */
export const actionStates = ['pending', 'completed', 'failed', 'skipped', 'not_run'] as const;
export const ActionResult = z.object({
  type: z.string(),
  status: z.enum(actionStates),
  error: z.string().optional(),
});
export type ActionResult = z.infer<typeof ActionResult>;

/** One time it ran, or would have if its conditions had held (F-53, M-35). */
export const WorkflowRun = table(
  'workflow_run',
  {
    run_id: id(),
    workflow_id: ref(Workflow),
    workflow_name: text(255),
    /** What it is for: an event is answered once, however often it is delivered. */
    event_id: key(40).hidden(),
    trigger_type: choice(...triggerTypes),
    entity_type: text(60),
    entity_id: int().nullable(),
    status: choice(...runStates),
    actions: json(z.array(ActionResult)),
    error: text(500).nullable(),
    revision: int().hidden(),
    /** Whoever takes the run over raises it: the one before can write no more. */
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

/** How many runs there are, so that a page of the history costs the same always. */
export const WorkflowRunCount = counterTable('workflow_run_count', {
  of: WorkflowRun,
  dimensions: ['workflow_id', 'status'],
});

/** What the deliveries of its events are kept under, and what its changes are marked as caused by (WF-06). */
export const PREFIX = 'workflow:';
export const subscriberOf = (workflow_id: number): string => `${PREFIX}${workflow_id}`;
