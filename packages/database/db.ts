// The interface for reading and writing rows, identical on both databases.
import type {
  DeleteResult,
  EntityManager,
  EntitySchema,
  FindOperator,
  FindOptionsRelations,
  InsertResult,
  ObjectLiteral,
  SelectQueryBuilder,
  UpdateResult,
} from 'typeorm';
import type { Dialect } from './schema/column.ts';
import type { New, Row, Table } from './schema/table.ts';
import type { Sql } from './statement/sql.ts';

/**
 * Conditions that must all hold: a column equals a value, or satisfies one of TypeORM's operators (`In`, `IsNull`,
 * `LessThan` …). Null and `undefined` throw, because they would silently match the wrong rows.
 */
export type Where<T extends Table> = {
  [K in keyof Row<T>]?: NonNullable<Row<T>[K]> | FindOperator<any>;
};

/** Alternative conditions, at least one of which must hold. */
export type AnyWhere<T extends Table> = Where<T> | readonly Where<T>[];

/** TypeORM's `FindManyOptions` for a table. `FindOneOptions` are the same without `take` and `skip`. */
export interface FindOptions<T extends Table> {
  readonly where?: AnyWhere<T>;
  readonly order?: { readonly [K in keyof Row<T>]?: 'ASC' | 'DESC' };
  readonly take?: number;
  readonly skip?: number;
  /** Locks the rows on MySQL until the transaction ends. No effect on SQLite, which serialises writers. */
  readonly lock?: { readonly mode: 'pessimistic_write' } | undefined;
}

/** A table's row with its relations, which are absent unless loaded. */
export type EntityOf<T> = T extends EntitySchema<infer E> ? E : never;

/** The relations to load with the rows: `{ shelf: true }`. */
export interface WithRelations<T extends Table> {
  readonly relations: FindOptionsRelations<EntityOf<T>>;
}

/** TypeORM's `UpdateResult` and `DeleteResult`; `affected` counts matched rows, changed or not. */
export type Written<Result extends UpdateResult | DeleteResult> = Result & { readonly affected: number };

/**
 * Access to rows of declared tables, and to raw statements: `ctx.db`. The calls have the names, options and results of
 * TypeORM's `EntityManager`. Plain calls are one statement without hydration; relations and operators that have no
 * short way go through TypeORM itself, in the same transaction.
 */
