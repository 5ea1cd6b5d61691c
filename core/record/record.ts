// What follows a write of a noun: said once, beside its table, and done by create, change and remove (write.ts).
import type { Context } from '../plugin/context.ts';
import { Table, type New, type Row } from '../database/table.ts';
import type { Activity } from '../log/activity.ts';
import type { NameSource } from '../list/names.ts';
import type { FilterMap } from './filter.ts';
import { compileNew, type NewRow } from './new-row.ts';
import { noun, type Noun, type NounOptions, type SortMap } from './noun.ts';

type Later = void | Promise<void>;

/** What the `changed` hook of a record is told. */
export interface Change<T extends Table> {
  readonly before: Row<T>;
  readonly after: Row<T>;
  /** The fields that the activity log tells. */
  readonly changed: readonly string[];
}

export interface LogOptions<T extends Table> {
  /** The log's `entity_id`; the key when absent. */
  readonly id?: (row: Row<T>) => string | number;
  /** The whole sentence instead of `${title} ${call(row)} created`. */
  readonly describe?: (action: Activity['action'], row: Row<T>) => string;
  /** Columns of a new row that are told; none when absent. */
  readonly created?: readonly (keyof Row<T> & string)[];
  /** Bookkeeping that changes with other columns and that nobody has to know. */
  readonly omit?: readonly (keyof Row<T> & string)[];
  /**
   * How columns are told that contain a secret somewhere, such as a token in an address. Where that is the same before
   * and after, the log tells only that the column changed.
   */
  readonly redact?: (row: Row<T>) => Redacted<T>;
}
/** What stands for a redacted value need not be one that the column could have. */
type Redacted<T extends Table> = { readonly [K in keyof Row<T>]?: unknown };

export interface WriteOptions<T extends Table, D extends keyof Row<T> & string> {
  /** The activity log's `entity_type`; the table's name when absent. */
  readonly type?: string;
  /** What the activity log calls the noun, where `title` says too little without its surface: `CRM contact`. */
  readonly logTitle?: string;
  /** What the activity log calls a row: `${logTitle ?? title} ${call(row)} created`, updated, deleted. */
  readonly call: (row: Row<T>) => string | number;
  /** The sentence for a value that a unique key refuses: duplicate(…). */
  readonly taken?: (row: Row<T>) => string;
  /** The sentence for a row that others refer to: inUse(…). `by` are their words. Without it nobody asks. */
  readonly held?: (row: Row<T>, by: readonly string[]) => string;
  /** What the activity log says, where it is not the usual. */
  readonly log?: LogOptions<T>;
  /** What a row loses with `deleted_at`, besides its unique keys: secrets go at once (V-25). */
  readonly erased?: Partial<Row<T>>;
  /** Look-up keys and the like: nobody gives them, no log tells them. `before` is undefined for a new row. */
  readonly derive?: (row: Row<T>, before: Row<T> | undefined) => Pick<Row<T>, D>;
  /** What a change brings with it: `closed_at` with the status. Told like the rest. */
  readonly follow?: (ctx: Context, before: Row<T>, wanted: Partial<Row<T>>) => Partial<Row<T>>;
  /** These must still be as the caller saw them, else conflict(). For rows that are changed without a lock. */
  readonly unchanged?: readonly (keyof Row<T> & string)[];
  /** Forgotten when one of its columns changes. */
  readonly names?: NameSource;
  /** Judges a row before it is stored. A query here is one for each row of `changeAll`. */
  prepare?(ctx: Context, after: Row<T>, before: Row<T> | undefined): Later;
  /** Events, and rows of other tables that belong to it. */
  created?(ctx: Context, row: Row<T>): Later;
  changed?(ctx: Context, changes: readonly Change<T>[]): Later;
  removed?(ctx: Context, rows: readonly Row<T>[]): Later;
}

type Stamps = 'created_at' | 'updated_at' | 'deleted_at';
type Plain<T> = { [K in keyof T]: T[K] };

/** A noun with what follows its writes. The hooks are kept without the type of their row, which no general type can name. */
export interface Recorded<
  T extends Table = Table,
  D extends string = string,
  F extends FilterMap = FilterMap,
  S extends SortMap = SortMap,
> extends Noun<T, F, S> {
  readonly type: string;
  readonly options: WriteOptions<any, any>;
  /** Unique columns: emptied when a row is deleted by `deleted_at` (V-25). */
  readonly freed: readonly string[];
  /** What the log tells only that it changed: hidden columns. */
  readonly secret: readonly string[];
  readonly newRow: NewRow;
  /** Only there for the type. */
  readonly Derived?: D;
}

/** What `create` takes: an insert's columns less stamps and derived ones. */
export type Given<R extends Recorded> =
  R extends Recorded<infer T, infer D, any, any> ? Plain<Omit<New<T>, Stamps | D>> : never;
/** What `change` takes; what is undefined stays as it is. */
export type Wanted<R extends Recorded> =
  R extends Recorded<infer T, infer D, any, any> ? Plain<Partial<Omit<Row<T>, Stamps | D>>> : never;

/** Declares a noun and what follows its writes, once, at module level. */
export function record<
  T extends Table,
  D extends keyof Row<T> & string = never,
  F extends FilterMap = {},
  S extends SortMap = {},
>(of: T, options: NounOptions<T, F, S> & WriteOptions<T, D>): Recorded<T, D, F, S>;
export function record<
  T extends Table,
  F extends FilterMap,
  S extends SortMap,
  D extends keyof Row<T> & string = never,
>(of: Noun<T, F, S>, options: WriteOptions<T, D>): Recorded<T, D, F, S>;
export function record(of: Table | Noun, options: NounOptions<any, any, any> | WriteOptions<any, any>): unknown {
  const read = of instanceof Table ? noun(of, options as NounOptions<any, any, any>) : of;
  const { columns } = read.table;
  const writing = options as WriteOptions<any, any>;
  return Object.freeze({
    ...read,
    type: writing.type ?? read.table.name,
    options: Object.freeze({ ...writing }),
    freed: uniqueColumns(read.table),
    secret: Object.keys(columns).filter((each) => columns[each]?.options.hidden),
    newRow: compileNew(read.table),
  });
}

/** Unique columns that may be empty; of a key of several columns those that are look-up keys. */
function uniqueColumns({ columns, indices }: Table): string[] {
  const unique = indices.filter((each) => each.unique).map((each) => each.columns);
  return Object.keys(columns).filter((each) => {
    const { options } = columns[each] ?? {};
    if (!options?.nullable) return false;
    return options.unique || unique.some((of) => of.includes(each) && (of.length === 1 || options.kind === 'key'));
  });
}
