// Copies a whole database into an empty one of the same kind: tables, indexes, rows and the next ids.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { backup, DatabaseSync } from 'node:sqlite';
import { onServer, quoted, readUrl, withDatabase, type Ask } from './past-the-pool.ts';
import type { Place } from './snapshot.ts';

/** Pages per step, so that other work of the process is not delayed. */
const PAGES = 2000;

/** Copies a database, leaving it unchanged. The target must be empty and of the same kind. */
export async function copyDatabase(from: Place, to: Place): Promise<void> {
  if ('file' in from && 'file' in to) return copyFile(from.file, to.file);
  if ('url' in from && 'url' in to) return copySchema(readUrl(from.url).database ?? '', to.url);
  throw new Error('A database can only be copied to one of the same kind');
}

/** A temporary copy of a database in use. `remove` deletes it. */
export interface ScratchCopy {
  readonly place: Place;
  remove(): Promise<void>;
}

const SCRATCH = '_keelson_trial';

/** Copies a database in use to a new place on the same disk or server, table by table. */
export async function scratchCopy(from: Place): Promise<ScratchCopy> {
  const copy = 'file' in from ? scratchFile(from.file) : await scratchSchema(from.url);
  try {
    await copyDatabase(from, copy.place);
    return copy;
  } catch (error) {
    await copy.remove();
    throw error;
  }
}

function scratchFile(file: string): ScratchCopy {
  const place = { file: `${file}${SCRATCH}` };
  return {
    place,
    async remove() {
      for (const each of ['', '-wal', '-shm', '-journal']) await rm(place.file + each, { force: true });
    },
  };
}

async function scratchSchema(url: string): Promise<ScratchCopy> {
  const name = `${readUrl(url).database}${SCRATCH}`;
  const remove = () => onServer(url, async (ask) => void (await ask(`DROP DATABASE IF EXISTS ${quoted(name)}`)));
  await remove();
  const create = `CREATE DATABASE ${quoted(name)} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`;
  await onServer(url, (ask) => ask(create));
  return { place: { url: withDatabase(url, name) }, remove };
}

async function copyFile(from: string, to: string): Promise<void> {
  // Left over from an interrupted copy.
  if (existsSync(to)) await rm(to);
  const source = new DatabaseSync(from, { readOnly: true, timeout: 5000 });
  try {
    await backup(source, to, { rate: PAGES });
  } finally {
    source.close();
  }
}

async function copySchema(name: string, url: string): Promise<void> {
  await onServer(url, async (ask) => {
    // Rows with id 0 keep it, and reading does not lock rows of the database in use.
    await ask(
      "SET SESSION foreign_key_checks = 0, unique_checks = 0, sql_mode = CONCAT(@@sql_mode, ',NO_AUTO_VALUE_ON_ZERO')",
    );
    await ask('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
    const tables = await ask(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ? AND table_type = 'BASE TABLE'",
      [name],
    );
    for (const row of tables) await copyTable(ask, name, String(row['name']));
  });
}

async function copyTable(ask: Ask, schema: string, table: string): Promise<void> {
  const [created] = await ask(`SHOW CREATE TABLE ${quoted(schema, table)}`);
  await ask(String(created?.['Create Table']));
  const columns = await ask(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = ? AND table_name = ? AND generation_expression IS NULL ORDER BY ordinal_position`,
    [schema, table],
  );
  const names = columns.map((each) => quoted(String(each['name']))).join(', ');
  await ask(`INSERT INTO ${quoted(table)} (${names}) SELECT ${names} FROM ${quoted(schema, table)}`);
}
