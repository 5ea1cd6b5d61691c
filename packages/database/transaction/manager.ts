// Runs TypeORM's repositories on our connections. Their statements behave like those of `Db`: they join the open
// transaction or begin it on the first write, have the same deadline, and fail with the same errors.
import { toDatabase } from '@keelson/kit/time.ts';
import { EntityManager, type DataSource, type QueryRunner } from 'typeorm';
import type { BetterSqlite3Driver } from 'typeorm/driver/better-sqlite3/BetterSqlite3Driver.js';
import { BetterSqlite3QueryRunner } from 'typeorm/driver/better-sqlite3/BetterSqlite3QueryRunner.js';
import type { MysqlDriver } from 'typeorm/driver/mysql/MysqlDriver.js';
import { MysqlQueryRunner } from 'typeorm/driver/mysql/MysqlQueryRunner.js';
import { storedDefault } from '../schema/schema.ts';
import { ColumnTransformer } from '../schema/stored-value.ts';
import type { Sql } from '../statement/sql.ts';
import { checkParams, isPlainRead, type Execute, type How, type QueryResult } from './database-link.ts';

/** Returns a function that creates a manager on the first call and reuses it afterwards. */
export function lazyManager(source: DataSource, execute: Execute, inTransaction: boolean): () => EntityManager {
  let made: EntityManager | undefined;
  return () => (made ??= managerOn(source, new Statements(execute, inTransaction)));
}

function managerOn(source: DataSource, statements: Statements): EntityManager {
  const runner =
    source.options.type === 'better-sqlite3'
      ? new SqliteRunner(source.driver as BetterSqlite3Driver, statements)
      : new MysqlRunner(source.driver as MysqlDriver, statements);
  return new EntityManager(source, runner as QueryRunner);
}

/** Executes a manager's statements. */
class Statements {
  readonly inTransaction: boolean;
  readonly #execute: Execute;
  constructor(execute: Execute, inTransaction: boolean) {
    this.#execute = execute;
    this.inTransaction = inTransaction;
  }

  perform(text: string, params: readonly unknown[]): Promise<QueryResult> {
    const how = howOf(text);
    if (!this.inTransaction && how.writes) throw outsideTransaction();
    if (/^\s*(?:BEGIN|START|COMMIT|ROLLBACK)\b(?! TO )/i.test(text)) {
      throw new Error('Use ctx.transaction() for transactions; inside one, manager.transaction() is a savepoint');
    }
    const statement: Sql = { text, params: params.map(driverValue) };
    checkParams(statement);
    return this.#execute(statement, how);
  }
}

function outsideTransaction(): Error {
  return new Error('ctx.manager is read-only outside a transaction: write in ctx.transaction()');
}

/** Classifies a statement by its text. Anything not known to be a read requires a transaction. */
function howOf(text: string): How {
  if (isPlainRead(text)) return { writes: false };
  const [first = ''] = /\w+/.exec(text) ?? [];
  const changes = /^with$/i.test(first)
    ? /\b(?:insert|update|delete)\b/i.test(text)
    : !/^(?:select|savepoint|release|rollback)$/i.test(first);
  return { writes: true, locks: !changes };
}

// TypeORM and its callers also pass Dates and booleans. Both databases store timestamps as text.
function driverValue(value: unknown): unknown {
  if (value instanceof Date) return toDatabase(value.toISOString());
  if (typeof value === 'boolean') return value ? 1 : 0;
  return value;
}

class SqliteRunner extends BetterSqlite3QueryRunner {
  readonly #statements: Statements;
  constructor(driver: BetterSqlite3Driver, statements: Statements) {
    super(driver);
    this.#statements = statements;
    joinTransaction(this, statements);
  }
  override async query(text: string, params: unknown[] = [], structured = false): Promise<unknown> {
    const result = await this.#statements.perform(text, params);
    return typeormResult(result, structured, result.insertId);
  }
  override async startTransaction(level?: Level): Promise<void> {
    if (!this.#statements.inTransaction) throw outsideTransaction();
    return super.startTransaction(level);
  }
  override connect(): never {
    throw noConnection();
  }
  override async release(): Promise<void> {}
}

class MysqlRunner extends MysqlQueryRunner {
  readonly #statements: Statements;
  constructor(driver: MysqlDriver, statements: Statements) {
    super(driver, 'master');
    this.#statements = statements;
    joinTransaction(this, statements);
  }
  override async query(text: string, params: unknown[] = [], structured = false): Promise<unknown> {
    const result = await this.#statements.perform(text, params);
    return typeormResult(result, structured, { insertId: result.insertId, affectedRows: result.affected });
  }
  override async startTransaction(level?: Level): Promise<void> {
    if (!this.#statements.inTransaction) throw outsideTransaction();
    return super.startTransaction(level);
  }
  override connect(): never {
    throw noConnection();
  }
  override async release(): Promise<void> {}
}

type Level = Parameters<MysqlQueryRunner['startTransaction']>[0];

/** Marks a transaction as open, so that TypeORM creates savepoints inside it. */
function joinTransaction(runner: SqliteRunner | MysqlRunner, { inTransaction }: Statements): void {
  runner.isTransactionActive = inTransaction;
  Object.assign(runner, { transactionDepth: inTransaction ? 1 : 0 });
}

function noConnection(): Error {
  return new Error(
    'The manager has no connection of its own: change schemas in migrations; streaming is not supported',
  );
}

function typeormResult({ rows, affected, reads }: QueryResult, structured: boolean, written: unknown): unknown {
  const raw = reads ? rows : written;
  return structured ? { raw, records: rows, affected } : raw;
}

/**
 * Makes the columns of our tables convert only through their transformers. The drivers would convert a second time and
 * read timestamps in the process's time zone. Columns without a database default get the declared one, as in our own
 * inserts. Timestamps of plain entities are read as UTC, which is how they are stored.
 */
export function convertOurselves({ driver }: DataSource): void {
  const persist = driver.preparePersistentValue.bind(driver);
  const hydrate = driver.prepareHydratedValue.bind(driver);
  driver.preparePersistentValue = (value, column) => {
    const { transformer } = column;
    if (!(transformer instanceof ColumnTransformer)) return persist(value, column);
    const { options } = transformer;
    const filled = value === undefined && storedDefault(options) === undefined ? options.default : value;
    return filled === undefined ? undefined : transformer.store(filled);
  };
  driver.prepareHydratedValue = (value, column) => {
    if (column.transformer instanceof ColumnTransformer) return column.transformer.from(value);
    const moment = column.type === 'datetime' || column.type === 'timestamp' || column.type === Date;
    return hydrate(moment ? utc(value) : value, column);
  };
}

function utc(value: unknown): unknown {
  const local = typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/.test(value);
  return local ? new Date(`${value.replace(' ', 'T')}Z`) : value;
}
