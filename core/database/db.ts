// What every function that reads or writes rows is given: the same words on both databases.
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
export const below = (value: string | number) => new Compare('<', value);
export const atMost = (value: string | number) => new Compare('<=', value);
export const above = (value: string | number) => new Compare('>', value);
export const atLeast = (value: string | number) => new Compare('>=', value);
export const not = (value: string | number) => new Compare('<>', value);

/** All given columns must match: a value, null, one of an array, or a comparison. `undefined` is refused. */
export type Where<T extends Table> = {
  [K in keyof Row<T>]?: Row<T>[K] | readonly NonNullable<Row<T>[K]>[] | Compare;
};

export interface FindOptions<T extends Table> {
  readonly order?: readonly (readonly [column: keyof Row<T> & string, direction: 'ASC' | 'DESC'])[];
  readonly limit?: number;
  /** On MySQL the rows stay locked until the transaction ends; SQLite writers already wait in turn. */
  readonly lock?: boolean;
}

/** Rows of declared tables by their columns, and statements: `ctx.db`. */
export interface Db {
  readonly dialect: Dialect;
  /** Rows of a SELECT as the driver gives them: timestamps as the database's text (see time.ts), counts as numbers. */
  query<R = Record<string, unknown>>(statement: Sql): Promise<R[]>;
  /** Runs a writing statement. Answers the number of rows it matched. */
  run(statement: Sql): Promise<number>;
  /** The table's rows that match, in the row type of its declaration. */
  find<T extends Table>(table: T, where?: Where<T>, options?: FindOptions<T>): Promise<Row<T>[]>;
  /** The first row that matches, or undefined. */
  one<T extends Table>(table: T, where: Where<T>, options?: FindOptions<T>): Promise<Row<T> | undefined>;
  count<T extends Table>(table: T, where?: Where<T>): Promise<number>;
  /** Adds a row; answers its generated id (0 for a table without one). A duplicate key throws `DuplicateKey`. */
  insert<T extends Table>(table: T, row: New<T>): Promise<number>;
  /** Adds many rows with as few statements as the database takes. */
  insertMany<T extends Table>(table: T, rows: readonly New<T>[]): Promise<void>;
  /** Adds a row, or changes the given columns of the one with the same unique key. */
  upsert<T extends Table>(table: T, row: New<T>, keys: readonly (keyof Row<T> & string)[]): Promise<void>;
  /**
   * Changes the rows that match, or match one of several conditions; answers how many there were, changed or not. An
   * empty `where` is refused.
   */
  update<T extends Table>(table: T, where: Where<T> | readonly Where<T>[], set: Partial<Row<T>>): Promise<number>;
  /** Deletes the rows that match; answers how many. An empty `where` is refused. */
  remove<T extends Table>(table: T, where: Where<T>): Promise<number>;
  /**
   * TypeORM's manager on the same connection, made when it is first asked for: its statements have the same deadline,
   * count as writes and throw the same errors (`DuplicateKey`, `unavailable()`). Inside a transaction it belongs to it;
   * outside it only reads, and whatever writes throws.
   */
  manager(): EntityManager;
}

/** A transaction: everything in it happens, or nothing. */
export interface Transaction extends Db {
  /**
   * Adds a row whose id the caller chose: just before the transaction's next statement, or with the commit when none
   * follows. It saves a round trip; a duplicate key is thrown there, as `DuplicateKey`.
   */
  deferInsert<T extends Table>(table: T, row: Row<T>): void;
  /**
   * Adds a row together with the commit, all such rows in as few round trips as possible. For rows that nothing in the
   * transaction reads back: events, deliveries, activity, counter deltas.
   */
  append<T extends Table>(table: T, row: New<T>): void;
  /** Runs a writing statement together with the commit, after all others, in the same round trip where it can. */
  last(statement: Sql): void;
  /** Runs in the transaction, when its work is done: what has to wait for something, said by what cannot. */
  beforeCommit(work: () => Promise<void>): void;
  /** Runs after the commit, outside the transaction; never when it rolled back. */
  afterCommit(work: () => void): void;
  /** Statements that wrote so far, appended rows included. */
  writes(): number;
}

/** The database of one tenant. */
export interface Database extends Db {
  /**
   * Runs `work` in one transaction. It may run more than once (a MySQL deadlock rolls everything back and is tried
   * again), so it does nothing that cannot be undone: no mail, no HTTP, no file.
   * @throws what `work` throws, after rolling back; `unavailable()` when the database does not answer in time
   */
  transaction<R>(work: (tx: Transaction) => Promise<R>): Promise<R>;
  /** True when the database answers within a second. */
  ping(): Promise<boolean>;
  close(): Promise<void>;
}

/** A unique key refused a row; `index` names it where the database tells. */
export class DuplicateKey extends Error {
  readonly index: string;
  constructor(index: string) {
    super(`Duplicate value for ${index}`);
    this.index = index;
  }
}

/** A foreign key refused a row: what it refers to does not exist, or something still refers to it. */
export class MissingReference extends Error {
  constructor() {
    super('A row refers to one that does not exist, or is still referred to');
  }
}
