import { created, crm, input, item, list, nothing, param, z } from '@keelson/core';
import { entityTypes } from '../../entity-types.ts';
import { createNote, deleteNote, listNotes, lockNote, updateNote } from '../../notes/notes.ts';
import { ReadActivities, WriteActivities } from '../../permissions.ts';
import { NoteShape } from '../../shapes.ts';

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
    returns: created(NoteShape),
    handle: (ctx, { body }) => createNote(ctx, body),
  }),
  crm.get('/notes', {
    title: 'List notes',
    access: ReadActivities,
    query: crm.paging({ entity_type: param.choice(entityTypes), entity_id: param.id() }),
    returns: list(NoteShape),
    handle: (ctx, { query }) => listNotes(ctx, query),
  }),
  crm.put('/notes/{id}', {
    title: 'Update a note',
    access: WriteActivities,
    body: input.changes({ content: input.longText(), is_pinned: input.flag() }),
    returns: item(NoteShape),
    load: (ctx, { id }) => lockNote(ctx, id),
    handle: (ctx, { item: note, body }) => updateNote(ctx, note, body),
  }),
  crm.delete('/notes/{id}', {
    title: 'Delete a note',
    access: WriteActivities,
    returns: nothing('note_id'),
    load: (ctx, { id }) => lockNote(ctx, id),
    handle: (ctx, { item: note }) => deleteNote(ctx, note),
  }),
];
