import { choice, flag, id, int, ref, table, text, when, type Row } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';
import { entityTypes } from '../entity-types.ts';

export const activityTypes = ['call', 'email', 'meeting', 'task', 'note'] as const;
export type ActivityType = (typeof activityTypes)[number];

/** A completed or planned activity for a CRM entity. `entity_id` is a key of the table that `entity_type` names. */
export const CrmActivity = table(
  'crm_activity',
  {
    activity_id: id(),
    type: choice(...activityTypes),
    subject: text(255),
    description: text().default(''),
    entity_type: choice(...entityTypes),
    entity_id: int(),
    assigned_to: ref(Technician).nullable(),
    due_date: when().nullable(),
    duration_minutes: int().nullable(),
    completed: flag().default(false),
    completed_at: when().nullable(),
    created_by: text(255),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['created_at', 'activity_id', 'deleted_at'],
    ['entity_type', 'entity_id', 'created_at', 'activity_id', 'deleted_at'],
    ['entity_type', 'created_at', 'activity_id', 'deleted_at'],
    ['type', 'created_at', 'activity_id', 'deleted_at'],
    ['assigned_to', 'created_at', 'activity_id', 'deleted_at'],
    ['completed', 'created_at', 'activity_id', 'deleted_at'],
    ['completed', 'due_date', 'activity_id', 'deleted_at'],
    ['due_date', 'activity_id', 'deleted_at'],
  ],
);
export type CrmActivity = Row<typeof CrmActivity>;
