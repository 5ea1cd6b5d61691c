// Locks the live database while another one takes its place. Nothing in it changes before the exchange, which is
// atomic.
import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { onServer, quoted, readUrl, withDatabase, type Ask } from './past-the-pool.ts';
import type { Place } from './snapshot.ts';

export interface HeldDatabase {
  /** Whether it does not exist yet or has no tables. */
  readonly empty: boolean;
  /** An empty location on the same disk or server, in which to build the new database. */
  readonly next: Place;
  /**
   * Atomically replaces the locked database with the new one.
   * @throws Error if it is in use
   */
  exchange(): Promise<void>;
  /** Releases the database, and removes anything unfinished. */
  release(): Promise<void>;
}

const IN_USE = 'The database is in use: stop all Keelson processes and try again';

/** Locks the database for a restore. @throws Error, one sentence, when it is in use */
export function holdDatabase(place: Place): Promise<HeldDatabase> {
  return 'file' in place ? holdFile(place.file) : holdSchema(place.url);
}

async function holdFile(file: string): Promise<HeldDatabase> {
  const next = join(dirname(file), 'restoring.db');
  const clear = async () => {
    for (const each of ['', '-wal', '-shm', '-journal']) await rm(next + each, { force: true });
  };
  await clear();
  const live = existsSync(file) ? alone(file) : undefined;
  const empty = !live?.prepare('SELECT 1 FROM sqlite_master').get();
  let held = live !== undefined;
  const letGo = () => {
    if (held) live?.close();
    held = false;
  };
  return {
    empty,
    next: { file: next },
    async exchange() {
      // New readers now wait, and then find the new database.
      live?.exec('COMMIT');
      live?.exec('BEGIN EXCLUSIVE');
      // Left by the comparison, which only read, so they are empty.
      for (const each of ['-wal', '-shm']) await rm(next + each, { force: true });
      await flush(next);
      await rename(next, file);
      await flush(dirname(file));
      letGo();
    },
    async release() {
      letGo();
      await clear();
    },
  };
}

/** Opens the file without a write-ahead log and locks it against writers. Fails while another process has it open. */
function alone(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 2000 });
  try {
    const mode = database.prepare('PRAGMA journal_mode = DELETE').get();
    if (mode?.['journal_mode'] !== 'delete') throw new Error(IN_USE);
    database.exec('BEGIN IMMEDIATE');
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Error && /locked|busy/i.test(error.message)) throw new Error(IN_USE, { cause: error });
    throw error;
  }
}

async function flush(path: string): Promise<void> {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Suffixes for the database's name; databases with them are safe to drop. */
const NEXT = '_keelson_restoring';
const FORMER = '_keelson_replaced';
const LONGEST_NAME = 64;
const CLOSING_TRIES = 15;
const CLOSING_PAUSE_MS = 200;

async function holdSchema(url: string): Promise<HeldDatabase> {
  const name = readUrl(url).database ?? '';
  if (name.length + NEXT.length > LONGEST_NAME) throw new Error(`The name of the database ${name} is too long`);
  const [next, former] = [name + NEXT, name + FORMER];
  // Each step has its own connection: one that waits for hours, while the new database is built, may be closed.
  const step = <R>(work: (ask: Ask) => Promise<R>): Promise<R> =>
    onServer(url, async (ask) => {
      await ask('SET SESSION lock_wait_timeout = 10, foreign_key_checks = 0');
      return work(ask);
    });
  const clear = async (ask: Ask) => {
    for (const each of [next, former]) await ask(`DROP DATABASE IF EXISTS ${quoted(each)}`);
  };
  const denied = (error: unknown): unknown => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ER_DBACCESS_DENIED_ERROR')) return error;
    const pattern = `${name}_keelson_`.replaceAll('_', String.raw`\_`);
    return new Error(
      `The database user cannot create databases next to ${name}: GRANT ALL ON \`${pattern}%\`.* TO it, as a server administrator`,
    );
  };
  try {
    const empty = await step(async (ask) => {
      if (await inUse(ask, name)) throw new Error(IN_USE);
      await clear(ask).catch((error: unknown) => {
        throw denied(error);
      });
      for (const each of [next, former])
        await ask(`CREATE DATABASE ${quoted(each)} CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci`);
      return (await tablesOf(ask, name)).length === 0;
    });
    return {
      empty,
      next: { url: withDatabase(url, next) },
      exchange: () =>
        step(async (ask) => {
          if (await inUse(ask, name)) throw new Error(IN_USE);
          const [now, made] = [await tablesOf(ask, name), await tablesOf(ask, next)];
          const strange = now.filter((each) => !made.includes(each));
          if (strange.length > 0)
            throw new Error(`The database has tables that do not belong to Keelson: ${strange.join(', ')}`);
          const moves = [
            ...now.map((each) => `${quoted(name, each)} TO ${quoted(former, each)}`),
            ...made.map((each) => `${quoted(next, each)} TO ${quoted(name, each)}`),
          ];
          // A single statement, which is atomic.
          await ask(`RENAME TABLE ${moves.join(', ')}`);
        }),
      release: () => step(clear),
    };
  } catch (error) {
    throw isDenied(error)
      ? new Error('The database user cannot create databases: restore --into an empty one instead', { cause: error })
      : error;
  }
}

/** Whether others have the database open. The server takes a moment to release the connections of a process that has just stopped. */
async function inUse(ask: Ask, name: string): Promise<boolean> {
  const others = async () => {
    const rows = await ask('SELECT id FROM information_schema.processlist WHERE db = ? AND id <> CONNECTION_ID()', [
      name,
    ]);
    return rows.length > 0;
  };
  for (let tries = 0; tries < CLOSING_TRIES; tries++) {
    if (!(await others())) return false;
    await sleep(CLOSING_PAUSE_MS);
  }
  return others();
}

async function tablesOf(ask: Ask, database: string): Promise<string[]> {
  const rows = await ask('SELECT table_name AS name FROM information_schema.tables WHERE table_schema = ?', [database]);
  return rows.map((row) => String(row['name']));
}

function isDenied(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /ACCESS_DENIED/.test(String(error.code));
}
