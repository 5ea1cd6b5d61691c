// `@keelson/core/record`: tools for nouns with special needs.

// Writing: rows that are built or stored elsewhere, with explicit side effects.
export { announceAllNew, announceNew, newRow } from './write.ts';
export type { Change } from './record.ts';

// Reading: responses beyond a single view.
export { answers, countOf, countsOf } from './read.ts';
export { readerOf } from '../plugin/context.ts';
export { CompanyActivity, HistoryLine } from './history.ts';
export { eventDataWith, showWith } from './show.ts';

// Types of views: their query, their actor and their members.
export type { MembersOf } from './member.ts';
export type { ActorOf, AskedOf, FilteredOf } from './view.ts';

// Reports: the type of the declared sources.
export type { ReportSource } from './report/report-source.ts';

// Imports: nouns that files can be imported into, and their entry in the history.
export { importable } from './import/importable.ts';
export { importRoutes, nounImport } from './import/import-noun.ts';
export { importOutcome, runImport } from './import/import-history.ts';
