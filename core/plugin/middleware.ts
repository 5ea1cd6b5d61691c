// Koa middleware that a plugin adds to the requests of the interfaces (http/pipeline.ts).
import type { ParameterizedContext, Next } from 'koa';
import type { App } from './app.ts';

/**
 * Where it stands: `received` before anybody is known, for every request of a declared path; `authorized` once the caller
 * may use the route, before the body is read.
 */
export const middlewarePlaces = ['received', 'authorized'] as const;
/** One of those places. */
export type MiddlewarePlace = (typeof middlewarePlaces)[number];

/** What middleware may know of a request. */
export interface PluginState {
  /** As in `X-Request-Id` and the log. */
  readonly requestId: string;
  /** The caller's address, from forwarding headers only as far as `TRUST_PROXY` allows. */
  readonly ip: string;
  /** The kind of caller, once it is known: `technician`. */
  readonly actor?: string;
  /** The route, once it is chosen. */
  readonly route?: { readonly name: string; readonly title: string };
}

/** Made by `middleware(…)`. */
export interface PluginMiddleware {
  readonly at: MiddlewarePlace;
  readonly use: (app: App) => (http: ParameterizedContext<PluginState>, next: Next) => Promise<void>;
}

/**
 * Declares Koa middleware for all requests of the interfaces: `definePlugin({ middleware: [middleware('authorized', (app) =>
 * async (http, next) => { … await next(); })] })`. A Problem that it throws is answered in the interface's own form. At
 * `authorized` it is left out for companies that have the plugin switched off.
 */
export function middleware(at: MiddlewarePlace, use: PluginMiddleware['use']): PluginMiddleware {
  return Object.freeze({ at, use });
}
