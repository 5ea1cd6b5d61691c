// `@keelson/core/record`: for nouns that are special.

// Writing: rows that are made or stored elsewhere, and told of by hand.
export { announceAllNew, announceNew, newRow } from './write.ts';
export type { Change } from './record.ts';

// Reading: answers that go beyond one view.
export { answers, countOf, countsOf } from './read.ts';
export { HistoryLine } from './history.ts';
export { eventDataWith, showWith } from './show.ts';

// Types of views: what one is asked, by whom, and what it shows.
export type { MembersOf } from './member.ts';
export type { ActorOf, AskedOf, FilteredOf } from './view.ts';
