// `@keelson/core/search`: direct access to the search index. A list only needs `searched(…)`.

// Finding records of any type, and conditions for lists.
export type { SearchTexts } from './searchable.ts';
export { whereSearched } from './filter.ts';
export { findByAnyWord } from './any.ts';
export { findRecords } from './find.ts';
export { isStopWord } from './stop-words.ts';
export { searchTypes } from './sources.ts';
