import { searchable } from '@keelson/core';
import { RestoreRequest } from './entities.ts';

// Searchable lists (P-26). Global search has types of its own and includes none of these.
export default [
  searchable(RestoreRequest, { main: ['description'], title: ({ request_id }) => `Restore request ${request_id}` }),
];
