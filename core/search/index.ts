// `@keelson/core/search`: direct access to the search index. A list only needs `searched(…)`.

// Finding records of any type, and conditions for lists.
export type { SearchTexts } from './searchable.ts';
export { whereSearched } from './finding/search-filter.ts';
export { findByAnyWord } from './finding/any-word.ts';
export { findRecords } from './finding/find.ts';
export { isStopWord } from './stop-words.ts';
export { searchTypes } from './search-sources.ts';
