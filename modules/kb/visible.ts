import { is, sql, type Context, type EmployeeActor } from '@keelson/core';
import type { Filter } from '@keelson/core/list';

/** What customers see at all: not what only technicians read (K-02, K-03). */
const published = is('visibility', ['public', 'both']);

/** What employees see: published articles for all companies and for their own (K-03, K-04). */
export function visibleArticles({ actor }: Context<EmployeeActor>): Filter[] {
  const { company_number } = actor;
  // No OR: SQLite would use two indices for it, and then sort whole rows with their long texts.
  return [published, sql`COALESCE(kb_article.company_number, ${company_number}) = ${company_number}`];
}

/** What anybody may read: published articles that are no single company's. */
export const publicArticles: readonly Filter[] = Object.freeze([published, is('company_number', null)]);
