// CORS: browser requests from other origins. They are refused except from origins that the operator lists, on the
// helpdesk and admin surfaces, and on routes declared `crossOrigin`, which are made for the pages of websites.
import type { Surface } from '../plugin/surface.ts';
import type { Koa } from './request-state.ts';
import type { Group } from './dispatch.ts';

const EXPOSED = 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id';
const PREFLIGHT_SECONDS = '600';

const surfaces: readonly string[] = ['/helpdesk/api/v1/', '/admin/api/v1/'];

/** Sets the CORS headers when the request's origin is listed; never for the CRM, whose keys are secrets. */
export function allowCrossOrigin(origins: readonly string[], http: Koa): void {
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
 * Sets the CORS headers of a path that websites may call: for any origin, because a preflight carries no key, and a caller
 * with a wrong key must be able to read the error. Cookies are never allowed.
 */
export function allowWebsites(http: Koa, { crossOrigin, methods }: Group): void {
  if (!crossOrigin) return;
  http.set('Access-Control-Allow-Origin', '*');
  http.set('Access-Control-Expose-Headers', EXPOSED);
  http.set('Cross-Origin-Resource-Policy', 'cross-origin');
  if (http.method !== 'OPTIONS') return;
  http.set('Access-Control-Allow-Methods', methods.join(', '));
  http.set('Access-Control-Allow-Headers', 'X-API-Key, Content-Type');
  http.set('Access-Control-Max-Age', PREFLIGHT_SECONDS);
}

/** Restricts them to the websites of an identified caller; false when the request comes from another website's page. */
export function narrowWebsites(http: Koa, surface: Surface<any>, actor: unknown): boolean {
  const websites = surface.websites?.(actor) ?? 'any';
  if (websites === 'any') return true;
  const origin = http.get('Origin');
  http.vary('Origin');
  http.remove('Access-Control-Allow-Origin');
  if (websites === 'none' || origin === '') return true;
  if (!websites.includes(origin)) return false;
  http.set('Access-Control-Allow-Origin', origin);
  return true;
}
