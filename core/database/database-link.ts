// The interface of both engines: a connection for one unit of work, and the methods of `Db` built on it.
import type { DataSource } from 'typeorm';
import type { Db, FindOptions, Where } from './db.ts';
import type { Sql } from './sql.ts';
import { valuesOf, type Statements } from './statement.ts';
import type { Dialect, New, Row, Table } from './table.ts';

export interface QueryResult {
  /** True if the statement returns rows, even zero of them: a SELECT, or an INSERT with RETURNING. */
  readonly reads: boolean;
  readonly rows: Record<string, unknown>[];
  /** Rows matched by a write. */
  readonly affected: number;
  readonly insertId: number;
}

export interface Link {
  execute(statement: Sql): Promise<QueryResult>;
  begin(): Promise<void>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
  /** Returns the connection to the pool. A broken connection is closed instead. */
  release(): Promise<void>;
}

export interface Engine {
  readonly dialect: Dialect;
  readonly mariadb: boolean;
  readonly source: DataSource;
  /** Acquires a connection. @throws unavailable() if none is free within the deadline */
  readonly acquire: () => Promise<Link>;
  readonly ping: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

export interface How {
  /** Changes or locks rows, so a transaction must be open. */
  readonly writes: boolean;
  /** Locks rows without changing them. */
  readonly locks?: boolean;
  /** Column whose generated value the caller needs. */
  readonly generated?: string | undefined;
}

export type Execute = (statement: Sql, how: How) => Promise<QueryResult>;

/** Builds the methods of `Db`, except `manager`, on top of an execute function. */
export function rowMethods(dialect: Dialect, statements: Statements, execute: Execute): Omit<Db, 'manager'> {
  const read = (statement: Sql, lock = false) => execute(statement, { writes: lock, locks: lock });
  const write = (statement: Sql) => execute(statement, { writes: true });
  const find = async <T extends Table>(table: T, where: Where<T> = {}, options: FindOptions<T> = {}) => {
    const { rows } = await read(statements.select(table, where, options), options.lock);
    return statements.rows(table, rows);
  };
  return {
    dialect,
    query: async <R>(statement: Sql) => {
      checkParams(statement);
      const { rows } = await read(statement, !isPlainRead(statement.text));
      // The row type is the caller's assertion about its own SELECT.
      return rows as R[];
    },
    run: async (statement) => {
      checkParams(statement);
      return (await write(statement)).affected;
    },
    find,
    one: async <T extends Table>(table: T, where: Where<T>, options: FindOptions<T> = {}) =>
      (await find(table, where, { ...options, limit: 1 }))[0],
    count: async (table, where = {}) => Number((await read(statements.count(table, where))).rows[0]?.['n']),
    insert: (table, row) => insert(execute, statements, table, row),
    insertMany: async (table, rows) => {
      for (const each of statements.insert(table, rows.map(valuesOf))) await write(each);
    },
    upsert: async (table, row, keys) => {
      await write(statements.upsert(table, valuesOf(row), keys));
    },
    update: async <T extends Table>(table: T, where: Where<T> | readonly Where<T>[], set: Partial<Row<T>>) =>
      (await write(statements.update(table, where, valuesOf(set)))).affected,
    remove: async (table, where) => (await write(statements.remove(table, where))).affected,
  };
}

async function insert<T extends Table>(execute: Execute, statements: Statements, table: T, row: New<T>) {
  const values = valuesOf(row);
  const [statement] = statements.insert(table, [values]);
  if (!statement) return 0;
  const { insertId } = await execute(statement, { writes: true, generated: statement.generated });
  if (statement.generated) return insertId;
  const id = Object.keys(table.columns).find((each) => table.columns[each]?.options.kind === 'id');
  return id ? Number(values[id]) : 0;
}

/** Returns true for a SELECT without locks. Any other statement begins the transaction. */
export function isPlainRead(text: string): boolean {
  return /^\s*select\b/i.test(text) && !/\bfor\s+(update|share)\b|\block\s+in\s+share\b/i.test(text);
}

/** @throws TypeError for objects and undefined, which the two drivers convert differently */
export function checkParams({ params }: Sql): void {
  for (const each of params) {
    if (each !== null && !['string', 'number', 'bigint', 'boolean'].includes(typeof each) && !Buffer.isBuffer(each)) {
      throw new TypeError(`A statement's parameter is ${typeof each}`);
    }
  }
}
