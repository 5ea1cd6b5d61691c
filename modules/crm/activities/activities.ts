// Activities: completed and planned calls, mails, meetings and tasks.
import {
  addDays,
  by,
  change,
  create,
  is,
  pageOf,
  param,
  record,
  sql,
  toDatabase,
  today,
  view,
  z,
  type Context,
  type Given,
  type Wanted,
} from '@keelson/core';
import type { Filter } from '@keelson/core/list';
import { startOfDay } from '@keelson/core/plugin';
import type { AskedOf } from '@keelson/core/record';
import { entityTypes, requireEntityType } from '../entity-types.ts';
import { ActivityCompleted } from '../events.ts';
import { checkReferences, entityOf, lockEntity } from '../references.ts';
import { activityTypes, CrmActivity } from './entities.ts';
import { readEntityNames } from './entity-names.ts';

const dueTimes = ['overdue', 'today', 'week', 'set', 'none'] as const;

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
    due: its.by(param.choice(dueTimes), dueWithin),
    due_after: its.since('due_date'),
    due_before: its.until('due_date'),
  }),
  sorts: { created_at: by('created_at'), due_date: by('due_date') },
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

function dueWithin(ctx: Context, due: (typeof dueTimes)[number]): Filter {
  const day = today(ctx);
  const until = (days: number) => {
    const [from, to] = [startOfDay(ctx, day), startOfDay(ctx, addDays(day, days))].map(toDatabase);
    return sql`crm_activity.due_date >= ${from} AND crm_activity.due_date < ${to}`;
  };
  switch (due) {
    case 'overdue':
      return sql`crm_activity.due_date < ${toDatabase(ctx.now)} AND crm_activity.completed = 0`;
    case 'today':
      return until(1);
    case 'week':
      return until(7);
    case 'set':
      return sql`crm_activity.due_date IS NOT NULL`;
    case 'none':
      return is('due_date', null);
  }
}

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
