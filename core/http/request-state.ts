// The pipeline's state for a request, from start to access log: `http.state`.
import type { Readable } from 'node:stream';
import type { Problem } from '@keelson/kit/problem.ts';
import type { ArrivedFile } from '@keelson/storage';
import type { ParameterizedContext } from 'koa';
import type { StreamAnswer } from '../plugin/route/returns.ts';
import type { Upload, Route } from '../plugin/route/route.ts';
import type { PathRoutes } from './routing/php-actions.ts';
import type { CompiledRoute, Interface } from './routing/routes.ts';

/** A response, ready to be sent. */
export interface Rendered {
  readonly status: number;
  readonly type: string;
  readonly body: string | Buffer | Readable | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Replayed for the same idempotency key, so nothing changed. */
  readonly repeated?: boolean;
  /** Set for a streaming response (stream.ts). */
  readonly stream?: StreamAnswer;
}

/** Who sent the request, if known. */
export interface Caller {
  readonly actor: unknown;
  readonly via: 'cookie' | 'header' | undefined;
  /** A credential was sent but is not valid. */
  readonly refused: boolean;
}

/** What was read of the request’s body. */
export interface Body {
  /** The parsed value. Undefined with a `problem`, which is reported only after the record is found. */
  readonly value: unknown;
  readonly problem: Problem | undefined;
  readonly uploads: readonly Upload[];
  /** Files written to disk (receive-files.ts). */
  readonly files: readonly ArrivedFile[];
  /** The raw bytes, for the fingerprint of an idempotency key. */
  readonly parts: readonly Buffer[];
}

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
