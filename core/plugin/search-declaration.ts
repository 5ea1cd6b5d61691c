// What plugins declare for the search, as far as a plugin is concerned; core/search has the rest.
import type { Table } from '../database/table.ts';

/** Keeps the search index up to date (search/indexer.ts). */
export interface Indexer {
  start(): void;
  stop(): Promise<void>;
  /** Indexes what has changed so far; answers how many changes that were, 0 while another process does it. */
  drain(): Promise<number>;
  /** Indexes every record again while searches go on; tells how many more each time. */
  rebuild(progress: (n: number) => void): Promise<void>;
}

/** What `searchable(…)` makes (search/searchable.ts). */
export interface SearchDeclaration {
  readonly table: Table;
  readonly options: object;
  /** The types of its results, with their surfaces: `admin tickets`. Each is of one plugin only. */
  readonly types: readonly string[];
}
