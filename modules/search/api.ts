export { SavedSearch } from './entities.ts';
