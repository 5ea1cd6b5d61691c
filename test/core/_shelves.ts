// Entities as a plugin may declare them: tables with relations, and TypeORM schemas.
import { EntitySchema } from 'typeorm';
import { z } from 'zod';
import { toMany, toOne } from '../../packages/database/schema/relation.ts';
import {
  big,
  choice,
  day,
  flag,
  id,
  int,
  json,
  key,
  ref,
  table,
  text,
  when,
} from '../../packages/database/schema/table.ts';

export const Shelf = table('acme_shelf', { shelf_id: id(), code: key(40).unique() }, [], {
  relations: { boxes: toMany<{ box_id: number; label: string }>('acme_box', 'shelf') },
});
export const Box = table(
  'acme_box',
  {
    box_id: id(),
    shelf_id: ref(Shelf),
    spare_id: ref(Shelf).nullable(),
    label: text(50),
    notes: text().default('none'),
    state: choice('open', 'shut').default('open'),
    size: big().default(0),
    count: int().default(7),
    heavy: flag().default(true),
    tags: json(z.array(z.string())).default([]),
    packed_at: when(),
    sent_at: when().nullable(),
    due_on: day().nullable(),
  },
  [['packed_at']],
  { relations: { shelf: toOne(Shelf, 'shelf_id'), spare: toOne(Shelf, 'spare_id') } },
);

interface Note {
  note_id: number;
  title: string;
  written_at: Date;
  facts: { colour: string } | null;
  created_at?: Date;
  updated_at?: Date;
  version?: number;
  labels?: Label[];
}
interface Label {
  label_id: number;
  word: string;
}
export const Label = new EntitySchema<Label>({
  name: 'acme_label',
  columns: {
    label_id: { type: 'integer', primary: true, generated: 'increment' },
    word: { type: 'varchar', length: 40 },
  },
  uniques: [{ columns: ['word'], name: 'uq_acme_label_word' }],
});
export const Note = new EntitySchema<Note>({
  name: 'acme_note',
  columns: {
    note_id: { type: 'integer', primary: true, generated: 'increment' },
    title: { type: 'varchar', length: 80 },
    written_at: { type: 'datetime', precision: 3 },
    facts: { type: 'simple-json', nullable: true },
    created_at: { type: 'datetime', createDate: true },
    updated_at: { type: 'datetime', updateDate: true },
    version: { type: 'integer', version: true },
  },
  relations: { labels: { type: 'many-to-many', target: 'acme_label', joinTable: { name: 'acme_note_label' } } },
});
export const entities = [Shelf, Box, Label, Note];
