// Parses the query, and answers OPTIONS, which needs no caller.
import type { Next } from 'koa';
import type { Routed } from '../request-state.ts';
import { allowedMethods } from '../routing/php-actions.ts';
import { queryOf } from '../routing/request-params.ts';

export async function options(http: Routed, next: Next): Promise<void> {
  const { path } = http.state;
  const query = queryOf(http);
  http.state.query = query;
  if (http.method !== 'OPTIONS') return next();
  http.status = 204;
  http.set('Allow', allowedMethods(path, query).join(', '));
}
