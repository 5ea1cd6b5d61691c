// Statements and rows out of table declarations: small SQL, the same on both databases as far as it goes.
import { Compare, type FindOptions, type Where } from './db.ts';
import { joined, type Sql } from './sql.ts';
import { storedDefault } from './schema.ts';
import { columnOf, isBeyond, storedValue } from './stored-value.ts';
import { fromStored, type Dialect, type Kind, type New, type Row, type Table } from './table.ts';

/** SQLite takes 32,766 parameters; MySQL has no such limit, but a packet size (16 MB unless told otherwise). */
const MOST_PARAMS = 30_000;
const MOST_ROWS = 1000;
const MOST_CHARACTERS = 1_000_000;
const MANY_ROWS = 50;

type Values = Readonly<Record<string, unknown>>;

export interface Insert extends Sql {
  /** The column that the database fills, when it does. */
  readonly generated: string | undefined;
}

export interface Statements {
  /** As few statements as the database takes; rows with a given id and rows without go apart. */
  insert(table: Table, rows: readonly Values[]): Insert[];
  upsert(table: Table, row: Values, keys: readonly string[]): Sql;
  select<T extends Table>(table: T, where: Where<T>, options: FindOptions<T>): Sql;
  count<T extends Table>(table: T, where: Where<T>): Sql;
  update<T extends Table>(table: T, where: Where<T>, set: Values): Sql;
  remove<T extends Table>(table: T, where: Where<T>): Sql;
  /** Rows of the driver in the row type of the declaration; changes them in place. */
  rows<T extends Table>(table: T, raw: Record<string, unknown>[]): Row<T>[];
}

/** The text of a table's statements, made once. */
interface Shape {
  readonly select: string;
  readonly generated: string | undefined;
  readonly all: InsertShape;
  readonly withoutId: InsertShape;
  /** Columns whose stored form differs from the row's. */
  readonly converted: readonly (readonly [name: string, kind: Kind])[];
}

interface InsertShape {
  readonly columns: readonly string[];
  readonly prefix: string;
  readonly group: string;
}

/** The builder for one dialect; it remembers the text it made for each table. */
export function statementsFor(dialect: Dialect): Statements {
  const shapes = new WeakMap<Table, Shape>();
  const shapeOf = (table: Table): Shape => {
    const known = shapes.get(table) ?? makeShape(table);
    shapes.set(table, known);
    return known;
  };
  return {
    insert: (table, rows) => inserts(table, shapeOf(table), rows),
    upsert: (table, row, keys) => upsert(table, shapeOf(table), row, keys, dialect),
    select: (table, where, options) => select(table, shapeOf(table), where, options, dialect),
    count: (table, where) => {
      const { text, params } = condition(table, where);
      return { text: `SELECT COUNT(*) AS n FROM ${quoted(table.name)}${text}`, params };
    },
    update: (table, where, set) => update(table, where, set),
    remove: (table, where) => {
      const { text, params } = required(table, where);
      return { text: `DELETE FROM ${quoted(table.name)}${text}`, params };
    },
    rows: (table, raw) => convert(shapeOf(table), raw),
  };
}

/** A name in backticks, which both databases take; only constants of the program come here. */
export function quoted(name: string): string {
  return `\`${name}\``;
}

function makeShape(table: Table): Shape {
  const columns = Object.keys(table.columns);
  const generated = columns.find((each) => table.columns[each]?.options.kind === 'id');
  const kinds = Object.entries(table.columns).map(([name, each]) => [name, each.options.kind] as const);
  return {
    select: `SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(table.name)}`,
    generated,
    all: insertShape(table, columns),
    withoutId: insertShape(
      table,
      columns.filter((each) => each !== generated),
    ),
    converted: kinds.filter(([, kind]) => ['timestamp', 'json', 'flag', 'big'].includes(kind)),
  };
}

function insertShape(table: Table, columns: readonly string[]): InsertShape {
  return {
    columns,
    prefix: `INSERT INTO ${quoted(table.name)} (${columns.map(quoted).join(', ')}) VALUES `,
    group: `(${columns.map(() => '?').join(', ')})`,
  };
}

function inserts(table: Table, shape: Shape, rows: readonly Values[]): Insert[] {
  const { generated } = shape;
  if (!generated) return chunks(table, shape.all, rows, undefined);
  const given = rows.filter((each) => each[generated] !== undefined);
  const filled = rows.filter((each) => each[generated] === undefined);
  const short = filled.length < MANY_ROWS ? shape.withoutId : shortened(table, shape.withoutId, filled);
  return [...chunks(table, shape.all, given, undefined), ...chunks(table, short, filled, generated)];
}

/** For a load of many rows: what none of them gives is left to the database, so there is less to send and to read. */
function shortened(table: Table, { columns }: InsertShape, rows: readonly Values[]): InsertShape {
  const left = (name: string): boolean => {
    const { options } = columnOf(table, name);
    return options.nullable === true || storedDefault(options) !== undefined;
  };
  return insertShape(
    table,
    columns.filter((each) => !left(each) || rows.some((row) => row[each] !== undefined)),
  );
}