export interface Db {
  readonly dialect: Dialect;
  /** Returns the rows of a SELECT as the driver delivers them. Timestamps are in database format (see kit/time.ts). */
  query<R = Record<string, unknown>>(statement: Sql): Promise<R[]>;
  /** Runs a write statement. Returns the number of rows it matched. */
  run(statement: Sql): Promise<number>;
  /** Returns the matching rows. */
  find<T extends Table>(table: T, options: FindOptions<T> & WithRelations<T>): Promise<EntityOf<T>[]>;
  find<T extends Table>(table: T, options?: FindOptions<T>): Promise<Row<T>[]>;
  findBy<T extends Table>(table: T, where: AnyWhere<T>): Promise<Row<T>[]>;
  /** Returns the first matching row, or null. */
  findOne<T extends Table>(table: T, options: FindOptions<T> & WithRelations<T>): Promise<EntityOf<T> | null>;
  findOne<T extends Table>(table: T, options: FindOptions<T>): Promise<Row<T> | null>;
  findOneBy<T extends Table>(table: T, where: AnyWhere<T>): Promise<Row<T> | null>;
  /** Returns true if a row matches. */
  existsBy<T extends Table>(table: T, where: AnyWhere<T>): Promise<boolean>;
  /** Returns the number of matching rows. */
  count<T extends Table>(table: T, options?: Pick<FindOptions<T>, 'where'>): Promise<number>;
  countBy<T extends Table>(table: T, where: AnyWhere<T>): Promise<number>;
  /**
   * Inserts rows in as few statements as possible. For a single row, `identifiers` has its id; for several it is empty,
   * because the ids of one statement need not be consecutive on a cluster.
   * @throws DuplicateKey
   */
  insert<T extends Table>(table: T, rows: New<T> | readonly New<T>[]): Promise<InsertResult>;
  /**
   * Inserts a row. Returns its generated id, or its given id; 0 for a table without an id column. @throws DuplicateKey
   */
  insertReturningId<T extends Table>(table: T, row: New<T>): Promise<number>;
  /**
   * Inserts rows, or updates the columns given for any of them where a row has the same values in `conflictPaths`,
   * which have a unique index.
   */
  upsert<T extends Table>(
    table: T,
    rows: New<T> | readonly New<T>[],
    conflictPaths: readonly (keyof Row<T> & string)[],
  ): Promise<InsertResult>;
  /**
   * Updates the matching rows. @throws TypeError for an empty `where`
   */
  update<T extends Table>(table: T, where: AnyWhere<T>, set: Partial<Row<T>>): Promise<Written<UpdateResult>>;
  /** Deletes the matching rows. @throws TypeError for an empty `where` */
  delete<T extends Table>(table: T, where: AnyWhere<T>): Promise<Written<DeleteResult>>;
  /** Returns TypeORM's query builder for a table, in the same transaction. */
  createQueryBuilder<E extends ObjectLiteral>(entity: EntitySchema<E>, alias: string): SelectQueryBuilder<E>;
  /**
   * Returns TypeORM's manager on the same connection, created on first use. Its statements have the same deadline,
   * count as writes and throw the same errors (`DuplicateKey`, `unavailable()`). In a transaction it joins that
   * transaction. Outside one it is read-only, and writes throw.
   */
  manager(): EntityManager;
}

export interface TransactionOptions {
  /** SQLite only, where a transaction blocks all other writers: roll back after two seconds without a statement. */
  readonly notIdle?: boolean;
}

/** An open transaction. */
export interface Transaction extends Db {
  /**
   * Inserts a row with a caller-chosen id just before the transaction's next statement, or with the commit. This saves
   * a round trip. A duplicate makes that statement or the commit throw `DuplicateKey`.
   */
  deferInsert<T extends Table>(table: T, row: Row<T>): void;
  /**
   * Inserts a row with the commit, batching all such rows into as few round trips as possible. Use it for rows that the
   * transaction does not read: events, deliveries, activity, counter deltas.
   */
  append<T extends Table>(table: T, row: New<T>): void;
  /** Runs a write statement with the commit, after all others, in the same round trip if possible. */
  last(statement: Sql): void;
  /** Runs `work` in the transaction just before the commit, for callers that cannot await it themselves. */
  beforeCommit(work: () => Promise<void>): void;
  /** Runs `work` after the commit, outside the transaction. Never runs after a rollback. */
  afterCommit(work: () => void): void;
  /** Returns the number of writes so far, including appended rows. */
  writes(): number;
}

/** The database of one tenant. */
export interface Database extends Db {
  /**
   * Runs `work` in one transaction and returns its result. A MySQL deadlock is retried, so `work` may run more than
   * once and must have no side effects that cannot be rolled back: no mail, no HTTP, no files.
   * @throws whatever `work` throws, after a rollback; `unavailable()` if the database does not respond in time
   */
  transaction<R>(work: (tx: Transaction) => Promise<R>, options?: TransactionOptions): Promise<R>;
  /** Returns true if the database responds within a second. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

/** A row violates a unique key. `index` is its name, if the database reports it. */
export class DuplicateKey extends Error {
  readonly index: string;
  constructor(index: string) {
    super(`Duplicate value for ${index}`);
    this.index = index;
  }
}

/** A row violates a foreign key: the referenced row does not exist, or other rows still reference this one. */
export class MissingReference extends Error {
  constructor() {
    super('A referenced row does not exist, or the row is still referenced');
  }
}
