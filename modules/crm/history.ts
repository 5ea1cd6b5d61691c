// The activities and notes of an entity: read with it, and deleted with it (C-19).
import { announceChange, IsNull, z, type Context } from '@keelson/core';
import { updateCounters } from '@keelson/core/list';
import { ActivityView } from './activities/activities.ts';
import { CrmActivity } from './activities/entities.ts';
import type { EntityType } from './entity-types.ts';
import { CrmNote } from './notes/entities.ts';
import { NoteView } from './notes/notes.ts';

/** Maximum activities and notes in an entity's detail; their own lists have all. */
export const DETAIL_LIMIT = 1000;

export const ActivityHistory = z.array(ActivityView.shape);
export const NoteHistory = z.array(NoteView.shape);

/** Returns the activities of an entity, newest first. */
export function readActivities({ db }: Context, entity_type: EntityType, entity_id: number): Promise<CrmActivity[]> {
  const order = { created_at: 'DESC', activity_id: 'DESC' } as const;
  return db.find(CrmActivity, { where: { entity_type, entity_id, deleted_at: IsNull() }, order, take: DETAIL_LIMIT });
}

/** Returns the notes of an entity: pinned first, then newest first (P-11). */
export function readNotes({ db }: Context, entity_type: EntityType, entity_id: number): Promise<CrmNote[]> {
  const order = { is_pinned: 'DESC', created_at: 'DESC', note_id: 'DESC' } as const;
  return db.find(CrmNote, { where: { entity_type, entity_id, deleted_at: IsNull() }, order, take: DETAIL_LIMIT });
}

/**
 * Deletes both with their entity, which is locked in the same transaction. Writes the rows directly: one log entry
 * covers all.
 */
export async function deleteHistory(ctx: Context, entity_type: EntityType, entity_id: number): Promise<void> {
  const { db, now } = ctx;
  const alive = { entity_type, entity_id, deleted_at: IsNull() };
  const activities = await db.find(CrmActivity, { where: alive, lock: { mode: 'pessimistic_write' } });
  const notes = await db.find(CrmNote, { where: alive, lock: { mode: 'pessimistic_write' } });
  if (activities.length > 0) await db.update(CrmActivity, alive, { deleted_at: now });
  if (notes.length > 0) await db.update(CrmNote, alive, { deleted_at: now });
  for (const each of activities) {
    updateCounters(ctx, CrmActivity, each, undefined);
    announceChange(ctx, { of: CrmActivity, row: each, kind: 'removed' });
  }
  for (const each of notes) {
    updateCounters(ctx, CrmNote, each, undefined);
    announceChange(ctx, { of: CrmNote, row: each, kind: 'removed' });
  }
}
