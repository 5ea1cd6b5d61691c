// `@keelson/core/list`: lists and counters for tables that are not records.

// Paged lists that stay fast at any table size, for tables without a record's list.
export { byOther, defineList, type Filter } from './list.ts';
export { countList, readPage } from './page.ts';
export { filterSql } from './list-query.ts';
export { readAll } from './read-all.ts';
export { matching } from './text-search.ts';

// Counters that a module maintains and reads itself.
export type { ComputedValue, Counted, CounterTable, CountFilter } from './counter.ts';
export { readCount, readCounts } from './counter-read.ts';
export { readCountsSince, readDays } from './counter-periods.ts';
export { readStatistics, updateCounters } from './statistics.ts';
