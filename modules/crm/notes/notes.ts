// Notes about an entity of the CRM.
import {
  by,
  changesBetween,
  defineList,
  invalid,
  is,
  notFound,
  readPage,
  updateCounters,
  type Context,
  type Filter,
} from '@keelson/core';
import { defined, differing } from '../change.ts';
import type { EntityType } from '../entity-types.ts';
import { CrmNote, NoteCount } from './entities.ts';
import { holdEntity } from '../kinds.ts';

export interface NewNote {
  readonly entity_type: EntityType;
  readonly entity_id: number;
  readonly content: string;
  readonly is_pinned?: boolean | undefined;
}
export type NoteUpdate = { readonly content?: string | undefined; readonly is_pinned?: boolean | undefined };

export interface NotesAsked {
  readonly entity_type?: EntityType | undefined;
  readonly entity_id?: number | undefined;
  readonly page: number;
  readonly size: number;
}

/**
 * A page of notes: of an entity, or a type of entity, pinned ones first (P-11); of all, newest first (C-22).
 * @throws invalid() for an entity_id without its type (C-21)
 */
export async function listNotes(ctx: Context, { entity_type, entity_id, page, size }: NotesAsked) {
  if (entity_id !== undefined && entity_type === undefined) throw invalid('entity_type is required with entity_id');
  const where: Filter[] = [];
  if (entity_type) where.push(is('entity_type', entity_type));
  if (entity_id) where.push(is('entity_id', entity_id));
  const sort = entity_type ? 'pinned' : 'created_at';
  return readPage(ctx.db, NoteList, { where, sort, direction: 'desc', page, size });
}

/** A note somebody is about to change. @throws notFound() when it is absent or deleted */
export async function lockNote(ctx: Context, note_id: number): Promise<CrmNote> {
  const note = await ctx.db.one(CrmNote, { note_id, deleted_at: null }, { lock: true });
  if (!note) throw notFound('Note');
  return note;
}

/** @throws invalid() when what it is about is absent (V-21) */
export async function createNote(ctx: Context, given: NewNote): Promise<CrmNote> {
  await holdEntity(ctx, given.entity_type, given.entity_id);
  const row = {
    entity_type: given.entity_type,
    entity_id: given.entity_id,
    content: given.content,
    is_pinned: given.is_pinned ?? false,
    created_by: ctx.author.name,
    created_at: ctx.now,
    updated_at: ctx.now,
    deleted_at: null,
  };
  const note: CrmNote = { ...row, note_id: await ctx.db.insert(CrmNote, row) };
  updateCounters(ctx, CrmNote, undefined, note);
  record(ctx, 'create', note, 'created');
  return note;
}

/** Changes a note that was locked in the same transaction. */
export async function updateNote(ctx: Context, note: CrmNote, update: NoteUpdate): Promise<CrmNote> {
  const set = differing(note, defined(update));
  if (Object.keys(set).length === 0) return note;
  const stored = { ...set, updated_at: ctx.now };
  const after = { ...note, ...stored };
  await ctx.db.update(CrmNote, { note_id: note.note_id }, stored);
  updateCounters(ctx, CrmNote, note, after);
  ctx.record({
    action: 'update',
    entity_type: 'crm_note',
    entity_id: note.note_id,
    description: `Note on ${note.entity_type} ${note.entity_id} updated`,
    changes: changesBetween(note, { ...set }),
  });
  return after;
}

export async function deleteNote(ctx: Context, note: CrmNote): Promise<void> {
  await ctx.db.update(CrmNote, { note_id: note.note_id }, { deleted_at: ctx.now });
  updateCounters(ctx, CrmNote, note, undefined);
  record(ctx, 'delete', note, 'deleted');
}

const NoteList = defineList({
  table: CrmNote,
  columns: ['note_id', 'entity_type', 'entity_id', 'content', 'is_pinned', 'created_by', 'created_at', 'updated_at'],
  counters: [NoteCount],
  sorts: { created_at: by('created_at'), pinned: by('is_pinned', 'created_at') },
});

function record(ctx: Context, action: 'create' | 'delete', note: CrmNote, what: string): void {
  const description = `Note on ${note.entity_type} ${note.entity_id} ${what}`;
  ctx.record({ action, entity_type: 'crm_note', entity_id: note.note_id, description });
}
