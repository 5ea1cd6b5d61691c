import { id, json, key, ref, table, text, when, z, type Row } from '@keelson/core';
import { Employee } from '@keelson/modules/directory';

/** Client-side filters of a saved search; the search itself ignores them. */
export const SearchFilters = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** Saved search of an employee (F-45). */
export const SavedSearch = table(
  'saved_search',
  {
    search_id: id(),
    /** The owner; no one else sees it (Z-20). */
    employee_number: ref(Employee).hidden(),
    name: text(255),
    name_key: key().hidden(),
    query: text(255),
    /** Types to search; all if empty. */
    types: json(z.array(z.string())),
    filters: json(SearchFilters),
    created_at: when(),
  },
  [['employee_number', 'created_at', 'search_id']],
  { unique: [['employee_number', 'name_key']] },
);
export type SavedSearch = Row<typeof SavedSearch>;
