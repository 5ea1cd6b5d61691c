// INSERT statements, for one row or thousands. Bulk loads spend most of their time here, so everything about a column is
// looked up once and not for each value.
import { storedDefault } from './schema.ts';
import { quoted, sql, type Sql } from './sql.ts';
import { columnOf, storerOf } from './stored-value.ts';
import type { ColumnOptions, Table } from './table.ts';

/**
 * Rows of a statement, as long as there are so many: its text is always the same, and the database parses it once, which
 * halves what a row costs. SQLite takes 32,766 parameters.
 */
const GROUP = 250;
/** MySQL limits the size of a packet (16 MB by default). */
const MOST_CHARACTERS = 1_000_000;
const MANY_ROWS = 50;

type Values = Readonly<Record<string, unknown>>;

export interface Insert extends Sql {
  readonly often: boolean;
  /** The column whose value the database generates, if it does. */
  readonly generated: string | undefined;
}

/** The SQL text of a table's inserts, built once. */
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

/** Rows with an id and rows without one need different statements. */
export function inserts(table: Table, { generated, all, withoutId }: InsertShapes, rows: readonly Values[]): Insert[] {
  if (!generated) return chunks(table, shortened(table, all, rows), rows, undefined);
  const given = rows.filter((each) => each[generated] !== undefined);
  const filled = rows.filter((each) => each[generated] === undefined);
  return [
    ...chunks(table, shortened(table, all, given), given, undefined),
    ...chunks(table, shortened(table, withoutId, filled), filled, generated),
  ];
}

/** For many rows: leaves out columns in which all of them have the database's default, so there is less to send. */
function shortened(table: Table, shape: InsertShape, rows: readonly Values[]): InsertShape {
  if (rows.length < MANY_ROWS) return shape;
  const left = ({ name, options }: InsertColumn): boolean => {
    const own = ownValue(options);
    return own !== undefined && rows.every((row) => row[name] === undefined || row[name] === own);
  };
  const columns = shape.columns.filter((each) => !left(each));
  return columns.length === 0 ? shape : insertShape(table, columns);
}

/** The value that the database stores in a column that an insert leaves out; undefined when there is none. */
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

/** Adds a row's values, with defaults filled in so that every row has the same statement; answers their characters. */
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
