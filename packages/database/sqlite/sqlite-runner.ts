// TypeORM's query runner for SQLite: one per caller, with serialised transactions.
import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '@keelson/kit/problem.ts';
import { startTimer } from '@keelson/kit/timeout.ts';
import { QueryResult, type DataSource, type QueryRunner, type Table, type TableColumn } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner.js';
import { isBusy } from '../database-error.ts';
import { sql } from '../statement/sql.ts';
import type { NodeSqlite } from './sqlite-driver.ts';

const RETRY_MS = 10;

/**
 * Gives each caller its own query runner. TypeORM shares one between all callers of a SQLite source, so concurrent
 * transactions merge and committed rows get lost.
 * A transaction owns the connection until it ends; other callers queue for at most `patienceMs`. Call before
 * `initialize()`.
 */
export function serialiseSqlite(source: DataSource, patienceMs: number): void {
  const turn = new Turn(patienceMs);
  const statements = new Map<string, unknown>();
  Object.assign(source.driver, {
    createQueryRunner: () => new TurnRunner(source.driver as BetterSqlite3Driver, turn, statements),
  });
}

/** A first-in, first-out lock. */
class Turn {
  readonly patienceMs: number;
  #tail: Promise<void> = Promise.resolve();
  #taken = 0;
  constructor(patienceMs: number) {
    this.patienceMs = patienceMs;
  }

  /** Waits for the lock. Returns a function that releases it. */
  take(): Promise<() => void> | (() => void) {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#tail;
    this.#tail = promise;
    const leave = () => {
      this.#taken--;
      resolve();
    };
    // The lock is free, so no timer is needed.
    if (this.#taken++ === 0) return leave;
    return this.#wait(before, leave);
  }

  async #wait(before: Promise<void>, leave: () => void): Promise<() => void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = startTimer(this.patienceMs, () => resolve('late'));
    });
    const first = await Promise.race([before, late]);
    clearInterval(timer);
    if (first !== 'late') return leave;
    void before.then(leave);
    throw heldTooLong();
  }
}

function heldTooLong(): Error {
  const problem = unavailable();
  problem.cause = new Error(
    'SQLite is locked by a transaction: was a query sent outside the transaction’s own handle?',
  );
  return problem;
}

// TypeORM expects the rows synchronously.
async function whole(result: unknown): Promise<unknown> {
  if (!(result instanceof QueryResult) || !(result.raw instanceof Promise)) return result;
  result.raw = result.records = await result.raw;
  return result;
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

  /**
   * Reads the collations too, which TypeORM does not. It alters a table by copying it from this schema, so the copy
   * would compare text case-sensitively.
   */
  protected override async loadTables(names?: string[]): Promise<Table[]> {
    const tables = await super.loadTables(names);
    for (const table of tables) {
      const { text, params } = sql`SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ${table.name}`;
      const [row] = (await this.query(text, [...params])) as { sql: string }[];
      for (const [, column, collation] of (row?.sql ?? '').matchAll(/"(\w+)" \w+(?:\(\d+\))? COLLATE (\w+)/g)) {
        const found = table.columns.find(({ name }) => name === column);
        if (found) found.collation = collation;
      }
    }
    return tables;
  }

  /**
   * Adds a column in place where SQLite can. TypeORM copies the table, and renaming the copy makes SQLite read the whole
   * schema again.
   */
  override async addColumn(table: Table | string, column: TableColumn): Promise<void> {
    const { isPrimary, isUnique, isGenerated, isNullable, asExpression, default: filling } = column;
    const copied = isPrimary || isUnique || isGenerated || asExpression !== undefined;
    if (copied || (!isNullable && (filling === undefined || filling === null))) return super.addColumn(table, column);
    const name = typeof table === 'string' ? table : table.name;
    const text = `ALTER TABLE ${this.escapePath(name)} ADD COLUMN ${this.buildCreateColumnSql(column)}`;
    await this.query(text);
    this.loadedTables.find((each) => each.name === name)?.addColumn(column.clone());
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
    // SQLite rolls back by itself when the disk is full.
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

  // If another process holds the file lock, none of the statement has run, so it is safe to retry.
  async #patiently(text: string, params?: unknown[], structured = false): Promise<unknown> {
    // Pauses are counted, because the other process may have been suspended with this one.
    for (let waited = 0; ; waited += RETRY_MS) {
      try {
        return await whole(await super.query(text, params, structured));
      } catch (error) {
        if (!isBusy(error) || waited >= this.#turn.patienceMs) throw error;
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
