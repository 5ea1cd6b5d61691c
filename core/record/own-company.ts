// Customers' people reach no record of another company, whatever a route forgot: it is for them as if it were not there.
import type { Context } from '../plugin/context.ts';
import { notFound } from '../kit/problem.ts';

/**
 * Checks rows that are about to be shown to, or changed by, whoever asks. Rows without a company are everybody's; what else
 * of the own company may be seen is for the view's `visible`.
 * @throws notFound() for a row of another company than the employee's
 */
export function requireOwnCompany({ actor }: Context, title: string, rows: readonly object[]): void {
  if (typeof actor !== 'object' || actor === null || !('employee_number' in actor)) return;
  const { company_number: own } = actor as unknown as { readonly company_number: number };
  for (const row of rows) {
    const theirs = 'company_number' in row ? row.company_number : null;
    if (typeof theirs === 'number' && theirs !== own) throw notFound(title);
  }
}
