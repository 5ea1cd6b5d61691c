// Adapts Node's SQLite to the better-sqlite3 methods that TypeORM calls.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { yieldToOthers } from '@keelson/kit/yield.ts';
import { Interrupted } from '../database-error.ts';
import { watchStatements, type Watch } from './sqlite-watch.ts';

type Row = Record<string, unknown>;

/** Maximum time that reading rows blocks the event loop before yielding. */
const SLICE_MS = 10;
/** Maximum CPU time of a read that yields between slices. */
const MOST_READ_MS = 2000;
/** Hard limit on elapsed time, excluding pauses. It is higher because the thread may have waited for a CPU. */
const LATEST_READ_MS = 10_000;

/** A database with the subset of the better-sqlite3 API that TypeORM uses. */
export class NodeSqlite {
  readonly #database: DatabaseSync;
  readonly #watch: Watch;
  constructor(file: string, options: { readonly?: boolean; timeout?: number } = {}) {
    this.#database = new DatabaseSync(file, { readOnly: options.readonly ?? false, timeout: options.timeout ?? 0 });
    this.#watch = watchStatements(this.#database);
  }
  get inTransaction(): boolean {
    return this.#database.isTransaction;
  }
  prepare(text: string): Statement {
    return new Statement(this.#database, text, this.#watch);
  }
  pragma(text: string): Row[] {
    return this.#database.prepare(`PRAGMA ${text}`).all();
  }
  exec(text: string): this {
    this.#watch.begin();
    this.#database.exec(text);
    return this;
  }
  /** Serialises the whole database. */
  serialize(): Uint8Array {
    return this.#database.serialize();
  }
  /** Replaces the whole database with the output of `serialize`. */
  deserialize(bytes: Uint8Array): void {
    this.#database.deserialize(bytes);
  }
  close(): void {
    this.#database.close();
  }
}

class Statement {
  readonly reader: boolean;
  readonly #database: DatabaseSync;
  readonly #statement: StatementSync;
  readonly #watch: Watch;
  readonly #isSelect: boolean;
  #names: readonly string[];
  constructor(database: DatabaseSync, text: string, watch: Watch) {
    this.#database = database;
    this.#statement = database.prepare(text);
    this.#watch = watch;
    this.#names = namesOf(this.#statement);
    this.reader = this.#names.length > 0;
    this.#isSelect = /^\s*select\b/i.test(text);
    if (this.reader) this.#statement.setReturnArrays(true);
  }
  /**
   * Returns the rows, or a promise if reading takes long, yielding to other requests meanwhile. The caller must hold
   * the connection until the promise settles.
   * In a transaction the caller may send its next statement immediately, so rows are read in one go.
   */
  all(...params: SQLInputValue[]): Row[] | Promise<Row[]> {
    this.#watch.begin();
    if (this.#isSelect && !this.#database.isTransaction) return this.#readOn([], this.#statement.iterate(...params));
    const rows = this.#statement.all(...params) as unknown[] as unknown[][];
    return rows.map((values) => this.#toRow(values));
  }
  #readOn(rows: Row[], rest: Iterator<unknown>): Row[] | Promise<Row[]> {
    const until = performance.now() + SLICE_MS;
    try {
      for (let next = rest.next(); !next.done; next = rest.next()) {
        rows.push(this.#toRow(next.value as unknown[]));
        if (performance.now() > until) return this.#readLater(rows, rest);
      }
      return rows;
    } catch (error) {
      // Without a reset, the next run of this statement would fail with the same error.
      rest.return?.();
      throw error;
    }
  }
  async #readLater(rows: Row[], rest: Iterator<unknown>): Promise<Row[]> {
    const spent = this.#watch.spentMs();
    if (this.#watch.workedMs() > MOST_READ_MS || spent > LATEST_READ_MS) {
      rest.return?.();
      throw new Interrupted(`SQLite read rows for ${Math.round(spent)} ms`);
    }
    await this.#watch.pause(yieldToOthers);
    return this.#readOn(rows, rest);
  }
  run(...params: SQLInputValue[]) {
    this.#watch.begin();
    return this.#statement.run(...params);
  }
  // Builds plain objects, like mysql2. Node's own row objects have no prototype, and copying them takes three times as
  // long.
  #toRow(values: readonly unknown[]): Row {
    // A `SELECT *` prepared before a migration returns different columns afterwards.
    if (values.length !== this.#names.length) this.#names = namesOf(this.#statement);
    const row: Row = {};
    for (let i = 0; i < this.#names.length; i++) row[this.#names[i] ?? ''] = values[i];
    return row;
  }
}

function namesOf(statement: StatementSync): string[] {
  return statement.columns().map((each) => each.name);
}
