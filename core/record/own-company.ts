// Customers' people reach no record of another company, whatever a route forgot: it is for them as if it were not there.
import { notFound } from '../kit/problem.ts';
import type { Context } from '../plugin/context.ts';
import { isEmployee } from '../plugin/employee.ts';

/**
 * Checks rows before the caller is shown them, or changes them. A row without a company belongs to everybody; which rows of
 * their own company people see is up to the view's `visible`.
 * @throws notFound() for a row of another company than the employee's
 */
export function requireOwnCompany({ actor }: Context, title: string, rows: readonly object[]): void {
  if (!isEmployee(actor)) return;
  for (const row of rows) {
    const theirs = 'company_number' in row ? row.company_number : null;
    if (typeof theirs === 'number' && theirs !== actor.company_number) throw notFound(title);
  }
}
