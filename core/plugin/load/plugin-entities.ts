// Checks plugin entities at start-up. If TypeORM rejected one while opening the database, the process would not start.
import { entityName, isMoreThanTable, joinTables, schemaFaults, entitiesOn } from '@keelson/database/schema/entity.ts';
import { foreignKeys } from '@keelson/database/schema/schema.ts';
import { Table } from '@keelson/database/schema/table.ts';
import { NodeSqlite } from '@keelson/database/sqlite/sqlite-driver.ts';
import { messageOf } from '@keelson/kit/message-of.ts';
import { type EntitySchema, DataSource } from 'typeorm';
import { EntitySchemaTransformer } from 'typeorm/entity-schema/EntitySchemaTransformer.js';
import { EntityMetadataBuilder } from 'typeorm/metadata-builder/EntityMetadataBuilder.js';
import { EntityMetadataValidator } from 'typeorm/metadata-builder/EntityMetadataValidator.js';
import type { Plugin } from '../plugin.ts';
import type { Loaded } from './loaded.ts';

/** Returns the table names of a plugin's entities, including join tables. */
export function tableNames({ entities = [] }: Plugin): string[] {
  return entities.flatMap((each) => [entityName(each), ...joinTables(each)]);
}

/** Returns the faults of entities that are more than plain tables. They may refer to modules and required plugins. */
export function entityFaults(plugin: Plugin, loaded: readonly Loaded[]): string[] {
  const entities = plugin.entities ?? [];
  const faults = entities.flatMap(schemaFaults);
  const others = loaded.filter((each) => each.plugin !== plugin);
  const known = others.filter((each) => each.source === 'module' || plugin.requires?.includes(each.plugin.id));
  const all = [...known.flatMap((each) => each.plugin.entities ?? []), ...entities];
  faults.push(...lostReferences(entities, new Set(all.map(entityName))));
  if (faults.length > 0 || !entities.some(isMoreThanTable)) return faults;
  const problem = metadataFault(all);
  return problem === undefined ? [] : [`entities: ${problem}`];
}

function lostReferences(entities: readonly EntitySchema[], known: ReadonlySet<string>): string[] {
  return entities
    .filter((each) => each instanceof Table)
    .flatMap((each) => foreignKeys(each).map((key) => ({ ...key, of: each.name })))
    .filter(({ table }) => !known.has(table))
    .map(
      ({ of, column, table }) =>
        `table ${of}: ${column} references the table ${table}, which belongs to no module or required plugin`,
    );
}

// Validates a plugin's entities with TypeORM before the database opens, where an invalid one would stop the whole
// installation.

/** Returns TypeORM's message if it rejects `entities` for any database; undefined if all accept them. */
function metadataFault(entities: readonly EntitySchema[]): string | undefined {
  const sources = {
    sqlite: new DataSource({ type: 'better-sqlite3', driver: NodeSqlite, database: ':memory:' }),
    mysql: new DataSource({ type: 'mysql', database: 'any' }),
    mariadb: new DataSource({ type: 'mariadb', database: 'any' }),
  } as const;
  for (const server of ['sqlite', 'mysql', 'mariadb'] as const) {
    const source = sources[server];
    try {
      const storage = new EntitySchemaTransformer().transform(entitiesOn(server, entities));
      const metadatas = new EntityMetadataBuilder(source, storage).build();
      new EntityMetadataValidator().validateMany(metadatas, source.driver);
    } catch (error) {
      return `on ${server}: ${messageOf(error)}`;
    }
  }
  return undefined;
}
