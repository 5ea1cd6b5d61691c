// Request parameters: the query, the path, and selectors in the query.
import { invalid, notFound } from '@keelson/kit/problem.ts';
import type { Route } from '../../plugin/route/route.ts';
import type { Koa } from '../request-state.ts';

/** Returns query parameters by name. The last duplicate wins, and an empty value counts as absent. */
export function queryOf(http: Koa): ReadonlyMap<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(http.querystring)) {
    if (value === '') query.delete(name);
    else query.set(name, value);
  }
  return query;
}

/** Returns true if percent-encoded text decodes to UTF-8. */
export function isUtf8(text: string): boolean {
  return decodes(text.replaceAll('+', ' ').replace(/%(?![0-9a-f]{2})/gi, '%25'));
}

/** Returns true if every escape of a text is part of a UTF-8 character. */
export function decodes(text: string): boolean {
  if (!text.includes('%')) return true;
  try {
    decodeURIComponent(text);
    return true;
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}

/**
 * Returns the path and selector parameters.
 * @throws notFound() for a malformed path id or an id out of range; invalid() for a malformed `?id=`
 * (R-12)
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
