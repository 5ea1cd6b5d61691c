// Browser calls from other origins: off, but for origins the operator lists, on the helpdesk and admin surfaces.
import type { Context as Koa } from 'koa';

const surfaces: readonly string[] = ['/helpdesk/api/v1/', '/admin/api/v1/'];

/** Sets the CORS headers where the request's origin is listed. CRM keys are secrets: never there. */
export function allowCrossOrigin(origins: readonly string[], http: Koa): void {
  if (origins.length === 0) return;
  const open = surfaces.some((each) => http.path.startsWith(each)) && !http.path.startsWith('/admin/api/v1/crm/');
  if (!open) return;
  http.vary('Origin');
  const origin = http.get('Origin');
  if (!origins.includes(origin)) return;
  http.set('Access-Control-Allow-Origin', origin);
  http.set(
    'Access-Control-Expose-Headers',
    'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id',
  );
  if (http.method !== 'OPTIONS') return;
  http.set('Access-Control-Allow-Methods', 'GET, POST, PUT, DELETE');
  http.set('Access-Control-Allow-Headers', 'Authorization, Content-Type, Idempotency-Key');
  http.set('Access-Control-Max-Age', '600');
}
