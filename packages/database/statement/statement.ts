// Builds statements from table declarations, as portable as possible, and converts the returned rows.
import { memoize } from '@keelson/kit/memoize.ts';
import { FindOperator } from 'typeorm';
import type { AnyWhere, FindOptions, Where } from '../db.ts';
import type { Dialect, Kind } from '../schema/column.ts';
import { columnOf, fromStored, isBeyond, storedValue } from '../schema/stored-value.ts';
import type { New, Row, Table } from '../schema/table.ts';
import { insertShapes, inserts, type Insert, type InsertShapes } from './insert-statement.ts';
import { joined, quoted, type Sql } from './sql.ts';

type Values = Readonly<Record<string, unknown>>;

/** SQL has no OFFSET without a LIMIT. */
const MANY = Number.MAX_SAFE_INTEGER;

export interface Statements {
  /** Builds statements of up to 250 rows each. Rows with an id and rows without one need different statements. */
  insert(table: Table, rows: readonly Values[]): Insert[];
  /** Builds statements as `insert` does. Columns that any of the rows gives are updated. */
  upsert(table: Table, rows: readonly Values[], keys: readonly string[]): Insert[];
  select<T extends Table>(table: T, options: FindOptions<T>): Sql;
  count<T extends Table>(table: T, where: AnyWhere<T> | undefined): Sql;
  update<T extends Table>(table: T, where: AnyWhere<T>, set: Values): Sql;
  delete<T extends Table>(table: T, where: AnyWhere<T>): Sql;
  /** Converts the driver's rows to the declared row type, in place. */
  rows<T extends Table>(table: T, raw: Record<string, unknown>[]): Row<T>[];
}

/** SQL text for a table's statements, built once. */
interface Shape {
  readonly select: string;
  readonly insert: InsertShapes;
  /** Columns whose stored representation differs from the row's. */
  readonly converted: readonly (readonly [name: string, kind: Kind])[];
}

/** Creates the statement builder for a dialect. */
export function statementsFor(dialect: Dialect): Statements {
  const shapeOf = memoize(makeShape);
  return {
    insert: (table, rows) => inserts(table, shapeOf(table).insert, rows),
    upsert: (table, rows, keys) => upserts(table, shapeOf(table), rows, keys, dialect),
    select: (table, options) => select(table, shapeOf(table), options, dialect),
    count: (table, where) => {
      const { text, params } = condition(table, where);
      return { text: `SELECT COUNT(*) AS n FROM ${quoted(table.name)}${text}`, params };
    },
    update: (table, where, set) => update(table, where, set),
    delete: (table, where) => {
      const { text, params } = required(table, where);
      return { text: `DELETE FROM ${quoted(table.name)}${text}`, params };
    },
    rows: (table, raw) => convert(shapeOf(table), raw),
  };
}

function makeShape(table: Table): Shape {
  const columns = Object.keys(table.columns);
  const kinds = Object.entries(table.columns).map(([name, each]) => [name, each.options.kind] as const);
  return {
    select: `SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(table.name)}`,
    insert: insertShapes(table),
    converted: kinds.filter(([, kind]) => ['timestamp', 'json', 'flag', 'big'].includes(kind)),
  };
}

function upserts(
  table: Table,
  shape: Shape,
  rows: readonly Values[],
  keys: readonly string[],
  dialect: Dialect,
): Insert[] {
  for (const each of keys) columnOf(table, each);
  const given = new Set(rows.flatMap((row) => Object.keys(row).filter((each) => row[each] !== undefined)));
  const changed = [...given].filter((each) => !keys.includes(each));
  // If nothing changes, set a column to itself, which both databases accept.
  const set = changed.length > 0 ? changed : keys.slice(0, 1);
  const values = (name: string) => (dialect === 'mysql' ? `VALUES(${quoted(name)})` : `excluded.${quoted(name)}`);
  const tail = set.map((each) => `${quoted(each)} = ${values(each)}`).join(', ');
  const on =
    dialect === 'mysql' ? 'ON DUPLICATE KEY UPDATE' : `ON CONFLICT (${keys.map(quoted).join(', ')}) DO UPDATE SET`;
  return inserts(table, shape.insert, rows).map((each) => ({ ...each, text: `${each.text} ${on} ${tail}` }));
}

function select<T extends Table>(table: T, shape: Shape, options: FindOptions<T>, dialect: Dialect): Sql {
  const { text, params } = condition(table, options.where);
  const lock = options.lock && dialect === 'mysql' ? ' FOR UPDATE' : '';
  return { text: shape.select + text + orderBy(table, options) + limit(options) + lock, params };
}

function orderBy<T extends Table>(table: T, { order = {} }: FindOptions<T>): string {
  const terms = Object.entries(order).map(([name, direction]) => {
    columnOf(table, name);
    return `${quoted(name)} ${direction === 'DESC' ? 'DESC' : 'ASC'}`;
  });
  return terms.length === 0 ? '' : ` ORDER BY ${terms.join(', ')}`;
}

function limit<T extends Table>({ take, skip }: FindOptions<T>): string {
  for (const each of [take, skip])
    if (each !== undefined && (!Number.isSafeInteger(each) || each < 0))
      throw new TypeError('A limit must be a whole number');
  if (skip) return ` LIMIT ${take ?? MANY} OFFSET ${skip}`;
  return take === undefined ? '' : ` LIMIT ${take}`;
}

