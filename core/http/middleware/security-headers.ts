// Security headers of every response.
import type { Next } from 'koa';
import type { App } from '../../plugin/app.ts';
import type { Koa } from '../request-state.ts';

/** Headers that do not depend on the base URL. */
export const always = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self'; font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
} as const;

export function securityHeaders({ config }: App) {
  const secure = config.baseUrl.startsWith('https:');
  const headers = secure ? { ...always, 'Strict-Transport-Security': 'max-age=31536000' } : always;
  return (http: Koa, next: Next): Promise<void> => {
    http.set(headers);
    return next();
  };
}
