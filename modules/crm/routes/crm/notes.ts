import { change, created, crm, input, item, list, lock, nothing, remove, showOne, z } from '@keelson/core';
import { entityTypes } from '../../entity-types.ts';
import { createNote, listNotes, Notes, NoteView } from '../../notes/notes.ts';
import { ReadActivities, WriteActivities } from '../../permissions.ts';

const { entity_type, entity_id } = NoteView.query;

export default [
  crm.post('/notes', {
    title: 'Write a note',
    access: WriteActivities,
    body: z.object({
      entity_type: input.choice(entityTypes),
      entity_id: input.id(),
      content: input.longText(),
      is_pinned: input.optional(input.flag()),
    }),
    returns: created(NoteView),
    handle: (ctx, { body }) => showOne(ctx, NoteView, createNote(ctx, body)),
  }),
  crm.get('/notes', {
    title: 'List notes',
    access: ReadActivities,
    query: crm.paging({ entity_type, entity_id }),
    returns: list(NoteView),
    handle: (ctx, { query }) => listNotes(ctx, query),
  }),
  crm.put('/notes/{id}', {
    title: 'Update a note',
    access: WriteActivities,
    body: input.changes({ content: input.longText(), is_pinned: input.flag() }),
    returns: item(NoteView),
    load: (ctx, { id }) => lock(ctx, Notes, id),
    handle: (ctx, { item: note, body }) => showOne(ctx, NoteView, change(ctx, Notes, note, body)),
  }),
  crm.delete('/notes/{id}', {
    title: 'Delete a note',
    access: WriteActivities,
    returns: nothing('note_id'),
    load: (ctx, { id }) => lock(ctx, Notes, id),
    handle: (ctx, { item: note }) => remove(ctx, Notes, note),
  }),
];
