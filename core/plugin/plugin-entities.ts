// Checks plugin entities at start-up. If TypeORM rejected one while opening the database, the process would not start.
import type { EntitySchema } from 'typeorm';
import type { Loaded } from './check.ts';
import { metadataFault } from '../database/entity-check.ts';
import { entityName, isMoreThanTable, joinTables, schemaFaults } from '../database/entity.ts';
import { foreignKeys } from '../database/schema.ts';
import { Table } from '../database/table.ts';
import type { Plugin } from './plugin.ts';

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
        `table ${of}: ${column} refers to the table ${table}, which no module has, nor a plugin that it requires`,
    );
}
