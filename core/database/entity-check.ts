// Validates a plugin's entities with TypeORM before the database opens, where an invalid one would stop the whole
// installation.
import { DataSource, type EntitySchema } from 'typeorm';
import { EntitySchemaTransformer } from 'typeorm/entity-schema/EntitySchemaTransformer.js';
import { EntityMetadataBuilder } from 'typeorm/metadata-builder/EntityMetadataBuilder.js';
import { EntityMetadataValidator } from 'typeorm/metadata-builder/EntityMetadataValidator.js';
import { entitiesOn } from './entity.ts';
import { NodeSqlite } from './sqlite-driver.ts';

/** Returns TypeORM's message if it rejects `entities` for any database; undefined if all accept them. */
export function metadataFault(entities: readonly EntitySchema[]): string | undefined {
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
      return `on ${server}: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  return undefined;
}
