// Runs in its own process with a time zone (workers have none): stored and read values must not depend on it. Where
// clocks go forward, 02:30 does not exist on one day of the year: code that parses it as local time gets 03:30.
import { MoreThan } from 'typeorm';
import { openTestDatabase } from '../../packages/testing/database.ts';
import { Box, entities, Note, Shelf } from './_shelves.ts';

const early = '2026-03-29T02:30:00.123Z';
const later = '2026-03-29T03:30:00.123Z';

const database = await openTestDatabase(entities);
const stored = async (column: string, table: string) =>
  (await database.manager().query(`SELECT ${column} AS at FROM ${table}`))[0].at;
try {
  const shelf_id = await database.insertReturningId(Shelf, { code: 's' });
  const save = (row: object) => database.transaction((tx) => tx.manager().getRepository(Box).save(row));
  const write = (row: object) => database.transaction((tx) => tx.manager().getRepository(Note).save(row));
  const boxes = database.manager().getRepository(Box);
  const notes = database.manager().getRepository(Note);

  await save({ shelf_id, label: 'a', packed_at: early });
  const saved = await stored('packed_at', 'acme_box');
  await save({ box_id: 1, packed_at: later });
  const changed = await stored('packed_at', 'acme_box');
  const found = [
    ...(await boxes.findBy({ packed_at: later })),
    ...(await boxes.findBy({ packed_at: MoreThan(early) })),
  ];

  await write({ title: 'n', written_at: new Date(early) });
  const note = await notes.findOneByOrFail({ written_at: new Date(early) });
  const written = await stored('written_at', 'acme_note');
  await write({ note_id: 1, written_at: new Date(later) });
  const told = {
    local: new Date('2026-07-01 12:00').toISOString(),
    saved,
    changed,
    found: found.map((each) => each.packed_at),
    created: Math.abs((note.created_at?.getTime() ?? 0) - Date.now()) < 60_000,
    note: [note.written_at.toISOString(), written, await stored('written_at', 'acme_note')],
  };
  process.stdout.write(JSON.stringify(told));
} finally {
  await database.close();
}
