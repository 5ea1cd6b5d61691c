// The interface through which rows are read and written, the same on both databases.
import type { EntityManager } from 'typeorm';
import type { Sql } from './sql.ts';
import type { Dialect, New, Row, Table } from './table.ts';

/** A comparison other than "equals": `{ created_at: below(ctx.now) }`. */
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
/** In a `Where`: different from the value; null does not match. */
export const not = (value: string | number) => new Compare('<>', value);

/** A range, both ends included. */
export class Between {
  readonly from: string | number;
  readonly to: string | number;
  constructor(from: string | number, to: string | number) {
    this.from = from;
    this.to = to;
  }
}
/** In a `Where`: from the one to the other value, both included. */
export const between = (from: string | number, to: string | number) => new Between(from, to);

/** Conditions that must all hold: a column equals a value or null, is in an array, or compares. `undefined` throws. */
export type Where<T extends Table> = {
  [K in keyof Row<T>]?: Row<T>[K] | readonly NonNullable<Row<T>[K]>[] | Compare | Between;
};

export interface FindOptions<T extends Table> {
  readonly order?: readonly (readonly [column: keyof Row<T> & string, direction: 'ASC' | 'DESC'])[];
  readonly limit?: number;
  /** Locks the rows on MySQL until the transaction ends. On SQLite writers take turns anyway. */
  readonly lock?: boolean;
}

/** Rows of declared tables by their columns, and statements: `ctx.db`. */
export interface Db {
  readonly dialect: Dialect;
  /** Rows of a SELECT as the driver returns them: timestamps are the database's text (see kit/time.ts). */
  query<R = Record<string, unknown>>(statement: Sql): Promise<R[]>;
  /** Runs a statement that writes; answers the number of rows it matched. */
  run(statement: Sql): Promise<number>;
  /** The table's rows that match, as its row type. */
  find<T extends Table>(table: T, where?: Where<T>, options?: FindOptions<T>): Promise<Row<T>[]>;
  /** The first row that matches, or undefined. */
  one<T extends Table>(table: T, where: Where<T>, options?: FindOptions<T>): Promise<Row<T> | undefined>;
  /** The number of rows that match. */
  count<T extends Table>(table: T, where?: Where<T>): Promise<number>;
  /** Inserts a row; answers its generated id, or 0 for a table without one. @throws DuplicateKey */
  insert<T extends Table>(table: T, row: New<T>): Promise<number>;
  /** Inserts many rows with as few statements as possible. @throws DuplicateKey */
  insertMany<T extends Table>(table: T, rows: readonly New<T>[]): Promise<void>;
  /** Inserts a row, or updates the given columns of the row with the same unique key. */
  upsert<T extends Table>(table: T, row: New<T>, keys: readonly (keyof Row<T> & string)[]): Promise<void>;
  /**
   * Updates the rows that match, or that match one of several conditions; answers how many matched, changed or not.
   * @throws TypeError for an empty `where`
   */
  update<T extends Table>(table: T, where: Where<T> | readonly Where<T>[], set: Partial<Row<T>>): Promise<number>;
  /** Deletes the rows that match; answers how many. @throws TypeError for an empty `where` */
  remove<T extends Table>(table: T, where: Where<T>): Promise<number>;
  /**
   * TypeORM's manager on the same connection, made at the first call. Its statements have the same deadline, count as
   * writes and throw the same errors (`DuplicateKey`, `unavailable()`). In a transaction it works inside of it; outside
   * it can only read, and writing throws.
   */
  manager(): EntityManager;
}

export interface TransactionOptions {
  /** On SQLite, where all others wait for it: whether it is given up when it asks nothing for two seconds. */
  readonly notIdle?: boolean;
}

/** An open transaction. */
export interface Transaction extends Db {
  /**
   * Inserts a row whose id the caller has chosen just before the transaction's next statement, or with the commit. That
   * saves a round trip; that statement or the commit throws `DuplicateKey` for a duplicate.
   */
  deferInsert<T extends Table>(table: T, row: Row<T>): void;
  /**
   * Inserts a row together with the commit, all such rows in as few round trips as possible. It is for rows that the
   * transaction does not read: events, deliveries, activity, counter deltas.
   */
  append<T extends Table>(table: T, row: New<T>): void;
  /** Runs a statement that writes together with the commit, after all others, if possible in the same round trip. */
  last(statement: Sql): void;
  /** Runs in the transaction when its work is done, for callers that cannot await something themselves. */
  beforeCommit(work: () => Promise<void>): void;
  /** Runs after the commit, outside the transaction; never after a rollback. */
  afterCommit(work: () => void): void;
  /** The number of writes so far, appended rows included. */
  writes(): number;
}

/** The database of one tenant. */
export interface Database extends Db {
  /**
   * Runs `work` in one transaction; answers its result. `work` may run more than once, because a MySQL deadlock is tried
   * again, so it must do nothing that cannot be rolled back: no mail, no HTTP, no files.
   * @throws what `work` throws, after rolling back; `unavailable()` when the database does not answer in time
   */
  transaction<R>(work: (tx: Transaction) => Promise<R>, options?: TransactionOptions): Promise<R>;
  /** True when the database answers within a second. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

/** A row violates a unique key; `index` is its name as far as the database tells. */
export class DuplicateKey extends Error {
  readonly index: string;
  constructor(index: string) {
    super(`Duplicate value for ${index}`);
    this.index = index;
  }
}

/** A row violates a foreign key: the row it refers to does not exist, or other rows still refer to it. */
export class MissingReference extends Error {
  constructor() {
    super('A row refers to one that does not exist, or is still referred to');
  }
}
