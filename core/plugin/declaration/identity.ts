// Identities: ways to recognise a caller, such as a session or a key. Plugins declare them; a surface tries them in
// order.
import type { App } from '../app.ts';
import type { Program, Surface } from '../route/surface.ts';

/** The parts of a request that may carry a credential. */
export interface Credentials {
  /** Returns a header's value, repeated headers joined by commas. Undefined if absent. */
  header(name: string): string | undefined;
  /** Returns a cookie's value. Undefined if absent. */
  cookie(name: string): string | undefined;
  /** The raw query string, without the question mark. */
  readonly query: string;
  readonly ip: string;
  /** Set when a stream rechecks its credential. This does not count as use and extends no session. */
  readonly passive?: boolean;
}

export interface Identity<Actor = any> {
  readonly name: string;
  readonly surface: Surface<Actor>;
  /** Browsers send cookies automatically, so cookie requests are checked for forgery. */
  readonly via: 'cookie' | 'header';
  /** Recognises programs of this kind, and only on the routes declared for them. */
  readonly program?: string;
  /** Returns the actor, `refused` for an invalid credential of this kind, or undefined if there is none. */
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

/** Declares how to recognise programs of one kind, on routes whose access rule is `onlyProgram(program)`. */
export function programIdentity(
  surface: Surface<any>,
  program: string,
  recognise: Identity<Program>['recognise'],
): Identity<Program> {
  return Object.freeze({ name: `${program} token`, surface, via: 'header', program, recognise });
}

/** Matches a credential in the URL, which would leak into histories and logs (SF-04). */
export const CREDENTIAL_IN_QUERY =
  /(?:^|&)(?:api_?key|x-api-key|access_token)=|=(?:vsa_|crm_|pk_live_|pk_test_|col_)[0-9A-Za-z]{44}(?:&|$)/i;

/** Returns the bearer token. `refused` if it is malformed or the URL also carries a credential. */
export function bearerOf(from: Credentials): { readonly secret: string } | 'refused' | undefined {
  const header = from.header('authorization');
  if (header === undefined) return undefined;
  if (CREDENTIAL_IN_QUERY.test(from.query)) return 'refused';
  const [scheme = '', secret = '', more] = header.trim().split(/ +/);
  return scheme.toLowerCase() === 'bearer' && secret !== '' && more === undefined ? { secret } : 'refused';
}
