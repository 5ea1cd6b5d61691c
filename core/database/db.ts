// The interface for reading and writing rows, identical on both databases.
import type { EntityManager } from 'typeorm';
import type { Sql } from './sql.ts';
import type { Dialect, New, Row, Table } from './table.ts';

/** A comparison other than equality: `{ created_at: below(ctx.now) }`. */
export class Compare {
  readonly operator: '<' | '<=' | '>' | '>=' | '<>';
  readonly value: string | number;
  constructor(operator: Compare['operator'], value: string | number) {
    this.operator = operator;
    this.value = value;
  }
}
/** In a `Where`: less than the value. */
export const below = (value: string | number) => new Compare('<', value);
/** In a `Where`: less than or equal to the value. */
export const atMost = (value: string | number) => new Compare('<=', value);
/** In a `Where`: greater than the value. */
export const above = (value: string | number) => new Compare('>', value);
/** In a `Where`: greater than or equal to the value. */
export const atLeast = (value: string | number) => new Compare('>=', value);
/** In a `Where`: not equal to the value. Null does not match. */
export const not = (value: string | number) => new Compare('<>', value);

/** An inclusive range. */
export class Between {
  readonly from: string | number;
  readonly to: string | number;
  constructor(from: string | number, to: string | number) {
    this.from = from;
    this.to = to;
  }
}
/** In a `Where`: between the two values, inclusive. */
export const between = (from: string | number, to: string | number) => new Between(from, to);

/** Conditions that must all hold: a column equals a value or null, is in an array, or compares. `undefined` throws. */
export type Where<T extends Table> = {
  [K in keyof Row<T>]?: Row<T>[K] | readonly NonNullable<Row<T>[K]>[] | Compare | Between;
};

export interface FindOptions<T extends Table> {
  readonly order?: readonly (readonly [column: keyof Row<T> & string, direction: 'ASC' | 'DESC'])[];
  readonly limit?: number;
  /** Locks the rows on MySQL until the transaction ends. No effect on SQLite, which serialises writers. */
  readonly lock?: boolean;
}

/** Access to rows of declared tables, and to raw statements: `ctx.db`. */
export interface Db {
  readonly dialect: Dialect;
  /** Returns the rows of a SELECT as the driver delivers them. Timestamps are in database format (see kit/time.ts). */
  query<R = Record<string, unknown>>(statement: Sql): Promise<R[]>;
  /** Runs a write statement. Returns the number of rows it matched. */
  run(statement: Sql): Promise<number>;
  /** Returns the matching rows, typed as the table's rows. */
  find<T extends Table>(table: T, where?: Where<T>, options?: FindOptions<T>): Promise<Row<T>[]>;
  /** Returns the first matching row, or undefined. */
  one<T extends Table>(table: T, where: Where<T>, options?: FindOptions<T>): Promise<Row<T> | undefined>;
  /** Returns the number of matching rows. */
  count<T extends Table>(table: T, where?: Where<T>): Promise<number>;
  /**
   * Inserts a row. Returns its generated id, or its given id; 0 for a table without an id column. @throws DuplicateKey
   */
  insert<T extends Table>(table: T, row: New<T>): Promise<number>;
  /** Inserts rows in as few statements as possible. @throws DuplicateKey */
  insertMany<T extends Table>(table: T, rows: readonly New<T>[]): Promise<void>;
  /** Inserts a row, or updates the given columns of the row with the same unique key. */
  upsert<T extends Table>(table: T, row: New<T>, keys: readonly (keyof Row<T> & string)[]): Promise<void>;
  /**
   * Updates the rows that match `where`, or any of several conditions. Returns the number of matched rows, changed or
   * not.
   * @throws TypeError for an empty `where`
   */
  update<T extends Table>(table: T, where: Where<T> | readonly Where<T>[], set: Partial<Row<T>>): Promise<number>;
  /** Deletes the matching rows. Returns their number. @throws TypeError for an empty `where` */
  remove<T extends Table>(table: T, where: Where<T>): Promise<number>;
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
    super('A row refers to one that does not exist, or is still referred to');
  }
}
