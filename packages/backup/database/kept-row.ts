// A named row that belongs to the place of a database, not to its contents: a restore leaves it as it was.
import { inFile, onServer } from './past-the-pool.ts';
import type { Place } from './snapshot.ts';

/** A row of a table with the columns `name`, `value` and `updated_at`. */
export interface NamedRow {
  readonly value: string;
  readonly updated_at: string;
}

/** Returns the row of this name; undefined if there is none. */
export async function rowNamed(place: Place, table: string, name: string): Promise<NamedRow | undefined> {
  const read = `SELECT CAST(value AS CHAR) AS value, CAST(updated_at AS CHAR) AS updated_at FROM ${table} WHERE name = ?`;
  const row =
    'file' in place
      ? inFile(place.file, (database) => database.prepare(read).get(name))
      : (await onServer(place.url, (ask) => ask(read, [name])))[0];
  return row && { value: String(row['value']), updated_at: String(row['updated_at']) };
}

/** Replaces the row of this name, or removes it. */
export async function putRow(place: Place, table: string, name: string, row: NamedRow | undefined): Promise<void> {
  const remove = `DELETE FROM ${table} WHERE name = ?`;
  const add = `INSERT INTO ${table} (name, value, updated_at) VALUES (?, ?, ?)`;
  const values = row && [name, row.value, row.updated_at];
  if ('file' in place) {
    return inFile(place.file, (database) => {
      database.prepare(remove).run(name);
      if (values) database.prepare(add).run(...values);
    });
  }
  return onServer(place.url, async (ask) => {
    await ask(remove, [name]);
    if (values) await ask(add, values);
  });
}
