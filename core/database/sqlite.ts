// SQLite behind TypeORM: Node's own driver, and one query runner per caller that waits for its turn.
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type EntitySchema, type QueryRunner } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner.js';
import { isBusy } from './database-error.ts';
import { entitiesOn } from './entity.ts';
import { convertOurselves } from './manager.ts';
import { unavailable } from '../kit/problem.ts';

/**
 * SQLite itself blocks the whole process while it waits, and with it all other tenants: it waits for an instant, and we
 * try again between requests. While a file is opened nothing tries again.
 */
const OPENING_TIMEOUT_MS = 50;
const BUSY_TIMEOUT_MS = 2;
const RETRY_MS = 10;
const FULL = 2;

type Row = Record<string, unknown>;

class Statement {
  readonly reader: boolean;
  readonly #statement: StatementSync;
  #names: readonly string[];
  constructor(statement: StatementSync) {
    this.#statement = statement;
    this.#names = namesOf(statement);
    this.reader = this.#names.length > 0;
    if (this.reader) statement.setReturnArrays(true);
  }
  // Plain objects, as mysql2 gives them. Node's own rows have no prototype, and to copy them takes three times as long.
  all(...params: SQLInputValue[]): Row[] {
    const rows = this.#statement.all(...params) as unknown[] as unknown[][];
    // A `SELECT *` prepared before a migration has other columns after it.
    if (rows[0] && rows[0].length !== this.#names.length) this.#names = namesOf(this.#statement);
    return rows.map((values) => toRow(this.#names, values));
  }
  run(...params: SQLInputValue[]) {
    return this.#statement.run(...params);
  }
}

function namesOf(statement: StatementSync): string[] {
  return statement.columns().map((each) => each.name);
}

function toRow(names: readonly string[], values: readonly unknown[]): Row {
  const row: Row = {};
  for (let i = 0; i < names.length; i++) row[names[i] ?? ''] = values[i];
  return row;
}

/** The slice of better-sqlite3 that TypeORM's driver calls, over node:sqlite. */
export class NodeSqlite {
  readonly #database: DatabaseSync;
  constructor(file: string, options: { readonly?: boolean; timeout?: number } = {}) {
    this.#database = new DatabaseSync(file, { readOnly: options.readonly ?? false, timeout: options.timeout ?? 0 });
  }
  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }
  prepare(text: string): Statement {
    return new Statement(this.#database.prepare(text));
  }
  pragma(text: string): Row[] {
    return this.#database.prepare(`PRAGMA ${text}`).all();
  }
  exec(text: string): this {
    this.#database.exec(text);
    return this;
  }
  close(): void {
    this.#database.close();
  }
}

/**
 * Opens a SQLite file (mode 0600) or ':memory:' as a TypeORM source.
 * @throws when the database would run with less than `synchronous = FULL`: anything below loses acknowledged rows in a
 *   power cut
 */
export async function openSqlite(
  file: string,
  tables: readonly EntitySchema[],
  patienceMs: number,
): Promise<DataSource> {
  if (file !== ':memory:') makePrivate(file);
  const source = new DataSource({
    type: 'better-sqlite3',
    driver: NodeSqlite,
    database: file,
    timeout: OPENING_TIMEOUT_MS,
    statementCacheSize: 2000,
    enableWAL: file !== ':memory:',
    prepareDatabase: prepare,
    entities: entitiesOn('sqlite', tables),
    invalidWhereValuesBehavior: { null: 'sql-null', undefined: 'throw' },
    logging: false,
  });
  convertOurselves(source);
  serialiseSqlite(source, patienceMs);
  await source.initialize();
  await source.query(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`);
  await refuseUnsafe(source);
  return source;
}

/**
 * TypeORM gives every caller of a SQLite source one shared query runner, so that concurrent transactions merge and
 * committed rows get lost. This gives each caller its own; one in a transaction owns the connection until it ends, and
 * the others wait in turn, at most `patienceMs`. Call it before `initialize()`.
 */
export function serialiseSqlite(source: DataSource, patienceMs: number): void {
  const turn = new Turn(patienceMs);
  const statements = new Map<string, unknown>();
  Object.assign(source.driver, {
    createQueryRunner: () => new TurnRunner(source.driver as BetterSqlite3Driver, turn, statements),
  });
}

/** First come, first served. */
class Turn {
  readonly patienceMs: number;
  #tail: Promise<void> = Promise.resolve();
  #taken = 0;
  constructor(patienceMs: number) {
    this.patienceMs = patienceMs;
  }

  /** Waits for the turn; answers what gives it back. */
  take(): Promise<() => void> | (() => void) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#tail;
    this.#tail = promise;
    const leave = () => {
      this.#taken--;
      resolve();
    };
    // Nobody is in: no timer, no waiting.
    if (this.#taken++ === 0) return leave;
    return this.#wait(before, leave);
  }

  async #wait(before: Promise<void>, leave: () => void): Promise<() => void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, this.patienceMs, 'late' as const);
    });
    const first = await Promise.race([before, late]);
    clearTimeout(timer);
    if (first !== 'late') return leave;
    void before.then(leave);
    throw heldTooLong();
  }
}

function heldTooLong(): Error {
  const problem = unavailable();
  problem.cause = new Error("SQLite is held by a transaction: was a query sent outside the transaction's own handle?");
  return problem;
}

type Level = Parameters<QueryRunner['startTransaction']>[0];

class TurnRunner extends BetterSqlite3QueryRunner {
  readonly #turn: Turn;
  #leave: (() => void) | undefined;

  constructor(driver: BetterSqlite3Driver, turn: Turn, statements: Map<string, unknown>) {
    super(driver);
    this.#turn = turn;
    // Prepared statements belong to the connection, not to the caller.
    Object.assign(this, { stmtCache: statements });
  }

  override async query(text: string, params?: unknown[], structured = false): Promise<unknown> {
    if (this.#leave) {
      if (text === 'BEGIN TRANSACTION') return this.#patiently('BEGIN IMMEDIATE', params, structured);
      return super.query(text, params, structured);
    }
    const leave = await this.#turn.take();
    try {
      return await this.#patiently(text, params, structured);
    } finally {
      leave();
    }
  }

  override async startTransaction(level?: Level): Promise<void> {
    const outer = !this.#leave;
    if (outer) this.#leave = await this.#turn.take();
    try {
      await super.startTransaction(level);
    } catch (error) {
      if (outer) this.#end();
      throw error;
    }
  }

  override async commitTransaction(): Promise<void> {
    await super.commitTransaction();
    if (!this.isTransactionActive) this.#end();
  }

  override async rollbackTransaction(): Promise<void> {
    // A full disk makes SQLite roll back by itself.
    if (!(await this.#inTransaction())) return this.#end();
    try {
      await super.rollbackTransaction();
    } finally {
      if (!this.isTransactionActive) this.#end();
    }
  }

  override async release(): Promise<void> {
    try {
      if (this.#leave && (await this.#inTransaction())) await super.query('ROLLBACK');
    } finally {
      this.#end();
      await super.release();
    }
  }

  // Another process may hold the file. Nothing of the statement has run then, so it can simply be sent again.
  async #patiently(text: string, params?: unknown[], structured = false): Promise<unknown> {
    const since = performance.now();
    for (;;) {
      try {
        return await super.query(text, params, structured);
      } catch (error) {
        if (!isBusy(error) || performance.now() - since > this.#turn.patienceMs) throw error;
        await sleep(RETRY_MS);
      }
    }
  }

  async #inTransaction(): Promise<boolean> {
    const connection: NodeSqlite = await this.connect();
    return connection.inTransaction;
  }

  #end(): void {
    this.isTransactionActive = false;
    this.transactionDepth = 0;
    this.#leave?.();
    this.#leave = undefined;
  }
}

// SQLite gives its -wal and -shm files the mode of the main one.
function makePrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
}

function prepare(database: NodeSqlite): void {
  database.pragma('synchronous = FULL');
  database.pragma('journal_size_limit = 67108864');
}

async function refuseUnsafe(source: DataSource): Promise<void> {
  const expected = { synchronous: FULL, foreign_keys: 1 };
  for (const [pragma, wanted] of Object.entries(expected)) {
    const [row]: Row[] = await source.query(`PRAGMA ${pragma}`);
    if (row?.[pragma] === wanted) continue;
    await source.destroy();
    throw new Error(`SQLite runs with ${pragma} = ${String(row?.[pragma])}, and ${wanted} is needed`);
  }
}
