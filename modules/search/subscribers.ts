import { subscriber } from '@keelson/core';
import { EmployeeDeleted } from '@keelson/modules/directory';
import { forgetSearches } from './saved-searches.ts';

// Saved searches are private, and no one else could read them after the deletion.
export default [
  subscriber('search.forget-employee', EmployeeDeleted, (ctx, { data }) => forgetSearches(ctx, data.employee_number)),
];
