/** What activities, notes, custom fields and search results are about. */
export const entityTypes = ['lead', 'contact', 'opportunity', 'prospect'] as const;
export type EntityType = (typeof entityTypes)[number];
