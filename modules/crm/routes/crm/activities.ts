import { created, crm, input, item, list, nothing, param, z } from '@keelson/core';
import {
  createActivity,
  deleteActivity,
  findActivity,
  listActivities,
  lockActivity,
  updateActivity,
} from '../../activities/activities.ts';
import { activityTypes } from '../../activities/entities.ts';
import { entityTypes } from '../../entity-types.ts';
import { ReadActivities, WriteActivities } from '../../permissions.ts';
import { ActivityShape } from '../../shapes.ts';
import { activityFields } from './fields.ts';

export default [
  crm.get('/activities', {
    title: 'List activities',
    access: ReadActivities,
    query: crm.paging({
      type: param.choice(activityTypes),
      entity_type: param.choice(entityTypes),
      entity_id: param.id(),
      assigned_to: param.id(),
      completed: param.flag(),
    }),
    returns: list(ActivityShape),
    handle: (ctx, { query: { type, entity_type, entity_id, assigned_to, completed, page, size } }) =>
      listActivities(ctx, { type, entity_type, entity_id, assigned_to, completed, page, size }),
  }),
  crm.post('/activities', {
    title: 'Log an activity',
    access: WriteActivities,
    body: z.object({ ...activityFields, entity_type: input.choice(entityTypes), entity_id: input.id() }),
    returns: created(ActivityShape),
    handle: (ctx, { body }) => createActivity(ctx, body),
  }),
  crm.get('/activities/{id}', {
    title: 'Read an activity',
    access: ReadActivities,
    returns: item(ActivityShape),
    load: (ctx, { id }) => findActivity(ctx, id),
    handle: (_ctx, { item: activity }) => activity,
  }),
  crm.put('/activities/{id}', {
    title: 'Complete or change an activity',
    access: WriteActivities,
    body: input.changes({ ...activityFields, completed: input.flag() }),
    returns: item(ActivityShape),
    load: (ctx, { id }) => lockActivity(ctx, id),
    handle: (ctx, { item: activity, body }) => updateActivity(ctx, activity, body),
  }),
  crm.delete('/activities/{id}', {
    title: 'Delete an activity',
    access: WriteActivities,
    returns: nothing('activity_id'),
    load: (ctx, { id }) => lockActivity(ctx, id),
    handle: (ctx, { item: activity }) => deleteActivity(ctx, activity),
  }),
];
