// `@keelson/core/list`: lists and counters for tables that are not records.

// Paged lists that stay fast at any table size, for tables without a record's list.
export { byOther, defineList, type Filter } from '@keelson/list/list.ts';
export { countList, readPage } from '@keelson/list/page/page.ts';
export { filterSql } from '@keelson/list/list-query.ts';
export { readAll } from '@keelson/list/walk/all-rows.ts';
export { matching } from '@keelson/list/text-search.ts';

// Counters that a module maintains and reads itself.
export type { ComputedValue, Counted, CounterTable, CountFilter } from '@keelson/list/counter/counter.ts';
export { readCount, readCounts } from '@keelson/list/counter/counter-read.ts';
export { readCountsSince, readDays } from '@keelson/list/counter/counter-periods.ts';
export { readStatistics, updateCounters } from '@keelson/list/counter/statistics.ts';
