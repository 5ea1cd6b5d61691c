// Declares a record: a noun plus the side effects of its writes, which `create`, `change` and `remove` run (write.ts).
import { Table, type New, type Row } from '@keelson/database/schema/table.ts';
import type { Timestamp } from '@keelson/kit/time.ts';
import type { NameSource } from '@keelson/list/name-cache.ts';
import type { Activity } from '@keelson/log/activity.ts';
import type { AnnouncedChange } from '../plugin/change-feed.ts';
import type { Context } from '../plugin/context.ts';
import type { FilterMap } from './filter.ts';
import { noun, type Noun, type NounOptions, type SortMap } from './noun.ts';

type Later = void | Promise<void>;

/** The record that a row belongs to and that changes with it. `row` holds at least its key and its company. */
export type Owner = Pick<AnnouncedChange, 'of' | 'row' | 'internal'>;

/** A change passed to a record's `changed` hook. */
export interface Change<T extends Table> {
  readonly before: Row<T>;
  readonly after: Row<T>;
  /** Names of the changed fields, as in the activity log. */
  readonly changed: readonly string[];
}

export interface LogOptions<T extends Table> {
  /** The log's `entity_id`; defaults to the key. */
  readonly id?: (row: Row<T>) => string | number;
  /**
   * The whole sentence instead of `${title} ${call(row)} created`. `nameOf` returns the name of a record in a column of
   * `names`.
   */
  readonly describe?: (
    action: Activity['action'],
    row: Row<T>,
    nameOf: (column: keyof Row<T> & string) => string,
  ) => string;
  /** Columns with ids whose names `describe` needs: `{ user_id: TechnicianNames }`. */
  readonly names?: { readonly [K in keyof Row<T> & string]?: NameSource };
  /** Columns to log for a new row; none by default. */
  readonly created?: readonly (keyof Row<T> & string)[];
  /** Bookkeeping columns that change along with others and are not logged. */
  readonly omit?: readonly (keyof Row<T> & string)[];
  /**
   * Redacts columns that may contain a secret, such as a token in a URL. If the redacted value does not change, the log
   * only states that the column changed.
   */
  readonly redact?: (row: Row<T>) => Redacted<T>;
}
/** A redacted value need not be valid for the column. */
type Redacted<T extends Table> = { readonly [K in keyof Row<T>]?: unknown };

export interface WriteOptions<T extends Table, D extends keyof Row<T> & string> {
  /** The `entity_type` in the activity log; defaults to the table's name. */
  readonly type?: string;
  /** The noun's name in the activity log, if `title` is ambiguous outside its surface: `CRM contact`. */
  readonly logTitle?: string;
  /** A row's name in the activity log: `${logTitle ?? title} ${call(row)} created`, `updated` or `deleted`. */
  readonly call: (row: Row<T>) => string | number;
  /** The message of duplicate() if a unique key is taken. */
  readonly taken?: (row: Row<T>) => string;
  /**
   * The message of inUse() if other rows reference this one; `by` lists them. Without it references are not checked.
   */
  readonly held?: (row: Row<T>, by: readonly string[]) => string;
  /** Overrides for the activity log. */
  readonly log?: LogOptions<T>;
  /** Columns to overwrite on soft delete, in addition to unique keys: secrets are erased immediately (V-25). */
  readonly erased?: Partial<Row<T>>;
  /**
   * Computes columns derived from others, such as look-up keys. Callers cannot set them, and they are not logged.
   * `before` is undefined for a new row.
   */
  readonly derive?: (row: Row<T>, before: Row<T> | undefined) => Pick<Row<T>, D>;
  /** Columns that change as a consequence, such as `closed_at` with the status. They are logged like the others. */
  readonly follow?: (ctx: Context, before: Row<T>, wanted: Partial<Row<T>>) => Partial<Row<T>>;
  /** Columns that must still have the values that the caller saw, otherwise conflict(). For changes without a lock. */
  readonly unchanged?: readonly (keyof Row<T> & string)[];
  /** False for log tables: live listeners and the search index are not notified of their changes. */
  readonly announced?: false;
  /** The record that the row belongs to. Live listeners and the search index are notified that it changed too. */
  readonly partOf?: (row: Row<T>) => Owner | undefined;
  /** The cached name to invalidate if one of its columns changes. */
  readonly names?: NameSource;
  /** Validates a row before it is stored. `changeAll` calls it for each row, so avoid queries. */
  prepare?(ctx: Context, after: Row<T>, before: Row<T> | undefined): Later;
  /** Hooks after a write: emit events, and write dependent rows of other tables. */
  created?(ctx: Context, row: Row<T>): Later;
  changed?(ctx: Context, changes: readonly Change<T>[]): Later;
  removed?(ctx: Context, rows: readonly Row<T>[]): Later;
}

type Stamps = 'created_at' | 'updated_at' | 'deleted_at';
type Plain<T> = { [K in keyof T]: T[K] };

/** A noun with the side effects of its writes. Hooks lose their row type, which no general type can express. */
export interface Recorded<
  T extends Table = Table,
  D extends string = string,
  F extends FilterMap = FilterMap,
  S extends SortMap = SortMap,
> extends Noun<T, F, S> {
  readonly type: string;
  readonly options: WriteOptions<any, any>;
  /** Unique columns, set to null on soft delete (V-25). */
  readonly freed: readonly string[];
  /** Hidden columns. The log only states that they changed. */
  readonly secret: readonly string[];
  readonly newRow: NewRow;
  /** Type-only. */
  readonly Derived?: D;
}

/** The input of `create`: the columns of an insert, without timestamps and derived columns. */
export type Given<R extends Recorded> =
  R extends Recorded<infer T, infer D, any, any> ? Plain<Omit<New<T>, Stamps | D>> : never;
/** The input of `change`. Undefined leaves a column unchanged. */
export type Wanted<R extends Recorded> =
  R extends Recorded<infer T, infer D, any, any> ? Plain<Partial<Omit<Row<T>, Stamps | D>>> : never;

/**
 * Declares a noun and the side effects of its writes, from a table or from a noun declared with `noun()`. Call once, at
 * module level.
 * @throws Error for a sort by an unknown column
 */
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
    newRow: newRowOf(read.table),
  });
}

/** Returns nullable unique columns; for compound unique keys, only the look-up key columns. */
function uniqueColumns({ columns, indices }: Table): string[] {
  const unique = indices.filter((each) => each.unique).map((each) => each.columns);
  return Object.keys(columns).filter((each) => {
    const { options } = columns[each] ?? {};
    if (!options?.nullable) return false;
    return options.unique || unique.some((of) => of.includes(each) && (of.length === 1 || options.kind === 'key'));
  });
}

type NewRow = (given: Readonly<Record<string, unknown>>, now: Timestamp) => Record<string, unknown>;

/** Returns a builder of complete rows, with only the table's columns. Absent ones get their default or null. */
function newRowOf({ columns }: Table): NewRow {
  // Undefined lets the database generate the id.
  const defaults = Object.entries(columns).map(
    ([key, { options }]) => [key, options.kind === 'id' ? undefined : (options.default ?? null)] as const,
  );
  return (given, now) => {
    const values: typeof given = { ...given, created_at: now, updated_at: now, deleted_at: null };
    return Object.fromEntries(defaults.map(([key, none]) => [key, values[key] === undefined ? none : values[key]]));
  };
}
