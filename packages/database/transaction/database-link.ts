// The interface of both engines: a connection for one unit of work, and the methods of `Db` built on it.
import type { DataSource, EntityManager, EntitySchema, InsertResult, ObjectLiteral } from 'typeorm';
import type { AnyWhere, Db, FindOptions } from '../db.ts';
import type { Nodes } from '../mysql/mysql-nodes.ts';
import type { Dialect } from '../schema/column.ts';
import type { New, Row, Table } from '../schema/table.ts';
import type { Sql } from '../statement/sql.ts';
import { isShort, valuesOf, type Statements } from '../statement/statement.ts';

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
  /** True on a Galera cluster. */
  readonly cluster: boolean;
  readonly source: DataSource;
  /** Acquires a connection. @throws unavailable() if none is free within the deadline */
  readonly acquire: () => Promise<Link>;
  readonly ping: () => Promise<boolean>;
  /** The nodes of a MySQL server; undefined on SQLite. */
  readonly nodes: Nodes | undefined;
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

/** Builds the methods of `Db` on top of an execute function and TypeORM's manager. */
export function rowMethods(
  dialect: Dialect,
  statements: Statements,
  execute: Execute,
  manager: () => EntityManager,
): Db {
  const read = (statement: Sql, lock = false) => execute(statement, { writes: lock, locks: lock });
  const write = (statement: Sql) => execute(statement, { writes: true });
  const find = async <T extends Table>(table: T, options: FindOptions<T> = {}): Promise<Row<T>[]> => {
    if (!isShort(options)) return manager().find(table as Table, forTypeorm(options, dialect));
    const { rows } = await read(statements.select(table, options), options.lock !== undefined);
    return statements.rows(table, rows);
  };
  const findOne = async <T extends Table>(table: T, options: FindOptions<T>): Promise<Row<T> | null> => {
    if (!isShort(options)) return manager().findOne(table as Table, forTypeorm(options, dialect) as never);
    return (await find(table, { ...options, take: 1 }))[0] ?? null;
  };
  const count = async <T extends Table>(table: T, options: Pick<FindOptions<T>, 'where'> = {}): Promise<number> => {
    if (!isShort(options)) return manager().count(table as Table, options as never);
    return Number((await read(statements.count(table, options.where))).rows[0]?.['n']);
  };
  const insertReturningId = <T extends Table>(table: T, row: New<T>) => insertOne(execute, statements, table, row);
  const methods = {
    dialect,
    manager,
    query: async <R>(statement: Sql) => {
      checkParams(statement);
      const { rows } = await read(statement, !isPlainRead(statement.text));
      // The row type is the caller's assertion about its own SELECT.
      return rows as R[];
    },
    run: async (statement: Sql) => {
      checkParams(statement);
      return (await write(statement)).affected;
    },
    find,
    findBy: <T extends Table>(table: T, where: AnyWhere<T>) => find(table, { where }),
    findOne,
    findOneBy: <T extends Table>(table: T, where: AnyWhere<T>) => findOne(table, { where }),
    existsBy: async <T extends Table>(table: T, where: AnyWhere<T>) => (await findOne(table, { where })) !== null,
    count,
    countBy: <T extends Table>(table: T, where: AnyWhere<T>) => count(table, { where }),
    insertReturningId,
    insert: async <T extends Table>(table: T, rows: New<T> | readonly New<T>[]) => {
      if (!Array.isArray(rows)) {
        const id = await insertReturningId(table, rows as New<T>);
        return inserted(id === 0 ? [] : [{ [table.primary]: id }], id);
      }
      for (const each of statements.insert(table, rows.map(valuesOf))) await write(each);
      return inserted([], undefined);
    },
    upsert: async <T extends Table>(table: T, rows: New<T> | readonly New<T>[], paths: readonly string[]) => {
      const several = Array.isArray(rows) ? rows : [rows];
      let raw: number | undefined;
      for (const each of statements.upsert(table, several.map(valuesOf), paths)) raw = (await write(each)).insertId;
      return inserted([], several.length === 1 ? raw : undefined);
    },
    update: async <T extends Table>(table: T, where: AnyWhere<T>, set: Partial<Row<T>>) => {
      const { affected } = await write(statements.update(table, where, valuesOf(set)));
      return { affected, raw: affected, generatedMaps: [] };
    },
    delete: async <T extends Table>(table: T, where: AnyWhere<T>) => {
      const { affected } = await write(statements.delete(table, where));
      return { affected, raw: affected };
    },
    createQueryBuilder: <E extends ObjectLiteral>(entity: EntitySchema<E>, alias: string) =>
      manager().createQueryBuilder(entity, alias),
  };
  // The overloads of `find` and `findOne` with relations return what TypeORM returns for them.
  return methods as Db;
}

const inserted = (identifiers: ObjectLiteral[], raw: unknown): InsertResult => ({
  identifiers,
  generatedMaps: [],
  raw,
});

/** Removes what TypeORM refuses on SQLite. */
function forTypeorm<T extends Table>(options: FindOptions<T>, dialect: Dialect): object {
  const { lock, ...others } = options;
  return dialect === 'sqlite' || !lock ? others : options;
}

async function insertOne<T extends Table>(execute: Execute, statements: Statements, table: T, row: New<T>) {
  const values = valuesOf(row);
  const [statement] = statements.insert(table, [values]);
  if (!statement) return 0;
  const { insertId } = await execute(statement, { writes: true, generated: statement.generated });
  if (statement.generated) return insertId;
  const id = Object.keys(table.columns).find((each) => table.columns[each]?.options.kind === 'id');
  return id ? Number(values[id]) : 0;
}

/** Returns true for a SELECT without locks, also in parentheses or after WITH. Any other statement begins the transaction. */
export function isPlainRead(text: string): boolean {
  const [, first] = /^[\s(]*(select|with)\b/i.exec(text) ?? [];
  if (first === undefined || /\bfor\s+(update|share)\b|\block\s+in\s+share\b/i.test(text)) return false;
  return !/^with$/i.test(first) || !/\b(?:insert|update|delete)\b/i.test(text);
}

/** @throws TypeError for objects and undefined, which the two drivers convert differently */
export function checkParams({ params }: Sql): void {
  for (const each of params) {
    if (each !== null && !['string', 'number', 'bigint', 'boolean'].includes(typeof each) && !Buffer.isBuffer(each)) {
      throw new TypeError(`A statement's parameter is ${typeof each}`);
    }
  }
}
