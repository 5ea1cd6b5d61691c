// Activities: completed and planned calls, mails, meetings and tasks.
import {
  by,
  change,
  create,
  pageOf,
  param,
  record,
  view,
  z,
  type Context,
  type Given,
  type Wanted,
} from '@keelson/core';
import type { AskedOf } from '@keelson/core/record';
import { entityTypes, requireEntityType } from '../entity-types.ts';
import { ActivityCompleted } from '../events.ts';
import { checkReferences, entityOf, lockEntity } from '../references.ts';
import { activityTypes, CrmActivity } from './entities.ts';
import { readEntityNames } from './entity-names.ts';

export const Activities = record(CrmActivity, {
  title: 'Activity',
  logTitle: 'CRM activity',
  call: ({ subject }) => subject,
  filters: (its) => ({
    type: its.is('type', param.choice(activityTypes)),
    entity_type: its.is('entity_type', param.choice(entityTypes)),
    entity_id: its.is('entity_id', param.id()),
    assigned_to: its.is('assigned_to'),
    completed: its.is('completed'),
  }),
  sorts: { created_at: by('created_at') },
  follow: (ctx, _before, { completed }) =>
    completed === undefined ? {} : { completed_at: completed ? ctx.now : null },
  partOf: entityOf,
  async prepare(ctx, after, before) {
    if (!before) await lockEntity(ctx, after.entity_type, after.entity_id);
    await checkReferences(ctx, { assigned_to: after.assigned_to }, before);
  },
  changed(ctx, changes) {
    for (const { before, after } of changes)
      if (after.completed && !before.completed)
        ctx.emit(ActivityCompleted, { ...after, completed_at: after.completed_at ?? ctx.now });
  },
});

/** An activity within its record. */
export const ActivityView = view(Activities);

/** An activity with the name of its record, or null if the caller may not read the record. */
export const NamedActivityView = view(Activities, {
  more: (its) => ({ entity_name: its.lookup(z.string().nullable(), 'activity_id', readEntityNames, null) }),
});

export type NewActivity = Omit<Given<typeof Activities>, 'completed' | 'completed_at' | 'created_by'>;

export function createActivity(ctx: Context, given: NewActivity): Promise<CrmActivity> {
  return create(ctx, Activities, { ...given, created_by: ctx.author.name });
}

/** Completes, reschedules or reassigns an activity (M-25) that was locked in the same transaction. */
export function updateActivity(
  ctx: Context,
  activity: CrmActivity,
  update: Wanted<typeof Activities>,
): Promise<CrmActivity> {
  return change(ctx, Activities, activity, update);
}

export function listActivities(ctx: Context, asked: AskedOf<typeof NamedActivityView>) {
  requireEntityType(asked);
  return pageOf(ctx, NamedActivityView, asked);
}
