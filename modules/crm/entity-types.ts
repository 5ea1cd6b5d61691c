import { invalid } from '@keelson/core';

/** The entities that activities, notes, custom fields and search results refer to. */
export const entityTypes = ['lead', 'contact', 'opportunity', 'prospect'] as const;
export type EntityType = (typeof entityTypes)[number];

/** Requires a type along with `entity_id`, which is ambiguous alone. @throws invalid() (C-21) */
export function requireEntityType(asked: {
  entity_type?: EntityType | undefined;
  entity_id?: number | undefined;
}): void {
  if (asked.entity_id !== undefined && asked.entity_type === undefined)
    throw invalid('entity_type is required with entity_id');
}