function chunks(table: Table, shape: InsertShape, rows: readonly Values[], generated: string | undefined): Insert[] {
  const most = Math.min(MOST_ROWS, Math.floor(MOST_PARAMS / shape.columns.length));
  const result: Insert[] = [];
  let params: unknown[] = [];
  let count = 0;
  let characters = 0;
  const close = () => {
    if (count === 0) return;
    const groups = count === 1 ? shape.group : Array(count).fill(shape.group).join(', ');
    result.push({ text: shape.prefix + groups, params, generated });
    [params, count, characters] = [[], 0, 0];
  };
  for (const row of rows) {
    if (count === most || characters > MOST_CHARACTERS) close();
    for (const value of rowValues(table, shape.columns, row)) {
      params.push(value);
      if (typeof value === 'string') characters += value.length;
    }
    count++;
  }
  close();
  return result;
}

// Defaults are filled in here, so that every row of a table makes the same statement.
function rowValues(table: Table, columns: readonly string[], row: Values): unknown[] {
  for (const name in row) columnOf(table, name);
  return columns.map((name) => {
    const { options } = columnOf(table, name);
    const value = row[name] === undefined ? (options.default ?? null) : row[name];
    if (value === null && !options.nullable) throw new TypeError(`${table.name}.${name} is missing`);
    return storedValue(table, name, value);
  });
}

function upsert(table: Table, shape: Shape, row: Values, keys: readonly string[], dialect: Dialect): Sql {
  const [insert] = inserts(table, shape, [row]);
  if (!insert) throw new Error('An upsert needs a row');
  for (const each of keys) columnOf(table, each);
  const changed = Object.keys(row).filter((each) => row[each] !== undefined && !keys.includes(each));
  // Nothing to change: a column set to itself, which both databases take.
  const set = changed.length > 0 ? changed : keys.slice(0, 1);
  const values = (name: string) => (dialect === 'mysql' ? `VALUES(${quoted(name)})` : `excluded.${quoted(name)}`);
  const tail = set.map((each) => `${quoted(each)} = ${values(each)}`).join(', ');
  const on =
    dialect === 'mysql' ? 'ON DUPLICATE KEY UPDATE' : `ON CONFLICT (${keys.map(quoted).join(', ')}) DO UPDATE SET`;
  return { text: `${insert.text} ${on} ${tail}`, params: insert.params };
}

function select<T extends Table>(
  table: T,
  shape: Shape,
  where: Where<T>,
  options: FindOptions<T>,
  dialect: Dialect,
): Sql {
  const { text, params } = condition(table, where);
  const lock = options.lock && dialect === 'mysql' ? ' FOR UPDATE' : '';
  return { text: shape.select + text + orderBy(table, options) + limit(options) + lock, params };
}

function orderBy<T extends Table>(table: T, { order = [] }: FindOptions<T>): string {
  if (order.length === 0) return '';
  const terms = order.map(([name, direction]) => {
    columnOf(table, name);
    return `${quoted(name)} ${direction === 'DESC' ? 'DESC' : 'ASC'}`;
  });
  return ` ORDER BY ${terms.join(', ')}`;
}

function limit({ limit: most }: { readonly limit?: number }): string {
  if (most === undefined) return '';
  if (!Number.isSafeInteger(most) || most < 0) throw new TypeError('A limit is a whole number');
  return ` LIMIT ${most}`;
}

function update<T extends Table>(table: T, where: Where<T>, set: Values): Sql {
  const names = Object.keys(set).filter((each) => set[each] !== undefined);
  if (names.length === 0) throw new TypeError(`Nothing to change in ${table.name}`);
  const params = names.map((each) => storedValue(table, each, set[each]));
  const matching = required(table, where);
  const assignments = names.map((each) => `${quoted(each)} = ?`).join(', ');
  return {
    text: `UPDATE ${quoted(table.name)} SET ${assignments}${matching.text}`,
    params: [...params, ...matching.params],
  };
}

function required<T extends Table>(table: T, where: Where<T>): Sql {
  if (Object.keys(where).length === 0) throw new TypeError(`Changing all rows of ${table.name} is refused`);
  return condition(table, where);
}

function condition<T extends Table>(table: T, where: Where<T>): Sql {
  const pieces = Object.entries(where).map(([name, value]) => comparison(table, name, value));
  if (pieces.length === 0) return { text: '', params: [] };
  const all = joined(pieces);
  return { text: ` WHERE ${all.text}`, params: all.params };
}

function comparison(table: Table, name: string, value: unknown): Sql {
  columnOf(table, name);
  // A forgotten value must not widen the condition.
  if (value === undefined) throw new TypeError(`${table.name}.${name} is compared with undefined`);
  if (value === null) return { text: `${quoted(name)} IS NULL`, params: [] };
  if (value instanceof Compare) {
    return { text: `${quoted(name)} ${value.operator} ?`, params: [storedValue(table, name, value.value)] };
  }
  const possible = (Array.isArray(value) ? value : [value]).filter((each) => !isBeyond(table, name, each));
  if (possible.length === 0) return { text: '1 = 0', params: [] };
  const equals = Array.isArray(value) ? `IN (${possible.map(() => '?').join(', ')})` : '= ?';
  return {
    text: `${quoted(name)} ${equals}`,
    params: possible.map((each) => storedValue(table, name, each)),
  };
}

function convert<T extends Table>(shape: Shape, raw: Record<string, unknown>[]): Row<T>[] {
  for (const row of raw) {
    for (const [name, kind] of shape.converted) row[name] = fromStored(kind, row[name]);
  }
  // What the columns hold is what the declaration says: both come from it.
  return raw as Row<T>[];
}

/** The row type of a `New<T>` for the builder, which looks at names and kinds only. */
export function valuesOf<T extends Table>(row: New<T> | Partial<Row<T>>): Values {
  return row as Values;
}
