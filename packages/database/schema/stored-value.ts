// Validates and converts statement values. SQLite accepts any type in any column, and MySQL converts silently (`token =
// 0` matches every token that starts with a letter), so both only get values of the declared kind.
import { lengthOf } from '@keelson/kit/characters.ts';
import { fromDatabase, toDatabase } from '@keelson/kit/time.ts';
import type { ValueTransformer } from 'typeorm';
import type { ColumnOptions, Columns, Kind } from './column.ts';

/** What of a table is needed to convert its values. */
interface Named {
  readonly name: string;
  readonly columns: Columns;
}

const INT_LIMIT = 2 ** 31;
const TIMESTAMP_LENGTH = '2026-11-21T09:30:00.000Z'.length;

const fits: Record<Kind, (value: unknown, options: ColumnOptions) => boolean> = {
  id: Number.isSafeInteger,
  int: (value) => Number.isSafeInteger(value) && Math.abs(Number(value)) < INT_LIMIT,
  big: Number.isSafeInteger,
  varchar: isText,
  key: isText,
  text: (value) => typeof value === 'string',
  flag: (value) => typeof value === 'boolean',
  timestamp: (value) => typeof value === 'string' && value.length === TIMESTAMP_LENGTH && value.endsWith('Z'),
  day: (value) => typeof value === 'string' && value.length === 10,
  json: (value) => value !== undefined,
};

/** Converts a value for the driver. @throws TypeError if it does not match the column; the message omits the value */
export function storedValue(table: Named, name: string, value: unknown): unknown {
  return storerOf(table, name)(value);
}

/** Returns one column's conversion, for converting many values. */
export function storerOf(table: Named, name: string): Store {
  return storer(`${table.name}.${name}`, columnOf(table, name).options);
}

type Store = (value: unknown) => unknown;

function storer(column: string, options: ColumnOptions): Store {
  const { kind } = options;
  const takes = fits[kind];
  return (value) => {
    if (value === null) return null;
    if (!takes(value, options)) throw new TypeError(`${column} cannot store this value`);
    return toStored(kind, value);
  };
}

/**
 * Returns true if a text is longer, or an integer larger, than the column can hold. No row has such a value, so a
 * condition on it matches nothing.
 */
export function isBeyond(table: Named, name: string, value: unknown): boolean {
  const { options } = columnOf(table, name);
  const { kind } = options;
  const text = typeof value === 'string' && (kind === 'varchar' || kind === 'key');
  return (text || (kind === 'int' && Number.isSafeInteger(value))) && !fits[kind](value, options);
}

/** Returns the declared column. @throws TypeError if it does not exist, so that no other name reaches a statement */
export function columnOf(table: Named, name: string) {
  const column = Object.hasOwn(table.columns, name) ? table.columns[name] : undefined;
  if (!column) throw new TypeError(`${table.name} has no column ${name}`);
  return column;
}

// The limit counts characters, not UTF-16 units.
function isText(value: unknown, { length = Infinity }: ColumnOptions): boolean {
  return typeof value === 'string' && (value.length <= length || lengthOf(value) <= length);
}

/** The same conversions as a TypeORM transformer. */
export class ColumnTransformer implements ValueTransformer {
  readonly options: ColumnOptions;
  /** Converts a value for storage. */
  readonly store: Store;
  readonly #compare: Store;
  constructor(column: string, options: ColumnOptions) {
    this.options = options;
    this.store = storer(column, options);
    // Ignore the length: in a condition, a text that is too long is valid and matches no row.
    this.#compare = storer(column, { kind: options.kind });
  }

  /**
   * Converts a value for a condition, or for comparison by `save`. Timestamps become Dates, because TypeORM compares
   * Dates and would parse text in the process's time zone.
   */
  to(value: unknown): unknown {
    if (value === undefined) return undefined;
    const compared = this.#compare(value);
    return this.options.kind === 'timestamp' && typeof value === 'string' ? new Date(value) : compared;
  }

  from(value: unknown): unknown {
    return fromStored(this.options.kind, value);
  }
}

/** Converts a row's value for the driver. */
function toStored(kind: Kind, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (kind === 'timestamp' && typeof value === 'string') return toDatabase(value);
  if (kind === 'json') return JSON.stringify(value);
  if (kind === 'flag') return value ? 1 : 0;
  return value;
}

/** Converts the driver's value for a row. */
export function fromStored(kind: Kind, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (kind === 'timestamp' && typeof value === 'string') return fromDatabase(value);
  if (kind === 'json') return typeof value === 'string' ? JSON.parse(value) : value;
  if (kind === 'flag') return value === true || Number(value) === 1;
  if (kind === 'int' || kind === 'big' || kind === 'id') return Number(value);
  return value;
}
