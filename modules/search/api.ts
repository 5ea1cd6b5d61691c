export { SavedSearch } from './entities.ts';
export { saveSearch } from './saved-searches.ts';
