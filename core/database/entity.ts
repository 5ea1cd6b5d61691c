// Everything a data source knows: our tables, and the entity schemas that plugins bring as TypeORM has them.
import { EntitySchema } from 'typeorm';
import { entityOptions, foreignKeys, type Server } from './schema.ts';
import { Table } from './table.ts';

/**
 * The entities of a data source, each table with the types of its server; an `EntitySchema` that is no table stays as
 * it is.
 * @throws Error when a table refers to one that is not among them
 */
export function entitiesOn(server: Server, entities: readonly EntitySchema[]): EntitySchema[] {
  const known = new Set(entities.map(entityName));
  return entities.map((each) => {
    if (!(each instanceof Table)) return each;
    for (const { name, table } of foreignKeys(each)) {
      if (!known.has(table)) throw new Error(`${name} refers to the table ${table}, which is not declared`);
    }
    return server === 'sqlite' ? each : new EntitySchema(entityOptions(each, server));
  });
}

/** The name of an entity and of its table: they are the same. */
export function entityName(entity: EntitySchema): string {
  return entity.options.name;
}

/** True when TypeORM has to judge it: a schema that is no table, or a table with relations. */
export function isMoreThanTable(entity: EntitySchema): boolean {
  return !(entity instanceof Table) || Object.keys(entity.relations).length > 0;
}

/** The tables that an entity brings besides its own: those between two entities that have many of each other. */
export function joinTables({ options }: EntitySchema): string[] {
  return Object.values(options.relations ?? {}).flatMap((relation) => {
    const { joinTable } = relation ?? {};
    return typeof joinTable === 'object' && joinTable.name !== undefined ? [joinTable.name] : [];
  });
}

/** Why a schema that is no table cannot be taken, in sentences; none when it can. */
export function schemaFaults(entity: EntitySchema): string[] {
  if (entity instanceof Table) return [];
  const { name, tableName = name, target, type = 'regular', expression, synchronize = true, ...rest } = entity.options;
  const faults: string[] = [];
  // TypeORM finds an entity by its name or its table's, whichever it meets first.
  if (!/^[a-z][a-z0-9_]*$/.test(name) || tableName !== name) {
    faults.push(`entity ${name} must be named like its table, in snake_case`);
  }
  if (target) faults.push(`entity ${name} must leave out target: rows are plain objects`);
  if (type !== 'regular' || expression !== undefined) faults.push(`entity ${name} must be a table`);
  if (!synchronize) faults.push(`entity ${name} must leave out synchronize: migrations are checked against it`);
  if (rest.database !== undefined || rest.schema !== undefined) {
    faults.push(`entity ${name} must leave out database and schema: a tenant has one database`);
  }
  return faults;
}
