import { invalid } from '@keelson/core';

/** What activities, notes, custom fields and search results are about. */
export const entityTypes = ['lead', 'contact', 'opportunity', 'prospect'] as const;
export type EntityType = (typeof entityTypes)[number];

/** An `entity_id` says nothing without its type. @throws invalid() (C-21) */
export function requireEntityType(asked: {
  entity_type?: EntityType | undefined;
  entity_id?: number | undefined;
}): void {
  if (asked.entity_id !== undefined && asked.entity_type === undefined)
    throw invalid('entity_type is required with entity_id');
}
