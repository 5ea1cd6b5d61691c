import { choice, flag, id, int, table, text, when, type Row } from '@keelson/core';
import { entityTypes } from '../entity-types.ts';

export const CrmNote = table(
  'crm_note',
  {
    note_id: id(),
    entity_type: choice(...entityTypes),
    entity_id: int(),
    content: text(),
    is_pinned: flag().default(false),
    created_by: text(255),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['created_at', 'note_id', 'deleted_at'],
    ['entity_type', 'entity_id', 'is_pinned', 'created_at', 'note_id', 'deleted_at'],
    ['entity_type', 'is_pinned', 'created_at', 'note_id', 'deleted_at'],
  ],
);
export type CrmNote = Row<typeof CrmNote>;
