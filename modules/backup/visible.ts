// The backups visible to customers (Z-21).
import { is, type Context, type EmployeeActor } from '@keelson/core';
import type { Filter } from '@keelson/core/list';

export const ownCompany = ({ actor }: Context<EmployeeActor>): Filter[] => [is('company_number', actor.company_number)];

/** Filters to the caller's own requests; for an IT admin, to the whole company's. */
export const visibleRequests = (ctx: Context<EmployeeActor>): Filter[] => [
  ...ownCompany(ctx),
  ...(ctx.actor.it_privileges ? [] : [is('employee_number', ctx.actor.employee_number)]),
];
