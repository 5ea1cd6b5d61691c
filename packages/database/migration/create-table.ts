// Creates tables through TypeORM's schema builder. See docs/architecture.md for the rules on supporting two databases.
import {
  Table as BuilderTable,
  TableColumn,
  TableForeignKey,
  TableIndex,
  type DataSource,
  type QueryRunner,
  type TableColumnOptions,
} from 'typeorm';
import type { ColumnOptions } from '../schema/column.ts';
import {
  foreignKeys,
  namedIndices,
  storedColumn,
  storedDefault,
  type NamedIndex,
  type Server,
} from '../schema/schema.ts';
import type { Table } from '../schema/table.ts';

/**
 * Creates the table with its indexes and foreign keys. MySQL uses a single statement, so a table is never half created.
 */
export async function createTable(runner: QueryRunner, table: Table, server: Server): Promise<void> {
  await runner.createTable(
    new BuilderTable({
      name: table.name,
      columns: Object.entries(table.columns).map(([name, each]) => columnOptions(name, each.options, server)),
      indices: namedIndices(table).map(indexOptions),
      foreignKeys: foreignKeys(table).map((each) => ({ ...foreignKeyOptions(each) })),
    }),
  );
}

/** Creates every table of the data source except those in `there`, ignoring reference order. For tests only. */
export async function createTables(runner: QueryRunner, there: ReadonlySet<string> = new Set()): Promise<void> {
  const { driver, entityMetadatas } = runner.dataSource;
  const missing = entityMetadatas.filter((each) => !there.has(each.tableName));
  if (missing.length === 0) return;
  const mysql = serverOf(runner.dataSource) !== 'sqlite';
  if (mysql) await runner.query('SET SESSION foreign_key_checks = 0');
  for (const each of missing) {
    const table = BuilderTable.create(each, driver);
    table.foreignKeys = each.foreignKeys.map((key) => TableForeignKey.create(key, driver));
    await runner.createTable(table);
  }
  if (mysql) await runner.query('SET SESSION foreign_key_checks = 1');
}

export function builderColumn(name: string, options: ColumnOptions, server: Server): TableColumn {
  return new TableColumn(columnOptions(name, options, server));
}

export function builderIndex(index: NamedIndex): TableIndex {
  return new TableIndex(indexOptions(index));
}

export function builderForeignKeys(table: Table): TableForeignKey[] {
  return foreignKeys(table).map((each) => new TableForeignKey(foreignKeyOptions(each)));
}

function columnOptions(name: string, options: ColumnOptions, server: Server): TableColumnOptions {
  const { length, ...stored } = storedColumn(options, server);
  const filled = storedDefault(options);
  return {
    name,
    ...stored,
    ...(length !== undefined && { length: String(length) }),
    isNullable: options.nullable ?? false,
    ...(options.primary && { isPrimary: true }),
    ...(options.kind === 'id' && { isGenerated: true, generationStrategy: 'increment' as const }),
    ...(filled !== undefined && { default: typeof filled === 'string' ? `'${filled}'` : filled }),
  };
}

function indexOptions({ name, columns, unique }: NamedIndex) {
  return { name, columnNames: [...columns], isUnique: unique };
}

// MariaDB reports drift if onUpdate is missing.
function foreignKeyOptions({ name, column, table, target }: ReturnType<typeof foreignKeys>[number]) {
  return {
    name,
    columnNames: [column],
    referencedTableName: table,
    referencedColumnNames: [target],
    onDelete: 'NO ACTION',
    onUpdate: 'NO ACTION',
  };
}

/** Returns the server type of a data source. */
export function serverOf(source: DataSource): Server {
  const { type } = source.options;
  if (type === 'mariadb' || type === 'mysql') return type;
  return 'sqlite';
}
