// The operations available to a migration. Each call is one step. MySQL cannot roll back DDL, so an interrupted
// migration resumes at its first unfinished step.
import { Table as BuilderTable, type QueryRunner, type TableColumn } from 'typeorm';
import type { Column, Columns, Dialect } from '../schema/column.ts';
import { indexName, namedIndices, storedDefault, type Server } from '../schema/schema.ts';
import { storedValue } from '../schema/stored-value.ts';
import { table, type New, type Table } from '../schema/table.ts';
import { quoted } from '../statement/sql.ts';
import { statementsFor, valuesOf } from '../statement/statement.ts';
import { builderColumn, builderForeignKeys, builderIndex, createTable, serverOf } from './create-table.ts';

type Names<C> = readonly (readonly (keyof C & string)[])[];

export interface Migrator {
  readonly dialect: Dialect;
  /** Creates a table and returns it for inserting rows. References are written as `ref('company.company_number')`. */
  createTable<C extends Columns>(
    name: string,
    columns: C,
    indices?: Names<C>,
    options?: { unique?: Names<C> },
  ): Promise<Table<C>>;
  /** Adds a column with its index and foreign key. Existing rows require a default or a nullable column. */
  addColumn(tableName: string, name: string, column: Column<unknown, 'given' | 'filled', boolean>): Promise<void>;
  /** Drops a column with its indexes and foreign keys. */
  dropColumn(tableName: string, name: string): Promise<void>;
  addIndex(tableName: string, columns: readonly string[], options?: { unique?: boolean }): Promise<void>;
  /** Drops an index created by a migration, if it exists. */
  dropIndex(tableName: string, columns: readonly string[], options?: { unique?: boolean }): Promise<void>;
  insert<T extends Table>(table: T, rows: readonly New<T>[]): Promise<void>;
  /** Passes TypeORM's query runner to `work`. The whole call is one step and may run again after a crash. */
  runner(work: (runner: QueryRunner) => Promise<void>): Promise<void>;
  /** Runs SQL. Row changes apply exactly once; a schema change may run again after a crash. */
  statement(texts: { sqlite: string; mysql: string }): Promise<void>;
}

/** Runs a step unless an earlier run completed it. */
export type Step = (work: () => Promise<void>) => Promise<void>;

export function migratorOn(runner: QueryRunner, dialect: Dialect, step: Step): Migrator {
  const statements = statementsFor(dialect);
  const server = serverOf(runner.dataSource);
  return {
    dialect,
    createTable: async (name, columns, indices, options) => {
      const created = table(name, columns, indices, options);
      await step(async () => {
        if (!(await runner.hasTable(name))) await createTable(runner, created, server);
      });
      return created;
    },
    addColumn: (tableName, name, column) =>
      step(() => addColumn(runner, server, table(tableName, { [name]: column }), name)),
    dropColumn: (tableName, name) => step(() => dropColumn(runner, tableName, name)),
    addIndex: (tableName, columns, { unique = false } = {}) =>
      step(() => addIndex(runner, server, tableName, { columns, unique })),
    dropIndex: (tableName, columns, { unique = false } = {}) =>
      step(() => dropIndex(runner, server, tableName, { columns, unique })),
    insert: (target, rows) =>
      step(async () => {
        for (const { text, params } of statements.insert(target, rows.map(valuesOf))) {
          await runner.query(text, [...params]);
        }
      }),
    runner: (work) => step(() => work(runner)),
    statement: (texts) =>
      step(async () => {
        await runner.query(texts[dialect]);
      }),
  };
}

// `part` is a table containing only the new column.
async function addColumn(runner: QueryRunner, server: Server, part: Table, name: string): Promise<void> {
  const options = part.columns[name]?.options;
  if (!options) return;
  const wanted = builderColumn(name, options, server);
  const filled = options.default !== undefined && storedDefault(options) === undefined;
  const added = filled ? builderColumn(name, { ...options, nullable: true }, server) : wanted;
  if (!(await runner.hasColumn(part.name, name))) await runner.addColumn(builderTable(part.name, server), added);
  // Such columns have no default in the database, so backfill existing rows.
  if (filled) {
    const text = `UPDATE ${quoted(part.name)} SET ${quoted(name)} = ? WHERE ${quoted(name)} IS NULL`;
    await runner.query(text, [storedValue(part, name, options.default)]);
    if (!options.nullable) await runner.changeColumn(builderTable(part.name, server, [added]), name, wanted);
  }
  for (const each of namedIndices(part)) await addIndex(runner, server, part.name, each);
  const wantedKeys = builderForeignKeys(part);
  if (wantedKeys.length === 0) return;
  const existing = await namesOf(runner, server, part.name, 'foreignKeys');
  for (const each of wantedKeys) {
    if (!existing.has(each.name)) await runner.createForeignKey(builderTable(part.name, server), each);
  }
}

async function dropColumn(runner: QueryRunner, tableName: string, name: string): Promise<void> {
  const found = await runner.getTable(tableName);
  if (!found?.findColumnByName(name)) return;
  for (const each of found.foreignKeys.filter((key) => key.columnNames.includes(name))) {
    await runner.dropForeignKey(tableName, each);
  }
  for (const each of found.indices.filter((index) => index.columnNames.includes(name))) {
    await runner.dropIndex(tableName, each);
  }
  await runner.dropColumn(tableName, name);
}

async function addIndex(
  runner: QueryRunner,
  server: Server,
  tableName: string,
  index: { columns: readonly string[]; unique: boolean },
): Promise<void> {
  const name = indexName(tableName, index);
  if ((await namesOf(runner, server, tableName, 'indices')).has(name)) return;
  await runner.createIndex(builderTable(tableName, server), builderIndex({ ...index, name }));
}

async function dropIndex(
  runner: QueryRunner,
  server: Server,
  tableName: string,
  index: { columns: readonly string[]; unique: boolean },
): Promise<void> {
  const name = indexName(tableName, index);
  if (!(await namesOf(runner, server, tableName, 'indices')).has(name)) return;
  await runner.dropIndex(
    builderTable(tableName, server),
    server === 'sqlite' ? name : builderIndex({ ...index, name }),
  );
}

/**
 * Returns a table in the form TypeORM expects. For SQLite that is the name, because TypeORM copies the table. On a
 * server, a name would make TypeORM read the table definition first, with queries over every table of every database.
 * That takes seconds on large servers.
 */
function builderTable(name: string, server: Server, columns: readonly TableColumn[] = []): BuilderTable | string {
  return server === 'sqlite' ? name : new BuilderTable({ name, columns: [...columns] });
}

async function namesOf(
  runner: QueryRunner,
  server: Server,
  table: string,
  of: 'indices' | 'foreignKeys',
): Promise<ReadonlySet<string | undefined>> {
  if (server === 'sqlite') return new Set((await runner.getTable(table))?.[of].map((each) => each.name));
  const rows: { name: string }[] = await runner.query(
    of === 'indices'
      ? `SELECT index_name AS name FROM information_schema.statistics WHERE table_schema = ? AND table_name = ?`
      : `SELECT constraint_name AS name FROM information_schema.table_constraints
        WHERE table_schema = ? AND table_name = ? AND constraint_type = 'FOREIGN KEY'`,
    [runner.dataSource.driver.database, table],
  );
  return new Set(rows.map((each) => each.name));
}
