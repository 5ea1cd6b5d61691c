// `@keelson/core/list`: lists and counters of tables that are no record.

// Lists of tables: pages of rows that stay quick at any size, for tables without a record's list.
export { byOther, countList, defineList, readPage, type Filter } from './list.ts';
export { readAll } from './read-all.ts';
export { matching } from './text-search.ts';

// Counting: counters that a module writes and reads itself.
export {
  readCount,
  readCounts,
  type ComputedValue,
  type Counted,
  type CounterTable,
  type CountFilter,
} from './counter.ts';
export { readCountsSince, readDays } from './counter-periods.ts';
export { readStatistics, updateCounters } from './statistics.ts';
