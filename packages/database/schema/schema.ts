// Translates table declarations to TypeORM: the same schema on both databases, without drift.
import { createHash } from 'node:crypto';
import { memoize } from '@keelson/kit/memoize.ts';
import type { EntitySchemaColumnOptions, EntitySchemaOptions, EntitySchemaRelationOptions } from 'typeorm';
import type { ColumnOptions, Columns, Dialect, Index, Kind } from './column.ts';
import type { Relation, Relations } from './relation.ts';
import { ColumnTransformer } from './stored-value.ts';

/** The database server. Collation names differ between MariaDB and MySQL. */
export type Server = Dialect | 'mariadb';

/** MySQL's limit on identifier length. */
const LONGEST_NAME = 64;

export interface NamedIndex {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
}

export interface ForeignKey {
  readonly name: string;
  readonly column: string;
  readonly table: string;
  readonly target: string;
}

/** A table's declaration. */
export interface Declared {
  readonly name: string;
  readonly columns: Columns;
  readonly indices: readonly Index[];
  readonly relations: Relations;
}

/** A column's database type, shared by entities and migrations. */
export interface StoredColumn {
  readonly type: 'integer' | 'bigint' | 'varchar' | 'text' | 'longtext' | 'boolean' | 'datetime' | 'date';
  readonly length?: number;
  readonly precision?: number;
  readonly charset?: string;
  readonly collation?: string;
}

/**
 * Returns a table's named indexes, including those of `.unique()` columns. Memoized, because every list page needs
 * them.
 */
export const namedIndices = memoize((table: Declared): readonly NamedIndex[] => Object.freeze(nameIndices(table)));

function nameIndices(table: Declared): NamedIndex[] {
  const single = Object.entries(table.columns)
    .filter(([, each]) => each.options.unique)
    .map(([name]) => ({ columns: [name], unique: true }));
  return [...single, ...table.indices].map((each) => ({ ...each, name: indexName(table.name, each) }));
}

/** Returns an index name, such as `ix_ticket_status` or `ux_ticket_number`, of at most 64 characters. */
export function indexName(table: string, index: { columns: readonly string[]; unique: boolean }): string {
  return shortName(`${index.unique ? 'ux' : 'ix'}_${table}_${index.columns.join('_')}`);
}

/** Returns a table's foreign keys, named `fk_<table>_<column>`. */
export const foreignKeys = memoize((table: Declared): readonly ForeignKey[] =>
  Object.entries(table.columns).flatMap(([column, { options }]) => {
    if (!options.references) return [];
    const { table: to, column: target } = options.references;
    return [{ name: shortName(`fk_${table.name}_${column}`), column, table: to, target }];
  }),
);

/** Returns a column's type on one server. See docs/architecture.md for the reasons. */
export function storedColumn(options: ColumnOptions, server: Server): StoredColumn {
  const mysql = server !== 'sqlite';
  const unicode = mysql ? { charset: 'utf8mb4', collation: 'utf8mb4_unicode_ci' } : {};
  // utf8mb4_bin ignores trailing spaces.
  const exact = mysql
    ? { charset: 'utf8mb4', collation: server === 'mariadb' ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin' }
    : {};
  const types: Record<Kind, StoredColumn> = {
    id: { type: 'integer' },
    int: { type: 'integer' },
    big: { type: 'bigint' },
    // Case-insensitive on both databases; on SQLite for ASCII only.
    varchar: { type: 'varchar', length: options.length, ...(mysql ? unicode : { collation: 'NOCASE' }) },
    key: { type: 'varchar', length: options.length, ...exact },
    text: { type: mysql ? 'longtext' : 'text', ...unicode },
    // The servers' `json` types differ and no query looks inside the value, so store it as text.
    json: { type: mysql ? 'longtext' : 'text', ...unicode },
    flag: { type: 'boolean' },
    timestamp: { type: 'datetime', precision: 3 },
    day: { type: 'date' },
  };
  return types[options.kind];
}

/** Returns the default stored in the schema. For other kinds the statement builder adds the default to each insert. */
export function storedDefault(options: ColumnOptions): string | number | undefined {
  const { kind, default: value } = options;
  if (kind === 'flag' && typeof value === 'boolean') return value ? 1 : 0;
  if ((kind === 'int' || kind === 'big') && typeof value === 'number') return value;
  if ((kind === 'varchar' || kind === 'key') && typeof value === 'string') return plain(value);
  return undefined;
}

// Servers report quotes in a default differently, which would look like drift.
function plain(value: string): string {
  if (/['\\]/.test(value)) throw new Error(`A column’s default must not contain quotes or backslashes: ${value}`);
  return value;
}

/** Converts the declaration to TypeORM entity options, with column types for one server. */
export function entityOptions(declared: Declared, server: Server): EntitySchemaOptions<Record<string, unknown>> {
  const { name, columns, relations } = declared;
  return {
    name,
    tableName: name,
    columns: mapped(columns, (column, { options }) => entityColumn(name, column, options, server)),
    relations: mapped(relations, (property, relation) => entityRelation(declared, property, relation)),
    indices: nameIndices(declared).map((each) => ({ ...each, columns: [...each.columns] })),
    foreignKeys: foreignKeys(declared).map((each) => ({
      name: each.name,
      target: each.table,
      columnNames: [each.column],
      referencedColumnNames: [each.target],
      onDelete: 'NO ACTION',
      onUpdate: 'NO ACTION',
    })),
  };
}

function entityColumn(
  table: string,
  column: string,
  options: ColumnOptions,
  server: Server,
): EntitySchemaColumnOptions {
  return {
    ...storedColumn(options, server),
    nullable: options.nullable ?? false,
    transformer: new ColumnTransformer(`${table}.${column}`, options),
    ...(options.primary && { primary: true }),
    ...(options.kind === 'id' && { generated: 'increment' as const }),
    ...(storedDefault(options) !== undefined && { default: storedDefault(options) }),
  };
}

// The column and its foreign key are declared separately.
function entityRelation(
  { name, columns }: Declared,
  property: string,
  { target, by }: Relation,
): EntitySchemaRelationOptions {
  if (columns[property]) throw new Error(`${name}.${property} is already a column: a relation needs its own name`);
  if ('inverse' in by) return { type: 'one-to-many', target, inverseSide: by.inverse };
  if (!columns[by.column]) throw new Error(`${name}.${property} relates by ${by.column}, which is not a column`);
  return {
    type: 'many-to-one',
    target,
    joinColumn: { name: by.column },
    nullable: columns[by.column]?.options.nullable ?? false,
    createForeignKeyConstraints: false,
  };
}

function mapped<From, To>(
  from: Readonly<Record<string, From>>,
  to: (name: string, each: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(from).map(([name, each]) => [name, to(name, each)]));
}

function shortName(name: string): string {
  if (name.length <= LONGEST_NAME) return name;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8);
  return `${name.slice(0, LONGEST_NAME - 9)}_${digest}`;
}
