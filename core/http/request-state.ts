// What the pipeline stores about a request, from its start to its line in the log.
import type { ParameterizedContext } from 'koa';
import type { Route } from '../plugin/route.ts';

export interface RequestState {
  readonly requestId: string;
  /** The caller's address, from forwarding headers only as far as `TRUST_PROXY` allows. */
  readonly ip: string;
  /** Whether callers reach this installation over https. */
  readonly secure: boolean;
  /** The route, once it is found. */
  route?: Route;
  /** The kind of caller, once it is identified: `technician`. */
  actor?: string;
}

/** A Koa context with our state. */
export type Koa = ParameterizedContext<RequestState>;
