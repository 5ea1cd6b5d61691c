// The errors that callers are told about. Each surface gives them its own status and form.

export const problemKinds = [
  'invalid',
  'signed-out',
  'forbidden',
  'not-found',
  'method',
  'conflict',
  'duplicate',
  'too-large',
  'too-many',
  'unavailable',
  'internal',
] as const;
export type ProblemKind = (typeof problemKinds)[number];

/** An error whose message is one short sentence for the caller (E-01). */
export class Problem extends Error {
  readonly kind: ProblemKind;
  /** Response headers that belong to it: `Allow`, `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Further members of the body; only N-25 and a pending second factor use them. */
  readonly extra: Readonly<Record<string, unknown>>;
  constructor(
    kind: ProblemKind,
    message: string,
    more: { headers?: Record<string, string>; extra?: Record<string, unknown> } = {},
  ) {
    super(message);
    this.kind = kind;
    this.headers = more.headers ?? {};
    this.extra = more.extra ?? {};
  }
}

/** The input is wrong: 400. The message names the field; several messages are joined by "; " (E-02). */
export const invalid = (message: string) => new Problem('invalid', message);
/** There is no valid credential: 401. `extra` becomes members of the body. */
export const signedOut = (message = 'Authentication required', extra: Record<string, unknown> = {}) =>
  new Problem('signed-out', message, { extra });
/** The caller may not do this, whatever the object: 403 (E-08). */
export const forbidden = (message = 'Insufficient permissions') => new Problem('forbidden', message);
/** 404: the object is absent, deleted, another company's or invisible; the answer is the same for all four (E-07). */
export const notFound = (noun: string) => new Problem('not-found', `${noun} not found`);

/** For `.catch`: undefined instead of a record that is not there, or that the caller may not see; other errors go on. */
export function unlessFound(error: unknown): undefined {
  if (error instanceof Problem && error.kind === 'not-found') return undefined;
  throw error;
}

/** The record's state does not allow this: 400 on every surface (E-05). */
export const conflict = (message: string) => new Problem('conflict', message);
/** A unique value is taken: 409, on the helpdesk surface 400 (N-11). */
export const duplicate = (message: string) => new Problem('duplicate', message);
/** Other records still refer to this one, so it cannot be deleted (V-26): answered like `duplicate`. */
export const inUse = (message: string) => new Problem('duplicate', message);
/** The body is too large: 413. */
export const tooLarge = (message = 'Request body is too large') => new Problem('too-large', message);
/** A limit is used up: 429 with `Retry-After` in whole seconds, at least 1. */
export const tooMany = (retryAfterSeconds: number, message = 'Too many requests') =>
  new Problem('too-many', message, { headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) } });
/** Something that the answer depends on does not respond: 503; the caller may try again. */
export const unavailable = (message = 'Service temporarily unavailable') =>
  new Problem('unavailable', message, { headers: { 'Retry-After': '1' } });