function update<T extends Table>(table: T, where: AnyWhere<T>, set: Values): Sql {
  const names = Object.keys(set).filter((each) => set[each] !== undefined);
  if (names.length === 0) throw new TypeError(`Nothing to update in ${table.name}`);
  const params = names.map((each) => storedValue(table, each, set[each]));
  const matching = required(table, where);
  const assignments = names.map((each) => `${quoted(each)} = ?`).join(', ');
  return {
    text: `UPDATE ${quoted(table.name)} SET ${assignments}${matching.text}`,
    params: [...params, ...matching.params],
  };
}

function required<T extends Table>(table: T, where: AnyWhere<T>): Sql {
  const several = listOf(where);
  if (several.length === 0 || several.some((each) => Object.keys(each).length === 0))
    throw new TypeError(`Refusing to change all rows of ${table.name}`);
  return condition(table, where);
}

function condition<T extends Table>(table: T, where: AnyWhere<T> = {}): Sql {
  // TypeORM ignores an empty condition among others.
  const several = listOf(where).filter((each) => Object.keys(each).length > 0);
  if (several.length === 0) return { text: '', params: [] };
  const { text, params } = joined(
    several.map((each) => matchingAll(table, each)),
    ' OR ',
  );
  return { text: ` WHERE ${text}`, params };
}

function listOf<T extends Table>(where: AnyWhere<T>): readonly Where<T>[] {
  return Array.isArray(where) ? where : [where as Where<T>];
}

function matchingAll<T extends Table>(table: T, where: Where<T>): Sql {
  return joined(Object.entries(where).map(([name, value]) => comparison(table, name, value)));
}

/** TypeORM's operators that compare with one value. */
const comparisons: ReadonlyMap<string, string> = new Map([
  ['equal', '='],
  ['lessThan', '<'],
  ['lessThanOrEqual', '<='],
  ['moreThan', '>'],
  ['moreThanOrEqual', '>='],
]);

const options: ReadonlySet<string> = new Set([
  'where',
  'order',
  'take',
  'skip',
  'lock',
  'relations',
  'select',
  'relationLoadStrategy',
]);

/**
 * Returns true if `select` and `count` can express the options; the others are left to TypeORM.
 * @throws TypeError for an unknown option, because a condition outside `where` would be ignored and match every row
 */
export function isShort(given: object): boolean {
  return Object.entries(given).every(([name, value]) => {
    if (!options.has(name)) throw new TypeError(`${name} is not an option: conditions belong in where`);
    if (Array.isArray(value) && value.length === 0) throw new TypeError('where has no conditions');
    if (name === 'where') return listOf((value ?? {}) as Values).every((each) => Object.values(each).every(isPlain));
    return name === 'order' || name === 'take' || name === 'skip' || name === 'lock';
  });
}

function isPlain(value: unknown): boolean {
  if (!(value instanceof FindOperator)) return true;
  const { type, child } = value;
  if (type === 'not') return child === undefined || ['in', 'isNull', 'equal'].includes(child.type);
  return child === undefined && (type === 'in' || type === 'isNull' || type === 'between' || comparisons.has(type));
}

function comparison(table: Table, name: string, value: unknown): Sql {
  columnOf(table, name);
  // A missing value must not widen the condition.
  if (value === undefined || value === null)
    throw new TypeError(
      `${table.name}.${name} is compared with ${value === null ? 'null: use IsNull()' : 'undefined'}`,
    );
  if (!(value instanceof FindOperator)) return equal(table, name, value);
  if (value.type !== 'not') return operation(table, name, value);
  const { child } = value;
  if (child?.type === 'isNull') return { text: `${quoted(name)} IS NOT NULL`, params: [] };
  const { text, params } = child ? operation(table, name, child) : equal(table, name, value.value);
  return { text: `NOT (${text})`, params };
}

function operation(table: Table, name: string, { type, value }: FindOperator<unknown>): Sql {
  if (type === 'isNull') return { text: `${quoted(name)} IS NULL`, params: [] };
  if (type === 'in') return oneOf(table, name, value as readonly unknown[]);
  if (type === 'between') {
    const params = (value as readonly unknown[]).map((each) => storedValue(table, name, each));
    return { text: `${quoted(name)} BETWEEN ? AND ?`, params };
  }
  const operator = comparisons.get(type);
  if (!operator) throw new TypeError(`${type} is not supported in updates and deletes: use a statement`);
  return { text: `${quoted(name)} ${operator} ?`, params: [storedValue(table, name, value)] };
}

function equal(table: Table, name: string, value: unknown): Sql {
  if (isBeyond(table, name, value)) return NOTHING;
  return { text: `${quoted(name)} = ?`, params: [storedValue(table, name, value)] };
}

function oneOf(table: Table, name: string, values: readonly unknown[]): Sql {
  const possible = values.filter((each) => !isBeyond(table, name, each));
  if (possible.length === 0) return NOTHING;
  return {
    text: `${quoted(name)} IN (${possible.map(() => '?').join(', ')})`,
    params: possible.map((each) => storedValue(table, name, each)),
  };
}

const NOTHING: Sql = { text: '1 = 0', params: [] };

function convert<T extends Table>(shape: Shape, raw: Record<string, unknown>[]): Row<T>[] {
  for (const row of raw) {
    for (const [name, kind] of shape.converted) row[name] = fromStored(kind, row[name]);
  }
  // The types match because the schema is built from the same declaration.
  return raw as Row<T>[];
}

/** Casts a row to untyped values for the builder. */
export function valuesOf<T extends Table>(row: New<T> | Partial<Row<T>>): Values {
  return row as Values;
}
