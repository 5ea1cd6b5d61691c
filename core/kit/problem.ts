// The errors a caller may see. Each surface says them in its own words and statuses.

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

/** A refusal with one short sentence for the caller (E-01). */
export class Problem extends Error {
  readonly kind: ProblemKind;
  /** Response headers that belong to the refusal: `Allow`, `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Further members of the body; only N-25 and a pending second factor have any. */
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

/** The input is wrong; the message names the field. Several problems come joined by "; " (E-02). */
export const invalid = (message: string) => new Problem('invalid', message);
export const signedOut = (message = 'Authentication required', extra: Record<string, unknown> = {}) =>
  new Problem('signed-out', message, { extra });
/** The function is refused, whatever the object (E-08). */
export const forbidden = (message = 'Insufficient permissions') => new Problem('forbidden', message);
/** The object is absent, deleted, another company's or invisible: one answer for all four (E-07). */
export const notFound = (noun: string) => new Problem('not-found', `${noun} not found`);
/** The record's state forbids the move (E-05): 400 on every surface. */
export const conflict = (message: string) => new Problem('conflict', message);
/** A unique value is taken: 409, on the helpdesk surface 400 (N-11). */
export const duplicate = (message: string) => new Problem('duplicate', message);
/** Something still needs the record, so it cannot go (V-26): answered as a duplicate is. */
export const inUse = (message: string) => new Problem('duplicate', message);
export const tooLarge = (message = 'Request body is too large') => new Problem('too-large', message);
export const tooMany = (retryAfterSeconds: number, message = 'Too many requests') =>
  new Problem('too-many', message, { headers: { 'Retry-After': String(Math.max(1, Math.ceil(retryAfterSeconds))) } });
/** Something the answer depends on does not respond; the caller may try again. */
export const unavailable = (message = 'Service temporarily unavailable') =>
  new Problem('unavailable', message, { headers: { 'Retry-After': '1' } });
