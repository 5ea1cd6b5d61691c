// Activities: calls, mails, meetings and tasks, done or to do.
import {
  by,
  changesBetween,
  defineList,
  invalid,
  is,
  notFound,
  readPage,
  updateCounters,
  type Context,
  type Filter,
  type Timestamp,
} from '@keelson/core';
import { defined, differing } from '../change.ts';
import { ActivityCount, CrmActivity, type ActivityType } from './entities.ts';
import type { EntityType } from '../entity-types.ts';
import { ActivityCompleted } from '../events.ts';
import { holdEntity } from '../kinds.ts';
import { checkReferences } from '../references.ts';

interface ActivityFields {
  readonly type: ActivityType;
  readonly subject: string;
  readonly description?: string | undefined;
  readonly assigned_to?: number | null | undefined;
  readonly due_date?: Timestamp | null | undefined;
  readonly duration_minutes?: number | null | undefined;
}
export type NewActivity = ActivityFields & { readonly entity_type: EntityType; readonly entity_id: number };
export type ActivityUpdate = Partial<ActivityFields> & { readonly completed?: boolean | undefined };

export interface ActivitiesAsked {
  readonly type?: ActivityType | undefined;
  readonly entity_type?: EntityType | undefined;
  readonly entity_id?: number | undefined;
  readonly assigned_to?: number | undefined;
  readonly completed?: boolean | undefined;
  readonly page: number;
  readonly size: number;
}

/** A page of activities, newest first. @throws invalid() for an entity_id without its type (C-21) */
export async function listActivities(ctx: Context, { page, size, completed, ...asked }: ActivitiesAsked) {
  if (asked.entity_id !== undefined && asked.entity_type === undefined)
    throw invalid('entity_type is required with entity_id');
  const equal: Filter[] = Object.entries(asked).flatMap(([column, value]) => (value ? [is(column, value)] : []));
  const where = completed === undefined ? equal : [...equal, is('completed', completed ? 1 : 0)];
  return readPage(ctx.db, ActivityList, { where, sort: 'created_at', direction: 'desc', page, size });
}

/** @throws notFound() when it is absent or deleted */
export function findActivity(ctx: Context, activity_id: number): Promise<CrmActivity> {
  return read(ctx, activity_id, { lock: false });
}

/** The same for somebody who is about to change it. */
export function lockActivity(ctx: Context, activity_id: number): Promise<CrmActivity> {
  return read(ctx, activity_id, { lock: true });
}

/** @throws invalid() when what it is about is absent (V-21) */
export async function createActivity(ctx: Context, given: NewActivity): Promise<CrmActivity> {
  await holdEntity(ctx, given.entity_type, given.entity_id);
  await checkReferences(ctx, given);
  const row = {
    type: given.type,
    subject: given.subject,
    description: given.description ?? '',
    entity_type: given.entity_type,
    entity_id: given.entity_id,
    assigned_to: given.assigned_to ?? null,
    due_date: given.due_date ?? null,
    duration_minutes: given.duration_minutes ?? null,
    completed: false,
    completed_at: null,
    created_by: ctx.author.name,
    created_at: ctx.now,
    updated_at: ctx.now,
    deleted_at: null,
  };
  const activity: CrmActivity = { ...row, activity_id: await ctx.db.insert(CrmActivity, row) };
  updateCounters(ctx, CrmActivity, undefined, activity);
  record(ctx, 'create', activity, 'created');
  return activity;
}

/** Completes, reschedules, reassigns (M-25) an activity that was locked in the same transaction. */
export async function updateActivity(
  ctx: Context,
  activity: CrmActivity,
  update: ActivityUpdate,
): Promise<CrmActivity> {
  const wanted = defined(update);
  const completed_at = wanted.completed ? (activity.completed_at ?? ctx.now) : null;
  const set = differing(activity, { ...wanted, ...(wanted.completed !== undefined && { completed_at }) });
  if (Object.keys(set).length === 0) return activity;
  await checkReferences(ctx, set);
  const stored = { ...set, updated_at: ctx.now };
  const after = { ...activity, ...stored };
  await ctx.db.update(CrmActivity, { activity_id: activity.activity_id }, stored);
  updateCounters(ctx, CrmActivity, activity, after);
  if (after.completed && !activity.completed) announceCompleted(ctx, after);
  ctx.record({
    action: 'update',
    entity_type: 'crm_activity',
    entity_id: activity.activity_id,
    description: `CRM activity ${after.subject} updated`,
    changes: changesBetween(activity, { ...set }),
  });
  return after;
}

export async function deleteActivity(ctx: Context, activity: CrmActivity): Promise<void> {
  await ctx.db.update(CrmActivity, { activity_id: activity.activity_id }, { deleted_at: ctx.now });
  updateCounters(ctx, CrmActivity, activity, undefined);
  record(ctx, 'delete', activity, 'deleted');
}

const ActivityList = defineList({
  table: CrmActivity,
  columns: [
    'activity_id',
    'type',
    'subject',
    'description',
    'entity_type',
    'entity_id',
    'assigned_to',
    'due_date',
    'duration_minutes',
    'completed',
    'completed_at',
    'created_by',
    'created_at',
    'updated_at',
  ],
  counters: [ActivityCount],
  sorts: { created_at: by('created_at') },
});

function announceCompleted(ctx: Context, activity: CrmActivity): void {
  const { activity_id, type, subject, entity_type, entity_id, completed_at } = activity;
  ctx.emit(ActivityCompleted, {
    activity_id,
    type,
    subject,
    entity_type,
    entity_id,
    completed_at: completed_at ?? ctx.now,
  });
}

async function read(ctx: Context, activity_id: number, options: { lock: boolean }): Promise<CrmActivity> {
  const activity = await ctx.db.one(CrmActivity, { activity_id, deleted_at: null }, options);
  if (!activity) throw notFound('Activity');
  return activity;
}

function record(ctx: Context, action: 'create' | 'delete', activity: CrmActivity, what: string): void {
  const description = `CRM activity ${activity.subject} ${what}`;
  ctx.record({ action, entity_type: 'crm_activity', entity_id: activity.activity_id, description });
}
