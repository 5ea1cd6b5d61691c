// Hides other companies' records from customer employees, even if a route forgets to check.
import { notFound } from '@keelson/kit/problem.ts';
import type { Context } from '../plugin/context.ts';
import { isEmployee } from '../plugin/route/employee.ts';

/**
 * Checks rows before they are shown to the caller or changed. A row without a company is visible to everyone. The
 * view's `visible` decides which rows of their own company employees see.
 * @throws notFound() for a row of a company other than the employee's
 */
export function requireOwnCompany({ actor }: Context, title: string, rows: readonly object[]): void {
  if (!isEmployee(actor)) return;
  for (const row of rows) {
    const theirs = 'company_number' in row ? row.company_number : null;
    if (typeof theirs === 'number' && theirs !== actor.company_number) throw notFound(title);
  }
}
