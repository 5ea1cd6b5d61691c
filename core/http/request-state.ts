// What the pipeline knows of a request, from its start to its line in the log: `http.state`.
import type { ParameterizedContext } from 'koa';
import type { Body } from './body.ts';
import type { Caller } from './caller.ts';
import type { Rendered } from './answer.ts';
import type { Route } from '../plugin/route.ts';
import type { CompiledRoute, Interface, PathRoutes } from './routes.ts';

/** What is known of every request. */
export interface RequestState {
  readonly requestId: string;
  /** The caller's address, from forwarding headers only as far as `TRUST_PROXY` allows. */
  readonly ip: string;
  /** Whether callers reach this installation over https. */
  readonly secure: boolean;
  /** The interface that the path belongs to. */
  face: Interface;
  /** Who asks; nobody until `identify`. */
  caller: Caller;
  /** The kind of caller, once it is identified: `technician`. */
  actor?: string;
  /** Once it is chosen. */
  route?: Route;
}

/** What is known besides once a route has the path; each member from the step on that bears its name. */
export interface RouteState extends RequestState {
  /** All routes of the path. */
  path: PathRoutes;
  query: ReadonlyMap<string, string>;
  /** Whether the page that asks is one of a website that its key is for. */
  originAllowed: boolean;
  route: Route;
  compiled: CompiledRoute;
  params: Record<string, unknown>;
  body: Body;
  rendered: Rendered;
}

/** A Koa context with our state. */
export type Koa = ParameterizedContext<RequestState>;
/** The same for a path that routes have. */
export type Routed = ParameterizedContext<RouteState>;
