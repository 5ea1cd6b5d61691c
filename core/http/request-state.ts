// The pipeline's state for a request, from start to access log: `http.state`.
import type { ParameterizedContext } from 'koa';
import type { Body } from './body.ts';
import type { Caller } from './caller.ts';
import type { Rendered } from './answer.ts';
import type { Route } from '../plugin/route.ts';
import type { CompiledRoute, Interface, PathRoutes } from './routes.ts';

/** State of every request. */
export interface RequestState {
  readonly requestId: string;
  /** The caller's address. Forwarding headers count only as far as `TRUST_PROXY` allows. */
  readonly ip: string;
  /** Callers reach this installation over https. */
  readonly secure: boolean;
  /** The interface the path belongs to. */
  face: Interface;
  /** All routes of the path, if it has any. */
  path?: PathRoutes;
  /** The caller; a stranger until `identify`. */
  caller: Caller;
  /** The kind of caller, once identified: `technician`. */
  actor?: string;
  /** Set once chosen. */
  route?: Route;
  /** Why the server could not respond, for the log: callers only learn that it is unavailable. */
  reason?: string;
}

/** Additional state of a path with routes. The step of the same name sets each member. */
export interface RouteState extends RequestState {
  path: PathRoutes;
  query: ReadonlyMap<string, string>;
  /** The requesting page belongs to a website the caller's key allows. */
  originAllowed: boolean;
  route: Route;
  compiled: CompiledRoute;
  params: Record<string, unknown>;
  body: Body;
  rendered: Rendered;
}

/** A Koa context with our state. */
export type Koa = ParameterizedContext<RequestState>;
/** A Koa context for a path with routes. */
export type Routed = ParameterizedContext<RouteState>;
