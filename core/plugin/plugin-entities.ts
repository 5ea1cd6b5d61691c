// Checks a plugin's entities at start-up: if TypeORM refused them when the database is opened, nothing would start.
import type { Loaded } from './check.ts';
import { metadataFault } from '../database/entity-check.ts';
import { entityName, isMoreThanTable, joinTables, schemaFaults } from '../database/entity.ts';
import type { Plugin } from './plugin.ts';

/** The tables of a plugin's entities, including join tables. */
export function tableNames({ entities = [] }: Plugin): string[] {
  return entities.flatMap((each) => [entityName(each), ...joinTables(each)]);
}

/** Faults of entities that are more than plain tables. They may refer to modules and to required plugins. */
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
