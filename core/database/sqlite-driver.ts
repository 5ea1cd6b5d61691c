// Node's SQLite with the methods that TypeORM's driver for better-sqlite3 calls.
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { watchStatements, type Watch } from './sqlite-watch.ts';

type Row = Record<string, unknown>;

/** A database with the part of the API of better-sqlite3 that TypeORM uses. */
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
    return new Statement(this.#database.prepare(text), this.#watch);
  }
  pragma(text: string): Row[] {
    return this.#database.prepare(`PRAGMA ${text}`).all();
  }
  exec(text: string): this {
    this.#watch.begin();
    this.#database.exec(text);
    return this;
  }
  close(): void {
    this.#database.close();
  }
}

class Statement {
  readonly reader: boolean;
  readonly #statement: StatementSync;
  readonly #watch: Watch;
  #names: readonly string[];
  constructor(statement: StatementSync, watch: Watch) {
    this.#statement = statement;
    this.#watch = watch;
    this.#names = namesOf(statement);
    this.reader = this.#names.length > 0;
    if (this.reader) statement.setReturnArrays(true);
  }
  // Plain objects, as mysql2 returns them. Node's own row objects have no prototype, and copying them is three times as
  // slow.
  all(...params: SQLInputValue[]): Row[] {
    this.#watch.begin();
    const rows = this.#statement.all(...params) as unknown[] as unknown[][];
    // A `SELECT *` that was prepared before a migration has other columns after it.
    if (rows[0] && rows[0].length !== this.#names.length) this.#names = namesOf(this.#statement);
    return rows.map((values) => toRow(this.#names, values));
  }
  run(...params: SQLInputValue[]) {
    this.#watch.begin();
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
