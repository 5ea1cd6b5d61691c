// What plugins declare for the search, as far as a plugin is concerned; core/search has the rest.
import type { Table } from '../database/table.ts';

/** What `searchable(…)` makes (search/searchable.ts). */
export interface SearchDeclaration {
  readonly table: Table;
  readonly options: object;
}
