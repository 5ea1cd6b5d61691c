// The parameters of a request: query, path, and the selectors that are in the query.
import type { Koa, Routed } from './request-state.ts';
import { invalid, notFound } from '../kit/problem.ts';
import type { Route } from '../plugin/route.ts';

/** Query parameters by name: the last of a repeated one wins, an empty one counts as absent. */
export function queryOf(http: Koa | Routed): ReadonlyMap<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(http.querystring)) {
    if (value === '') query.delete(name);
    else query.set(name, value);
  }
  return query;
}

/** Whether percent-encoded text decodes to UTF-8. */
export function isUtf8(text: string): boolean {
  if (!text.includes('%')) return true;
  try {
    return decodeURIComponent(text.replaceAll('+', ' ').replace(/%(?![0-9a-f]{2})/gi, '%25')) !== '';
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}

/**
 * Path and selector parameters.
 * @throws notFound() for a path id that is no id and for ids larger than any record's; invalid() for an
 *   `?id=` that is no id
 */
export function paramsOf(
  route: Route,
  values: readonly string[],
  query: ReadonlyMap<string, string>,
): Record<string, unknown> {
  const params: Record<string, unknown> = Object.create(null);
  let next = 0;
  for (const { name, key, from, text } of route.template.params) {
    const value = from === 'path' ? values[next++] : query.get(key);
    if (text) params[name] = value;
    else if (value !== undefined && /^[1-9]\d{0,14}$/.test(value)) params[name] = Number(value);
    else if (from === 'path' || (value !== undefined && /^[1-9]\d+$/.test(value))) throw notFound('Resource');
    else throw invalid(`${key} must be a positive integer`);
  }
  return params;
}
