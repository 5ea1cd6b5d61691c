// Notes on CRM entities.
import { by, create, pageOf, param, record, view, type Context, type Given } from '@keelson/core';
import type { AskedOf } from '@keelson/core/record';
import { entityTypes, requireEntityType } from '../entity-types.ts';
import { entityOf, lockEntity } from '../references.ts';
import { CrmNote } from './entities.ts';

export const Notes = record(CrmNote, {
  title: 'Note',
  call: ({ entity_type, entity_id }) => `on ${entity_type} ${entity_id}`,
  filters: (its) => ({
    entity_type: its.is('entity_type', param.choice(entityTypes)),
    entity_id: its.is('entity_id', param.id()),
  }),
  sorts: { created_at: by('created_at'), pinned: by('is_pinned', 'created_at') },
  partOf: entityOf,
  async prepare(ctx, { entity_type, entity_id }, before) {
    if (!before) await lockEntity(ctx, entity_type, entity_id);
  },
});

export const NoteView = view(Notes);

export type NewNote = Omit<Given<typeof Notes>, 'created_by'>;

export function createNote(ctx: Context, given: NewNote): Promise<CrmNote> {
  return create(ctx, Notes, { ...given, created_by: ctx.author.name });
}

/** Lists notes: those of an entity or type with pinned ones first (P-11), or all notes, newest first (C-22). */
export function listNotes(ctx: Context, asked: AskedOf<typeof NoteView>) {
  requireEntityType(asked);
  return pageOf(ctx, NoteView, { ...asked, sort: asked.entity_type ? 'pinned' : 'created_at' });
}
