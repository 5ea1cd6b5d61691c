// The entities of a data source: declared tables, and plain entity schemas of plugins.
import { EntitySchema } from 'typeorm';
import { entityOptions, foreignKeys, type Server } from './schema.ts';
import { Table } from './table.ts';

/**
 * Returns the entities of a data source, with each table's column types mapped to its server. Plain `EntitySchema`
 * instances are returned unchanged.
 * @throws Error if a table references one that is not in the list
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

/** Returns the name of an entity, which is also its table's name. */
export function entityName(entity: EntitySchema): string {
  return entity.options.name;
}

/** Returns true if TypeORM must validate the entity: a plain entity schema, or a table with relations. */
export function isMoreThanTable(entity: EntitySchema): boolean {
  return !(entity instanceof Table) || Object.keys(entity.relations).length > 0;
}

/** Returns an entity's additional tables: the join tables of many-to-many relations. */
export function joinTables({ options }: EntitySchema): string[] {
  return Object.values(options.relations ?? {}).flatMap((relation) => {
    const { joinTable } = relation ?? {};
    return typeof joinTable === 'object' && joinTable.name !== undefined ? [joinTable.name] : [];
  });
}

/** Type aliases that at least one database reports under a different name, which would look like drift. */
const MEANT: Readonly<Record<string, string>> = {
  int: 'integer',
  bool: 'boolean',
  dec: 'decimal',
  numeric: 'decimal',
  fixed: 'decimal',
  'double precision': 'double',
  'character varying': 'varchar',
  nvarchar: 'varchar',
  timestamp: 'datetime',
};

/** Returns the reasons for rejecting a plain entity schema, as sentences; empty if it is valid. */
export function schemaFaults(entity: EntitySchema): string[] {
  if (entity instanceof Table) return [];
  const { name, tableName = name, target, type = 'regular', expression, synchronize = true, ...rest } = entity.options;
  const faults: string[] = [];
  // TypeORM looks up entities by entity name or table name, so the two must match.
  if (!/^[a-z][a-z0-9_]*$/.test(name) || tableName !== name) {
    faults.push(`entity ${name} must be named like its table, in snake_case`);
  }
  if (target) faults.push(`entity ${name} must leave out target: rows are plain objects`);
  if (type !== 'regular' || expression !== undefined) faults.push(`entity ${name} must be a table`);
  for (const [column, { type: written } = {}] of Object.entries(entity.options.columns)) {
    const meant = typeof written === 'string' ? MEANT[written] : undefined;
    if (meant)
      faults.push(
        `entity ${name}: the type of ${column} must be '${meant}', because '${String(written)}' causes schema drift`,
      );
  }
  if (!synchronize) faults.push(`entity ${name} must leave out synchronize: migrations are checked against it`);
  if (rest.database !== undefined || rest.schema !== undefined) {
    faults.push(`entity ${name} must leave out database and schema: a tenant has one database`);
  }
  return faults;
}
