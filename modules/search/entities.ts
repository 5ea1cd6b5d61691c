import { id, json, key, ref, table, text, when, z, type Row } from '@keelson/core';
import { Employee } from '@keelson/modules/directory';

/** What a client narrowed its results by; the search itself takes no notice of it. */
export const SearchFilters = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** A search that an employee keeps, to run it again (F-45). */
export const SavedSearch = table(
  'saved_search',
  {
    search_id: id(),
    /** Whose it is; nobody else sees it (Z-20). */
    employee_number: ref(Employee).hidden(),
    name: text(255),
    name_key: key().hidden(),
    query: text(255),
    /** The types that are searched; all when empty. */
    types: json(z.array(z.string())),
    filters: json(SearchFilters),
    created_at: when(),
  },
  [['employee_number', 'created_at', 'search_id']],
  { unique: [['employee_number', 'name_key']] },
);
export type SavedSearch = Row<typeof SavedSearch>;
