import { subscriber } from '@keelson/core';
import { EmployeeDeleted } from '@keelson/modules/directory';
import { forgetSearches } from './saved-searches.ts';

// What somebody looked for is their own affair, and nobody could read it any more.
export default [
  subscriber('search.forget-employee', EmployeeDeleted, (ctx, { data }) => forgetSearches(ctx, data.employee_number)),
];
