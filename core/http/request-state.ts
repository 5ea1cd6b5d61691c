// What is known of a request beside its HTTP parts, from its first moment to the line in the log.
import type { ParameterizedContext } from 'koa';
import type { Route } from '../plugin/route.ts';

export interface RequestState {
  readonly requestId: string;
  /** The caller's address as `TRUST_PROXY` allows to believe it. */
  readonly ip: string;
  /** Whether callers reach this installation over https. */
  readonly secure: boolean;
  /** The route that answers, once one is found. */
  route?: Route;
  /** What kind of caller it is, once one is recognised: `technician`. */
  actor?: string;
}

/** A Koa context with our state. */
export type Koa = ParameterizedContext<RequestState>;
