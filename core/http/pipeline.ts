// The request pipeline: the Koa application of a tenant. Each step is a middleware in the file of the same name.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { memoize } from '@keelson/kit/memoize.ts';
import Router from '@koa/router';
import KoaServer, { type Middleware } from 'koa';
import type { App } from '../plugin/app.ts';
import { healthRoutes } from './health-routes.ts';
import { accessLog } from './middleware/access-log.ts';
import { authorize } from './middleware/authorize.ts';
import { busy } from './middleware/busy.ts';
import { chooseRoute } from './middleware/choose-route.ts';
import { crossOrigin, ownWebsites, websites } from './middleware/cross-origin.ts';
import { handle } from './middleware/handle.ts';
import { identify } from './middleware/identify.ts';
import { limit } from './middleware/limit.ts';
import { options } from './middleware/options.ts';
import { plugged } from './middleware/plugged.ts';
import { problems } from './middleware/problems.ts';
import { readBody } from './middleware/read-body.ts';
import { requestId } from './middleware/request-id.ts';
import { respond } from './middleware/respond.ts';
import { securityHeaders } from './middleware/security-headers.ts';
import { surface } from './middleware/surface.ts';
import { transaction } from './middleware/transaction.ts';
import { unknown } from './middleware/unknown.ts';
import { docsRouter } from './openapi/docs.ts';
import type { RequestState } from './request-state.ts';
import { pathForm } from './routing/path-form.ts';
import { decodes } from './routing/request-params.ts';
import { compileRoutes, routerOf, type Interface } from './routing/routes.ts';

/** Steps for every request, in order. */
const everyRequest = (app: App) => [requestId(app), securityHeaders(app), accessLog(app), crossOrigin(app)] as const;

/** Steps for a path with routes, in order. A step that throws a Problem ends the request with it. */
const knownPath = (app: App) =>
  [
    websites,
    busy(app),
    options,
    ...plugged(app, 'received'),
    identify(app),
    ownWebsites,
    limit(app),
    chooseRoute,
    authorize(app),
    ...plugged(app, 'authorized'),
    readBody(app),
    respond(app),
    transaction(app, handle(app)),
  ] as const;

/** Steps for a path without routes. It counts towards the caller's limit like any other. */
const unknownPath = (app: App) => [busy(app), identify(app), limit(app), unknown] as const;

/** Creates a tenant's request handler for node:http. `further` adds routes tried when no interface has the path. */
export function createWeb(
  app: App,
  further: (router: Router) => void = () => {},
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  // Koa must not trust forwarding headers. security/address.ts does, as far as TRUST_PROXY allows (ME-11).
  const koa = new KoaServer<RequestState>({ proxy: false });
  koa.silent = true;
  koa.on('error', (error: unknown) => app.log.warn({ err: error }, 'the response could not be sent'));
  const interfaces = compileRoutes(app.plugins);
  for (const each of everyRequest(app)) koa.use(each);
  koa.use(pathForm(app.plugins));
  koa.use(surface(interfaces));
  koa.use(problems(app));
  const known = knownPath(app);
  const routesOf = memoize((face: Interface) => routerOf(face, known).routes());
  koa.use((http, next) => {
    const router = routesOf(http.state.face) as unknown as Middleware<RequestState>;
    // Malformed paths match nothing. `//` would match the root with a trailing slash, and names another host.
    return decodes(http.path) && !http.path.startsWith('//') ? router(http, next) : next();
  });
  const operators = new Router();
  healthRoutes(operators, app);
  docsRouter(operators, app);
  further(operators);
  // A cast: the router's context has additions that only its own handlers use.
  koa.use(operators.routes() as unknown as Middleware<RequestState>);
  for (const each of unknownPath(app)) koa.use(each);
  return koa.callback();
}
