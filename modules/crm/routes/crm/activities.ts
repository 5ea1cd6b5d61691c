import { created, crm, findOr404, input, item, list, lock, nothing, remove, showOne, z } from '@keelson/core';
import {
  Activities,
  NamedActivityView,
  createActivity,
  listActivities,
  updateActivity,
} from '../../activities/activities.ts';
import { entityTypes } from '../../entity-types.ts';
import { ReadActivities, WriteActivities } from '../../permissions.ts';
import { activityFields } from './fields.ts';

export default [
  crm.get('/activities', {
    title: 'List activities',
    access: ReadActivities,
    query: crm.paging(NamedActivityView.query),
    returns: list(NamedActivityView),
    handle: (ctx, { query }) => listActivities(ctx, query),
  }),
  crm.post('/activities', {
    title: 'Log activity',
    access: WriteActivities,
    body: z.object({ ...activityFields, entity_type: input.choice(entityTypes), entity_id: input.id() }),
    returns: created(NamedActivityView),
    handle: (ctx, { body }) => showOne(ctx, NamedActivityView, createActivity(ctx, body)),
  }),
  crm.get('/activities/{id}', {
    title: 'Read an activity',
    access: ReadActivities,
    returns: item(NamedActivityView),
    load: (ctx, { id }) => findOr404(ctx, Activities, id),
    handle: (ctx, { item: activity }) => showOne(ctx, NamedActivityView, activity),
  }),
  crm.put('/activities/{id}', {
    title: 'Complete or change an activity',
    access: WriteActivities,
    body: input.changes({ ...activityFields, completed: input.flag() }),
    returns: item(NamedActivityView),
    load: (ctx, { id }) => lock(ctx, Activities, id),
    handle: (ctx, { item: activity, body }) => showOne(ctx, NamedActivityView, updateActivity(ctx, activity, body)),
  }),
  crm.delete('/activities/{id}', {
    title: 'Delete an activity',
    access: WriteActivities,
    returns: nothing('activity_id'),
    load: (ctx, { id }) => lock(ctx, Activities, id),
    handle: (ctx, { item: activity }) => remove(ctx, Activities, activity),
  }),
];
