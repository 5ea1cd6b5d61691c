// Activities and notes belong to what they are about: they are read with it, and go with it (C-19).
import { updateCounters, type Context } from '@keelson/core';
import { CrmActivity } from './activities/entities.ts';
import type { EntityType } from './entity-types.ts';
import { CrmNote } from './notes/entities.ts';
import { transactionOf } from './search/words.ts';

/** So many of a kind are shown with a record; their own lists have all. */
export const MOST_PARTS = 1000;

/** What was done, newest first. */
export function readActivities(ctx: Context, entity_type: EntityType, entity_id: number): Promise<CrmActivity[]> {
  const order = [
    ['created_at', 'DESC'],
    ['activity_id', 'DESC'],
  ] as const;
  return ctx.db.find(CrmActivity, { entity_type, entity_id, deleted_at: null }, { order, limit: MOST_PARTS });
}

/** Notes, pinned ones first, then newest first (P-11). */
export function readNotes(ctx: Context, entity_type: EntityType, entity_id: number): Promise<CrmNote[]> {
  const order = [
    ['is_pinned', 'DESC'],
    ['created_at', 'DESC'],
    ['note_id', 'DESC'],
  ] as const;
  return ctx.db.find(CrmNote, { entity_type, entity_id, deleted_at: null }, { order, limit: MOST_PARTS });
}

/** Deletes both with the record they are about, which is locked in the same transaction. */
export async function removeParts(ctx: Context, entity_type: EntityType, entity_id: number): Promise<void> {
  const tx = transactionOf(ctx);
  const alive = { entity_type, entity_id, deleted_at: null };
  const activities = await tx.find(CrmActivity, alive, { lock: true });
  const notes = await tx.find(CrmNote, alive, { lock: true });
  if (activities.length > 0) await tx.update(CrmActivity, alive, { deleted_at: ctx.now });
  if (notes.length > 0) await tx.update(CrmNote, alive, { deleted_at: ctx.now });
  for (const each of activities) updateCounters(ctx, CrmActivity, each, undefined);
  for (const each of notes) updateCounters(ctx, CrmNote, each, undefined);
}
