// Errors that are reported to callers. Each surface maps them to its own status and format.

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
  /** Response headers of the error: `Allow`, `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Additional members of the response body. Used only by N-25 and for a pending second factor. */
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

/** Invalid input: 400. The message names the field; multiple messages are joined with "; " (E-02). */
export const invalid = (message: string) => new Problem('invalid', message);
/** No valid credential: 401. `extra` is added to the response body. */
export const signedOut = (message = 'Authentication required', extra: Record<string, unknown> = {}) =>
  new Problem('signed-out', message, { extra });
/** The caller lacks permission for this action, whatever the object: 403 (E-08). */
export const forbidden = (message = 'Insufficient permissions') => new Problem('forbidden', message);
/** Not found: 404. Identical for an object that is absent, deleted, another company's or invisible (E-07). */
export const notFound = (noun: string) => new Problem('not-found', `${noun} not found`);

/** For `.catch`: returns undefined for a record that is not found or not visible, and rethrows other errors. */
export function unlessFound(error: unknown): undefined {
  if (error instanceof Problem && error.kind === 'not-found') return undefined;
  throw error;
}

/** The record's state does not allow this action: 400 on every surface (E-05). */
export const conflict = (message: string) => new Problem('conflict', message);
/** A unique value is already taken: 409; 400 on the helpdesk surface (N-11). */
export const duplicate = (message: string) => new Problem('duplicate', message);
/** Other records still reference this one, so it cannot be deleted (V-26). Same status as `duplicate`. */
export const inUse = (message: string) => new Problem('duplicate', message);
/** The request body is too large: 413. */
export const tooLarge = (message = 'Request body is too large') => new Problem('too-large', message);
/** A limit is exhausted: 429 with `Retry-After` in whole seconds, at least 1. */
export const tooMany = (retryAfterSeconds: number, message = 'Too many requests') =>
  new Problem('too-many', message, { headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) } });
/** A dependency does not respond: 503. The caller may retry. */
export const unavailable = (message = 'Service temporarily unavailable') =>
  new Problem('unavailable', message, { headers: { 'Retry-After': '1' } });
