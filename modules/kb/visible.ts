import { is, sql, type Context, type EmployeeActor, type Filter } from '@keelson/core';

/** What employees see: published articles for all companies and for their own (K-03, K-04). */
export function visibleArticles({ actor }: Context<EmployeeActor>): Filter[] {
  const { company_number } = actor;
  // No OR: SQLite would use two indices for it, and then sort whole rows with their long texts.
  return [
    is('visibility', ['public', 'both']),
    sql`COALESCE(kb_article.company_number, ${company_number}) = ${company_number}`,
  ];
}
