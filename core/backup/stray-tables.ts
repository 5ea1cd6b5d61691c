// Tables that nobody here declares, because their plugin is absent or left out: they are backed up as they were made, and
// restored into a database of the same kind.
import { DatabaseSync } from 'node:sqlite';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { readUrl } from '../database/mysql-server.ts';
import type { Columns, Place } from './snapshot.ts';

export type Kind = 'sqlite' | 'mysql';

/** A table, and the statements that make it anew. */
export interface StrayTable extends Columns {
  readonly kind: Kind;
  readonly made: readonly string[];
}

export interface Strays {
  readonly tables: readonly StrayTable[];
  /** Tables with bytes that are no text: they cannot be told in a backup. */
  readonly untold: readonly string[];
}

/** What the migrations note for themselves; a restore runs them anew. */
const OWN_TABLES: ReadonlySet<string> = new Set(['migration']);

/** The tables of a database besides the `known` ones. */
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
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  const ask = (sql: string, ...params: string[]) =>
    database.prepare(sql).all(...params) as Readonly<Record<string, string | number>>[];
  try {
    return ask(`SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'`)
      .filter(({ name }) => !known.has(String(name)))
      .map(({ name = '', sql = '' }) => {
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
          told: columns.every(({ type }) => !/blob|^$/i.test(String(type))),
        };
      });
  } finally {
    database.close();
  }
}

async function ofServer(url: string, known: ReadonlySet<string>): Promise<Found[]> {
  const connection = await createConnection({ ...readUrl(url), charset: 'utf8mb4_unicode_ci' });
  const ask = async (sql: string, params: string[] = []) =>
    (await connection.query<RowDataPacket[]>(sql, params))[0] as Readonly<Record<string, string>>[];
  try {
    const tables = await ask(`SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE'`);
    const found: Found[] = [];
    for (const { name: table = '' } of tables.filter(({ name }) => !known.has(name ?? ''))) {
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
      const stored = columns.filter(({ extra }) => !/generated/i.test(extra ?? ''));
      found.push({
        ...columnsOf(table, stored.map(nameOf), keys.map(nameOf)),
        kind: 'mysql',
        made: [made?.['Create Table'] ?? ''],
        told: columns.every(({ type }) => !/blob|binary|bit|geometry|point|polygon|linestring/i.test(type ?? '')),
      });
    }
    return found;
  } finally {
    await connection.end();
  }
}

const nameOf = ({ name }: Readonly<Record<string, string | number>>): string => String(name);

/** Rows are compared in the order of the key, or else of all columns. */
const columnsOf = (table: string, columns: readonly string[], keys: readonly string[]): Columns => ({
  table,
  columns,
  primary: keys.length > 0 ? keys : columns,
});

/** The migrations that a database has noted besides these, whole or in part. */
export async function appliedBesides(place: Place, migrations: readonly string[]): Promise<string[]> {
  const ours = new Set(migrations);
  const names = 'file' in place ? notedInFile(place.file) : await notedOnServer(place.url);
  return names.filter((each) => !ours.has(each));
}

function notedInFile(file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
  try {
    const journal = database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'migration'`).get();
    if (!journal) return [];
    const rows = database.prepare('SELECT name FROM migration ORDER BY name').all();
    return rows.map(({ name }) => String(name));
  } finally {
    database.close();
  }
}

async function notedOnServer(url: string): Promise<string[]> {
  const connection = await createConnection({ ...readUrl(url), charset: 'utf8mb4_unicode_ci' });
  try {
    const [journal] = await connection.query<RowDataPacket[]>(`SHOW TABLES LIKE 'migration'`);
    if (journal.length === 0) return [];
    const [rows] = await connection.query<RowDataPacket[]>('SELECT name FROM migration ORDER BY name');
    return rows.map(({ name }) => String(name));
  } finally {
    await connection.end();
  }
}
