// A record: a noun with everything that must follow its writes. It is declared once, and `create`, `change` and `remove`
// do it (write.ts).
import type { Context } from '../plugin/context.ts';
import type { AnnouncedChange } from '../plugin/record-change.ts';
import { Table, type New, type Row } from '../database/table.ts';
import type { Activity } from '../log/activity.ts';
import type { NameSource } from '../list/names.ts';
import type { FilterMap } from './filter.ts';
import { compileNew, type NewRow } from './new-row.ts';
import { noun, type Noun, type NounOptions, type SortMap } from './noun.ts';

type Later = void | Promise<void>;

/** The record that a row belongs to, which changes with it; its row, or at least its key and its company. */
export type Owner = Pick<AnnouncedChange, 'of' | 'row' | 'internal'>;

/** What the `changed` hook of a record is told. */
export interface Change<T extends Table> {
  readonly before: Row<T>;
  readonly after: Row<T>;
  /** The names of the changed fields, as in the activity log. */
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
  /** The `entity_type` in the activity log; the table's name when absent. */
  readonly type?: string;
  /** The noun's name in the activity log, where `title` is ambiguous without its surface: `CRM contact`. */
  readonly logTitle?: string;
  /** A row's name in the activity log: `${logTitle ?? title} ${call(row)} created`, `updated` or `deleted`. */
  readonly call: (row: Row<T>) => string | number;
  /** The message of duplicate() when a unique key is taken. */
  readonly taken?: (row: Row<T>) => string;
  /** The message of inUse() when others refer to the row; `by` says who. Without it references are not checked. */
  readonly held?: (row: Row<T>, by: readonly string[]) => string;
  /** What the activity log says, where it is not the usual. */
  readonly log?: LogOptions<T>;
  /** Columns that are overwritten when a row is deleted by `deleted_at`, besides its unique keys: secrets go at once (V-25). */
  readonly erased?: Partial<Row<T>>;
  /**
   * Computes columns that follow from others, such as look-up keys. Callers cannot set them; they are not logged. `before`
   * is undefined for a new row.
   */
  readonly derive?: (row: Row<T>, before: Row<T> | undefined) => Pick<Row<T>, D>;
  /** Columns that change along, such as `closed_at` with the status. They are logged like the others. */
  readonly follow?: (ctx: Context, before: Row<T>, wanted: Partial<Row<T>>) => Partial<Row<T>>;
  /** Columns that must still be as the caller saw them, or else conflict(); for changes without a lock. */
  readonly unchanged?: readonly (keyof Row<T> & string)[];
  /** False for tables that are logs themselves: live listeners and the search index are not told of their changes. */
  readonly announced?: false;
  /** The record that the row belongs to: live listeners and the search index are told that it changed, too. */
  readonly partOf?: (row: Row<T>) => Owner | undefined;
  /** The cached name to invalidate when one of its columns changes. */
  readonly names?: NameSource;
  /** Checks a row before it is stored. `changeAll` calls it for each row, so avoid queries. */
  prepare?(ctx: Context, after: Row<T>, before: Row<T> | undefined): Later;
  /** Emits events, and writes rows of other tables that belong to it. */
  created?(ctx: Context, row: Row<T>): Later;
  changed?(ctx: Context, changes: readonly Change<T>[]): Later;
  removed?(ctx: Context, rows: readonly Row<T>[]): Later;
}

type Stamps = 'created_at' | 'updated_at' | 'deleted_at';
type Plain<T> = { [K in keyof T]: T[K] };

/** A noun with what must follow its writes. The hooks lose the type of their row, which no general type can express. */
export interface Recorded<
  T extends Table = Table,
  D extends string = string,
  F extends FilterMap = FilterMap,
  S extends SortMap = SortMap,
> extends Noun<T, F, S> {
  readonly type: string;
  readonly options: WriteOptions<any, any>;
  /** Unique columns, which become null when a row is deleted by `deleted_at` (V-25). */
  readonly freed: readonly string[];
  /** Hidden columns, of which the log says only that they changed. */
  readonly secret: readonly string[];
  readonly newRow: NewRow;
  /** For the type only. */
  readonly Derived?: D;
}

/** The input of `create`: the columns of an insert without timestamps and derived columns. */
export type Given<R extends Recorded> =
  R extends Recorded<infer T, infer D, any, any> ? Plain<Omit<New<T>, Stamps | D>> : never;
/** The input of `change`; undefined leaves a column as it is. */
export type Wanted<R extends Recorded> =
  R extends Recorded<infer T, infer D, any, any> ? Plain<Partial<Omit<Row<T>, Stamps | D>>> : never;

/**
 * Declares a noun and what must follow its writes; once, at module level. It takes a table, or a noun that was declared
 * with `noun()`. @throws Error for a sort by an unknown column
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
    newRow: compileNew(read.table),
  });
}

/** Unique columns that may be null; of compound unique keys, the columns that are look-up keys. */
function uniqueColumns({ columns, indices }: Table): string[] {
  const unique = indices.filter((each) => each.unique).map((each) => each.columns);
  return Object.keys(columns).filter((each) => {
    const { options } = columns[each] ?? {};
    if (!options?.nullable) return false;
    return options.unique || unique.some((of) => of.includes(each) && (of.length === 1 || options.kind === 'key'));
  });
}
