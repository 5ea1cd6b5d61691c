// Boot checks of a plugin's entities: what TypeORM would refuse when the database is opened would stop everybody else.
import type { Loaded } from './check.ts';
import { metadataFault } from '../database/entity-check.ts';
import { entityName, isMoreThanTable, joinTables, schemaFaults } from '../database/entity.ts';
import type { Plugin } from './plugin.ts';

/** The tables that a plugin's entities make, join tables included. */
export function tableNames({ entities = [] }: Plugin): string[] {
  return entities.flatMap((each) => [entityName(each), ...joinTables(each)]);
}

/** What is wrong with entities that are more than plain tables; they may refer to modules and to what is required. */
export function entityFaults(plugin: Plugin, loaded: readonly Loaded[]): string[] {
  const entities = plugin.entities ?? [];
  const faults = entities.flatMap(schemaFaults);
  if (faults.length > 0 || !entities.some(isMoreThanTable)) return faults;
  const others = loaded.filter((each) => each.plugin !== plugin);
  const known = others.filter((each) => each.source === 'module' || plugin.requires?.includes(each.plugin.id));
  const all = [...known.flatMap((each) => each.plugin.entities ?? []), ...entities];
  const problem = metadataFault(all);
  return problem === undefined ? [] : [`entities: ${problem}`];
}
