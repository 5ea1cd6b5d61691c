import { searchable } from '@keelson/core';
import { RestoreRequest } from './entities.ts';

// What lists search (P-26). Searching over everything has types of its own, and none of these.
export default [
  searchable(RestoreRequest, { main: ['description'], title: ({ request_id }) => `Restore request ${request_id}` }),
];
