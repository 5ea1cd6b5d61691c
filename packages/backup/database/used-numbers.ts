// Numbers that are never reused: the ids of rows, and the sequences of tickets and the like. A restore raises them to
// their previous values, because mails and notes refer to them.
import type { DatabaseSync } from 'node:sqlite';
import { inFile, onServer } from './past-the-pool.ts';
import type { Columns, Place } from './snapshot.ts';

/** The next number, by table or by sequence. */
export type Next = Readonly<Record<string, number>>;

/** The numbers to raise. */
export interface Numbers {
  readonly ids: Next;
  readonly sequences: Next;
}

/** Returns the next id of each auto-increment table. */
export async function nextIds(place: Place, tables: readonly Columns[]): Promise<Next> {
  if ('file' in place) return inFile(place.file, (database) => idsOfFile(database));
  return onServer(place.url, async (ask) => {
    const next: [string, number][] = [];
    for (const { table } of tables) {
      // The server's cached statistics may be a day old.
      const [row] = await ask(`SHOW CREATE TABLE \`${table}\``);
      const found = / AUTO_INCREMENT=(\d+)/.exec(String(row?.['Create Table']));
      if (found) next.push([table, Number(found[1])]);
    }
    return Object.fromEntries(next);
  });
}

/** Returns the ids and sequences of a database that is about to be replaced; sequences are in a table of that name. */
export async function numbersOf(place: Place, tables: readonly Columns[], sequences: string): Promise<Numbers> {
  const ids = await nextIds(place, tables);
  const read = `SELECT name, next FROM ${sequences}`;
  const rows =
    'file' in place
      ? inFile(place.file, (database) => database.prepare(read).all())
      : await onServer(place.url, (ask) => ask(read));
  return { ids, sequences: Object.fromEntries(rows.map((row) => [String(row['name']), Number(row['next'])])) };
}

/** Returns the higher of both, by name. */
export function higher(a: Next, b: Next): Next {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...names].map((name) => [name, Math.max(a[name] ?? 0, b[name] ?? 0)]));
}

/** Ensures that no lower number is issued. Numbers that are already higher stay. */
export async function raiseNumbers(place: Place, { ids, sequences }: Numbers, table: string): Promise<void> {
  const raise = `UPDATE ${table} SET next = ? WHERE name = ? AND next < ?`;
  const add = `INTO ${table} (name, next) VALUES (?, ?)`;
  if ('file' in place) {
    return inFile(place.file, (database) => {
      const known = idsOfFile(database);
      for (const [name, next] of Object.entries(ids)) {
        if ((known[name] ?? 0) >= next) continue;
        database.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(name);
        database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(name, next - 1);
      }
      for (const [name, next] of Object.entries(sequences)) {
        database.prepare(`INSERT OR IGNORE ${add}`).run(name, next);
        database.prepare(raise).run(next, name, next);
      }
    });
  }
  return onServer(place.url, async (ask) => {
    // The server keeps a higher value.
    for (const [name, next] of Object.entries(ids)) await ask(`ALTER TABLE \`${name}\` AUTO_INCREMENT = ${next}`);
    for (const [name, next] of Object.entries(sequences)) {
      await ask(`INSERT IGNORE ${add}`, [name, next]);
      await ask(raise, [next, name, next]);
    }
  });
}

function idsOfFile(database: DatabaseSync): Next {
  const rows = database.prepare('SELECT name, seq FROM sqlite_sequence').all();
  return Object.fromEntries(rows.map(({ name, seq }) => [String(name), Number(seq) + 1]));
}
