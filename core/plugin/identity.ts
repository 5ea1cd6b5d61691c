// Identities: ways to recognise a caller, such as by session or key. Plugins declare them; a surface tries them in order.
import type { App } from './app.ts';
import type { Program, Surface } from './surface.ts';

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
  /** It recognises programs of this sort, on the routes that are declared for them only. */
  readonly program?: string;
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

/** Declares how programs of one sort are recognised, on the routes whose access rule is `onlyProgram(program)`. */
export function programIdentity(
  surface: Surface<any>,
  program: string,
  recognise: Identity<Program>['recognise'],
): Identity<Program> {
  return Object.freeze({ name: `${program} token`, surface, via: 'header', program, recognise });
}

/** A credential in the address would end up in histories and logs (SF-04). */
export const CREDENTIAL_IN_QUERY =
  /(?:^|&)(?:api_?key|x-api-key|access_token)=|=(?:vsa_|crm_|pk_live_|pk_test_|col_)[0-9A-Za-z]{44}(?:&|$)/i;

/** The bearer token of a request; `refused` when there is one that cannot be read, or another credential in the address. */
export function bearerOf(from: Credentials): { readonly secret: string } | 'refused' | undefined {
  const header = from.header('authorization');
  if (header === undefined) return undefined;
  if (CREDENTIAL_IN_QUERY.test(from.query)) return 'refused';
  const [scheme = '', secret = '', more] = header.trim().split(/ +/);
  return scheme.toLowerCase() === 'bearer' && secret !== '' && more === undefined ? { secret } : 'refused';
}
