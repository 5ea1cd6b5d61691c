// The types through which plugins declare searchable records. core/search holds the implementation.
import type { Table } from '@keelson/database/schema/table.ts';

/** Keeps the search index up to date (search/indexing/indexer.ts). */
export interface Indexer {
  start(): void;
  stop(): Promise<void>;
  /** Indexes pending changes. Returns how many, or 0 while another process holds the indexing lease. */
  drain(): Promise<number>;
  /** Reindexes every record while search stays available. Calls `progress` with each increment. */
  rebuild(progress: (n: number) => void): Promise<void>;
}

/** Created by `searchable(…)` (search/searchable.ts). */
export interface SearchDeclaration {
  readonly table: Table;
  readonly options: object;
  /** Its result types with their surfaces: `admin tickets`. Each belongs to one plugin only. */
  readonly types: readonly string[];
}
