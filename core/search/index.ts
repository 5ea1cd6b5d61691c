// `@keelson/core/search`: asking the index oneself. A list only says `searched(…)`.

// Finding: records of every type, and conditions on the ids that a search finds.
export type { SearchTexts } from './searchable.ts';
export { whereSearched } from './filter.ts';
export { findByAnyWord } from './any.ts';
export { findRecords } from './find.ts';
export { searchTypes } from './sources.ts';
