import { is, sql, type Context, type EmployeeActor } from '@keelson/core';
import type { Filter } from '@keelson/core/list';

/** Articles for customers; excludes internal ones (K-02, K-03). */
const published = is('visibility', ['public', 'both']);

/** Returns filters for an employee: published articles for all companies or their own (K-03, K-04). */
export function visibleArticles({ actor }: Context<EmployeeActor>): Filter[] {
  const { company_number } = actor;
  // Avoid OR: SQLite would combine two indexes and then sort full rows with their long texts.
  return [published, sql`COALESCE(kb_article.company_number, ${company_number}) = ${company_number}`];
}

/** Public articles: published and not limited to a company. */
export const publicArticles: readonly Filter[] = Object.freeze([published, is('company_number', null)]);
