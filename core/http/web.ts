// The Koa application of a tenant: security headers and logging, the operators' endpoints, and the surfaces.
import type { IncomingMessage, ServerResponse } from 'node:http';
import Router from '@koa/router';
import KoaServer, { type Middleware, type Next } from 'koa';
import { clientAddress } from '../security/address.ts';
import type { Koa, RequestState } from './request-state.ts';
import type { App } from '../plugin/app.ts';
import { compileRoutes } from './routes.ts';
import { allowCrossOrigin, allowWebsites } from './cross-origin.ts';
import { docsRouter } from './docs.ts';
import { healthRoutes } from './health-routes.ts';
import { answer } from './http.ts';
import { sendProblem } from './answer.ts';
import { unavailable } from '../kit/problem.ts';
import { requestLog } from '../log/log.ts';
import { newId } from '../kit/random.ts';

/** The headers of every answer. */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self'; font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
} as const;

/** The request handler of a tenant, for node:http. `further` adds routes that are tried when no surface has the path. */
export function createWeb(
  app: App,
  further: (router: Router) => void = () => {},
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  // Koa must not trust forwarding headers; security/address.ts does, as far as TRUST_PROXY says (ME-11).
  const interfaces = compileRoutes(app.plugins);
  const koa = new KoaServer<RequestState>({ proxy: false });
  koa.silent = true;
  koa.on('error', (error: unknown) => app.log.warn({ err: error }, 'the answer could not be sent'));
  const router = new Router();
  healthRoutes(router, app);
  docsRouter(router, app);
  further(router);
  koa.use(frame(app));
  // A cast: the router's context type has additions that only its own handlers use.
  const operators = router.routes() as unknown as Middleware;
  koa.use((http) => {
    const { face, rest } = interfaces.locate(http.path);
    const match = face.find(rest);
    if (match) allowWebsites(http, match.group);
    const surfaces = async () => {
      if (!app.guard.overloaded()) return answer(app, http, face, match);
      sendProblem(app, http, face.surface, unavailable('Too busy, try again shortly'));
    };
    // The router scans all of its routes each time, so the operators' paths are tried only when no surface matches.
    return match ? surfaces() : operators(http, surfaces);
  });
  return koa.callback();
}

/** Gives every request an id, the caller's address, security headers, a line in the log, and metrics. */
function frame(app: App): (http: Koa, next: Next) => Promise<void> {
  const secure = app.config.baseUrl.startsWith('https:');
  const headers = secure ? { ...securityHeaders, 'Strict-Transport-Security': 'max-age=31536000' } : securityHeaders;
  const log = requestLog(app.log);
  return async (http, next) => {
    const started = performance.now();
    const requestId = newId();
    const ip = clientAddress(http.req.headers, http.req.socket.remoteAddress, app.config.trustProxy);
    http.state = { requestId, ip, secure };
    http.set(headers);
    http.set('X-Request-Id', requestId);
    allowCrossOrigin(app.config.corsOrigins, http);
    await next();
    const { route, actor } = http.state;
    const seconds = (performance.now() - started) / 1000;
    const name = route ? route.name : 'none';
    app.metrics.request(route?.surface.id ?? 'none', name, http.status, seconds);
    log({
      request_id: requestId,
      method: http.method,
      route: name,
      status: http.status,
      ms: seconds * 1000,
      actor,
    });
  };
}
