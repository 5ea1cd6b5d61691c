// CORS for browser requests from other origins. Refused except from origins the operator lists, on the helpdesk
// and admin surfaces, and on routes declared `crossOrigin`, which are meant for other websites.
import type { Next } from 'koa';
import type { App } from '../../plugin/app.ts';
import type { Koa, Routed } from '../request-state.ts';

const EXPOSED = 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id';
const PREFLIGHT_SECONDS = '600';

const surfaces: readonly string[] = ['/helpdesk/api/v1/', '/admin/api/v1/'];

export const crossOrigin =
  ({ config }: App) =>
  (http: Koa, next: Next): Promise<void> => {
    allowListed(config.corsOrigins, http);
    return next();
  };

/** Sets the CORS headers for a listed origin. Never for the CRM, whose keys are secret. */
function allowListed(origins: readonly string[], http: Koa): void {
  if (origins.length === 0) return;
  const open = surfaces.some((each) => http.path.startsWith(each)) && !http.path.startsWith('/admin/api/v1/crm/');
  if (!open) return;
  http.vary('Origin');
  const origin = http.get('Origin');
  if (!origins.includes(origin)) return;
  http.set('Access-Control-Allow-Origin', origin);
  http.set('Access-Control-Expose-Headers', EXPOSED);
  if (http.method !== 'OPTIONS') return;
  http.set('Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE');
  http.set('Access-Control-Allow-Headers', 'Authorization, Content-Type, Idempotency-Key');
  http.set('Access-Control-Max-Age', PREFLIGHT_SECONDS);
}

/**
 * Sets the CORS headers of a path that websites may call. Any origin is allowed at first, because a preflight carries
 * no key and a caller with a wrong key must be able to read the error. Cookies are never allowed. `ownWebsites` narrows
 * the headers once the caller is identified.
 */
export function websites(http: Routed, next: Next): Promise<void> {
  const { path } = http.state;
  if (!path.crossOrigin) return next();
  http.set('Access-Control-Allow-Origin', '*');
  http.set('Access-Control-Expose-Headers', EXPOSED);
  http.set('Cross-Origin-Resource-Policy', 'cross-origin');
  if (http.method === 'OPTIONS') {
    http.set('Access-Control-Allow-Methods', path.methods.join(', '));
    http.set('Access-Control-Allow-Headers', 'X-API-Key, Content-Type');
    http.set('Access-Control-Max-Age', PREFLIGHT_SECONDS);
  }
  return next();
}

/** Restricts those headers to the websites of an identified caller. */
export function ownWebsites(http: Routed, next: Next): Promise<void> {
  const { path, caller } = http.state;
  http.state.originAllowed = !path.crossOrigin || caller.actor === undefined || isOwn(http);
  return next();
}

/** Returns false for a request from another website's page. */
function isOwn(http: Routed): boolean {
  const { face, caller } = http.state;
  const own = face.surface.websites?.(caller.actor) ?? 'any';
  if (own === 'any') return true;
  const origin = http.get('Origin');
  http.vary('Origin');
  http.remove('Access-Control-Allow-Origin');
  if (own === 'none' || origin === '') return true;
  if (!own.includes(origin)) return false;
  http.set('Access-Control-Allow-Origin', origin);
  return true;
}
