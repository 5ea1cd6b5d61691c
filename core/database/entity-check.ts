// What TypeORM would say of a plugin's entities when the databases are opened, asked before that: there it would stop
// everybody else's.
import { DataSource, type EntitySchema } from 'typeorm';
import { EntitySchemaTransformer } from 'typeorm/entity-schema/EntitySchemaTransformer.js';
import { EntityMetadataBuilder } from 'typeorm/metadata-builder/EntityMetadataBuilder.js';
import { EntityMetadataValidator } from 'typeorm/metadata-builder/EntityMetadataValidator.js';
import { entitiesOn } from './entity.ts';
import { NodeSqlite } from './sqlite-driver.ts';

/** Why TypeORM refuses `entities` on one of the databases, in its words; undefined when it takes them on all. */
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
