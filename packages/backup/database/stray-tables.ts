// Tables that no installed plugin declares: they are backed up with their definitions, and restored into a database of
// the same kind.
import type { DatabaseSync } from 'node:sqlite';
import { inFile, onServer } from './past-the-pool.ts';
import type { Columns, Place } from './snapshot.ts';

export type Kind = 'sqlite' | 'mysql';

/** A table, and the statements that create it. */
export interface StrayTable extends Columns {
  readonly kind: Kind;
  readonly made: readonly string[];
}

export interface Strays {
  readonly tables: readonly StrayTable[];
  /** Tables with binary columns, which a backup cannot contain. */
  readonly untold: readonly string[];
}

/** The bookkeeping of migrations; a restore runs them again. */
const OWN_TABLES: ReadonlySet<string> = new Set(['migration']);

/** Returns the tables of a database besides the `known` ones. */
export async function strayTables(place: Place, known: readonly string[]): Promise<Strays> {
  const declared = new Set([...known, ...OWN_TABLES]);
  const all = 'file' in place ? ofFile(place.file, declared) : await ofServer(place.url, declared);
  return {
    tables: all
      .filter(({ told }) => told)
      .map(({ table, columns, primary, kind, made }) => ({ table, columns, primary, kind, made })),
    untold: all.filter(({ told }) => !told).map(({ table }) => table),
  };
}

type Found = StrayTable & { readonly told: boolean };

function ofFile(file: string, known: ReadonlySet<string>): Found[] {
  return inFile(file, (database) => {
    const ask = (sql: string, ...params: string[]) => database.prepare(sql).all(...params);
    return ask(`SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'`)
      .filter(({ name }) => !known.has(String(name)))
      .map(({ name, sql }) => {
        const table = String(name);
        const columns = ask('SELECT name, type, pk FROM pragma_table_info(?)', table);
        const keys = columns.filter(({ pk }) => Number(pk) > 0).toSorted((a, b) => Number(a['pk']) - Number(b['pk']));
        const indexes = ask(
          `SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL`,
          table,
        );
        return {
          ...columnsOf(table, columns.map(nameOf), keys.map(nameOf)),
          kind: 'sqlite' as const,
          made: [String(sql), ...indexes.map((each) => String(each['sql']))],
          told: columns.every(({ type }) => !/blob|^$/i.test(String(type))) && !hasBinary(database, table, columns),
        };
      });
  });
}

/** SQLite stores binary values in columns of any type. */
function hasBinary(database: DatabaseSync, table: string, columns: readonly Readonly<Record<string, unknown>>[]) {
  const name = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const some = columns.map((each) => `typeof(${name(nameOf(each))}) = 'blob'`).join(' OR ');
  return database.prepare(`SELECT 1 FROM ${name(table)} WHERE ${some} LIMIT 1`).get() !== undefined;
}

function ofServer(url: string, known: ReadonlySet<string>): Promise<Found[]> {
  return onServer(url, async (ask) => {
    const tables = await ask(`SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'`);
    const found: Found[] = [];
    for (const table of tables.map(nameOf).filter((each) => !known.has(each))) {
      const columns = await ask(
        `SELECT column_name AS name, data_type AS type, extra AS extra FROM information_schema.columns
          WHERE table_schema = DATABASE() AND table_name = ? ORDER BY ordinal_position`,
        [table],
      );
      const keys = await ask(
        `SELECT column_name AS name FROM information_schema.key_column_usage
          WHERE table_schema = DATABASE() AND table_name = ? AND constraint_name = 'PRIMARY' ORDER BY ordinal_position`,
        [table],
      );
      const [made] = await ask(`SHOW CREATE TABLE \`${table}\``);
      const stored = columns.filter(({ extra }) => !/generated/i.test(String(extra)));
      found.push({
        ...columnsOf(table, stored.map(nameOf), keys.map(nameOf)),
        kind: 'mysql',
        made: [String(made?.['Create Table'])],
        told: columns.every(({ type }) => !/blob|binary|bit|geometry|point|polygon|linestring/i.test(String(type))),
      });
    }
    return found;
  });
}

const nameOf = ({ name }: Readonly<Record<string, unknown>>): string => String(name);

/** Orders rows by the primary key, or by all columns without one. */
const columnsOf = (table: string, columns: readonly string[], keys: readonly string[]): Columns => ({
  table,
  columns,
  primary: keys.length > 0 ? keys : columns,
});

/** Returns the migrations recorded in a database besides these, applied in whole or in part. */
export async function appliedBesides(place: Place, migrations: readonly string[]): Promise<string[]> {
  const ours = new Set(migrations);
  const noted = 'SELECT name FROM migration ORDER BY name';
  const rows =
    'file' in place
      ? inFile(place.file, (database) =>
          database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'migration'`).get()
            ? database.prepare(noted).all()
            : [],
        )
      : await onServer(place.url, async (ask) =>
          (await ask(`SHOW TABLES LIKE 'migration'`)).length > 0 ? ask(noted) : [],
        );
  return rows.map(nameOf).filter((each) => !ours.has(each));
}
