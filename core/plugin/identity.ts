// Identities: ways to recognise a caller, such as by session or key. Plugins declare them; a surface tries them in order.
import type { App } from './app.ts';
import type { Surface } from './surface.ts';

/** The parts of a request that may carry a credential. */
export interface Credentials {
  /** A header's value; those of a repeated header are joined by commas. Undefined when it is absent. */
  header(name: string): string | undefined;
  /** A cookie's value; undefined when it is absent. */
  cookie(name: string): string | undefined;
  /** The query as it was sent, without the question mark. */
  readonly query: string;
  readonly ip: string;
  /** A stream asks whether its credential still counts: that is no use of it, and extends nothing. */
  readonly passive?: boolean;
}

export interface Identity<Actor = any> {
  readonly name: string;
  readonly surface: Surface<Actor>;
  /** Browsers send cookies by themselves, so requests with one are checked for forgery. */
  readonly via: 'cookie' | 'header';
  /** The actor; `refused` when there is a credential of this kind but it is not valid; undefined when there is none. */
  recognise(app: App, from: Credentials): Promise<Actor | 'refused' | undefined>;
}

/** Declares a way to recognise callers of `surface`. Headers are tried before cookies. */
export function identity<Actor>(
  surface: Surface<Actor>,
  name: string,
  via: 'cookie' | 'header',
  recognise: Identity<Actor>['recognise'],
): Identity<Actor> {
  return Object.freeze({ name, surface, via, recognise });
}
