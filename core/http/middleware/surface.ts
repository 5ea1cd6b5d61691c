// Finds the interface a path belongs to.
import type { Next } from 'koa';
import type { Koa } from '../request-state.ts';
import type { Interfaces } from '../routing/routes.ts';

export const surface =
  (interfaces: Interfaces) =>
  (http: Koa, next: Next): Promise<void> => {
    http.state.face = interfaces.of(http.path);
    if (http.path.includes('%')) http.path = readable(http.path);
    return next();
  };

/** Decodes percent-encoded unreserved characters, which are equivalent (RFC 3986, 2.3). */
function readable(path: string): string {
  return path.replaceAll(/%[2-7][0-9a-f]/gi, (escaped) => {
    const char = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
    return /[\w.~-]/.test(char) ? char : escaped;
  });
}
