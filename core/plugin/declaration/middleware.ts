// Koa middleware that a plugin adds to API requests (http/pipeline.ts).
import type { ParameterizedContext, Next } from 'koa';
import type { App } from '../app.ts';

/**
 * Positions in the pipeline. `received`: before the caller is identified, for every request to a declared path.
 * `authorized`: after the caller is authorised, before the body is read.
 */
export const middlewarePlaces = ['received', 'authorized'] as const;
/** One of those positions. */
export type MiddlewarePlace = (typeof middlewarePlaces)[number];

/** The request state available to middleware. */
export interface PluginState {
  /** The id in `X-Request-Id` and the log. */
  readonly requestId: string;
  /** The caller's address. Forwarding headers count only as far as `TRUST_PROXY` allows. */
  readonly ip: string;
  /** The kind of caller, once identified: `technician`. */
  readonly actor?: string;
  /** The route, once chosen. */
  readonly route?: { readonly name: string; readonly title: string };
}

/** Created by `middleware(…)`. */
export interface PluginMiddleware {
  readonly at: MiddlewarePlace;
  readonly use: (app: App) => (http: ParameterizedContext<PluginState>, next: Next) => Promise<void>;
}

/**
 * Declares Koa middleware for all API requests: `definePlugin({ middleware: [middleware('authorized', (app) => async
 * (http, next) => { … await next(); })] })`. A Problem it throws becomes the surface's error response. At `authorized`
 * it is skipped for companies that have the plugin switched off.
 */
export function middleware(at: MiddlewarePlace, use: PluginMiddleware['use']): PluginMiddleware {
  return Object.freeze({ at, use });
}
