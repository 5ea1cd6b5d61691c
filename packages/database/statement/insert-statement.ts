// Builds INSERT statements for one row or thousands. Bulk loads spend most of their time here, so column metadata is
// looked up once instead of once per value.
import type { ColumnOptions } from '../schema/column.ts';
import { storedDefault } from '../schema/schema.ts';
import { columnOf, storerOf } from '../schema/stored-value.ts';
import type { Table } from '../schema/table.ts';
import { quoted, sql, type Sql } from './sql.ts';

/**
 * Rows per statement in a bulk insert. A constant size gives a constant text, which the database parses only once; that
 * halves the cost per row. SQLite allows 32,766 parameters.
 */
const GROUP = 250;
/** Stay below MySQL's packet limit (16 MB by default). */
const MOST_CHARACTERS = 1_000_000;
const MANY_ROWS = 50;

type Values = Readonly<Record<string, unknown>>;

export interface Insert extends Sql {
  readonly often: boolean;
  /** Column whose value the database generates, if any. */
  readonly generated: string | undefined;
}

/** SQL text for inserting into a table, built once. */
export interface InsertShapes {
  readonly generated: string | undefined;
  readonly all: InsertShape;
  readonly withoutId: InsertShape;
}

interface InsertShape {
  readonly columns: readonly InsertColumn[];
  readonly prefix: string;
  readonly group: string;
}

interface InsertColumn {
  readonly name: string;
  readonly options: ColumnOptions;
  readonly stored: (value: unknown) => unknown;
}

export function insertShapes(table: Table): InsertShapes {
  const columns = Object.keys(table.columns).map((name): InsertColumn => ({
    name,
    options: columnOf(table, name).options,
    stored: storerOf(table, name),
  }));
  const generated = columns.find(({ options }) => options.kind === 'id')?.name;
  return {
    generated,
    all: insertShape(table, columns),
    withoutId: insertShape(
      table,
      columns.filter(({ name }) => name !== generated),
    ),
  };
}

function insertShape(table: Table, columns: readonly InsertColumn[]): InsertShape {
  const into = { text: `${quoted(table.name)} (${columns.map(({ name }) => quoted(name)).join(', ')})`, params: [] };
  return {
    columns,
    prefix: sql`INSERT INTO ${into} VALUES `.text,
    group: `(${columns.map(() => '?').join(', ')})`,
  };
}

/** Builds the statements. Rows with an id and rows without one need different statements. */
export function inserts(table: Table, { generated, all, withoutId }: InsertShapes, rows: readonly Values[]): Insert[] {
  if (!generated) return chunks(table, shortened(table, all, rows), rows, undefined);
  const given = rows.filter((each) => each[generated] !== undefined);
  const filled = rows.filter((each) => each[generated] === undefined);
  return [
    ...chunks(table, shortened(table, all, given), given, undefined),
    ...chunks(table, shortened(table, withoutId, filled), filled, generated),
  ];
}

/** For bulk inserts, omits columns where every row has the database default, to send less data. */
function shortened(table: Table, shape: InsertShape, rows: readonly Values[]): InsertShape {
  if (rows.length < MANY_ROWS) return shape;
  const left = ({ name, options }: InsertColumn): boolean => {
    const own = ownValue(options);
    return own !== undefined && rows.every((row) => row[name] === undefined || row[name] === own);
  };
  const columns = shape.columns.filter((each) => !left(each));
  return columns.length === 0 ? shape : insertShape(table, columns);
}

/** Returns the value that the database stores for an omitted column; undefined if there is none. */
function ownValue(options: ColumnOptions): unknown {
  if (storedDefault(options) !== undefined) return options.default;
  return options.nullable && options.default === undefined ? null : undefined;
}

function chunks(table: Table, shape: InsertShape, rows: readonly Values[], generated: string | undefined): Insert[] {
  const result: Insert[] = [];
  let params: unknown[] = [];
  let count = 0;
  let characters = 0;
  let most = sizeOfNext(rows.length);
  const close = (left: number) => {
    if (count === 0) return;
    const groups = count === 1 ? shape.group : Array(count).fill(shape.group).join(', ');
    result.push({ text: shape.prefix + groups, params, generated, often: count === GROUP });
    [params, count, characters, most] = [[], 0, 0, sizeOfNext(left)];
  };
  for (const [at, row] of rows.entries()) {
    if (count === most || characters > MOST_CHARACTERS) close(rows.length - at);
    characters += addValues(table, shape.columns, row, params);
    count++;
  }
  close(0);
  return result;
}

const sizeOfNext = (left: number): number => Math.min(left, GROUP);

/** Adds a row's values, with defaults filled in so that all rows share one statement. Returns their character count. */
function addValues(table: Table, columns: readonly InsertColumn[], row: Values, params: unknown[]): number {
  for (const name in row) if (!Object.hasOwn(table.columns, name)) columnOf(table, name);
  let characters = 0;
  for (const { name, options, stored } of columns) {
    const given = row[name];
    const value = stored(given === undefined ? (options.default ?? null) : given);
    if (value === null && !options.nullable) throw new TypeError(`${table.name}.${name} is missing`);
    if (typeof value === 'string') characters += value.length;
    params.push(value);
  }
  return characters;
}
