// A surface holds everything in which the three interfaces differ, so that no other code depends on which one it is.
import type { z } from 'zod';
import type { Author } from '../log/activity.ts';
import type { Problem, ProblemKind } from '../kit/problem.ts';

/** A rule for who may use a route. */
export interface Access<Actor> {
  /** Its name in the reference and the access matrix: `tickets:read`, `manager`. */
  readonly title: string;
  /** No credential is needed, and the actor may be missing. */
  readonly open?: boolean;
  /** Only the identities of this program recognise callers of the route, and they do so nowhere else. */
  readonly program?: string;
  allows(actor: Actor): boolean;
  /** The message of the 403; the surface's general one when absent. */
  readonly refusal?: string;
}

/**
 * A program that a plugin has given a credential of its own, such as a collector in a customer's network. It may use the
 * routes that are declared for it, and nothing else.
 */
export interface Program {
  readonly kind: 'program';
  /** What sort of program it is: `collector`. */
  readonly program: string;
  readonly id: string;
  readonly name: string;
  /** The company it belongs to; its imports share one turn. */
  readonly company_number?: number;
  readonly rate_limit_per_minute: number;
}

/** The access rule of routes for programs of one sort. */
export function onlyProgram(program: string): Access<Program> {
  return Object.freeze({ title: `${program} token`, program, allows: (actor: Program) => actor.program === program });
}

/** A permission that API keys can be given, and a rule that routes use: `admin.permission(…)` makes one. */
export interface Permission<Actor = any> extends Access<Actor> {
  readonly name: string;
  readonly surface: string;
  /** What it controls, for the page of API keys. */
  readonly controls: string;
}

/** A rate limit: requests of one bucket in 60 seconds (L-01 to L-12). */
export interface Charge {
  readonly bucket: string;
  readonly perMinute: number;
}

export interface Paging {
  readonly page: number;
  readonly size: number;
  readonly total: number;
  /** There are more than `total`; a schema when the answer is described. */
  readonly capped?: true | z.ZodType | undefined;
}

/** The member `pagination` of a list, with the surface's word for the page size. */
export function paginationOf(
  { page, size, total, capped }: Paging,
  sizeName: string,
): Readonly<Record<string, unknown>> {
  const total_pages = Math.ceil(total / size);
  return { page, [sizeName]: size, total, ...(capped && { total_capped: capped }), total_pages };
}

export interface PageSize {
  /** Query parameters for it. When several are given the first wins, unless the list documents another one (N-03). */
  readonly names: readonly string[];
  readonly default: number;
  readonly max: number;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export type SecurityScheme =
  | { readonly type: 'http'; readonly scheme: 'bearer'; readonly description: string }
  | { readonly type: 'apiKey'; readonly in: 'header' | 'cookie'; readonly name: string; readonly description: string };

export interface Surface<Actor> {
  readonly id: 'helpdesk' | 'admin' | 'crm' | 'pages';
  /** `/helpdesk/api/v1` */
  readonly prefix: string;
  readonly pageSize: PageSize;
  /** The header of a 401 that says how to sign in (E-09). */
  readonly challenge: Readonly<Record<string, string>>;
  /** How to sign in, as OpenAPI security schemes. */
  readonly security: Readonly<Record<string, SecurityScheme>>;
  /** Which of them are shown together; when absent, each suffices alone. */
  readonly requirements?: readonly (readonly string[])[];
  holds(actor: Actor, permission: string): boolean;
  /** The company whose module switches apply; undefined where none do. */
  company(actor: Actor): number | undefined;
  author(actor: Actor): Author;
  /** The rate limits that a request counts towards. */
  charges(actor: Actor, address: string): readonly Charge[];
  /**
   * The origins whose pages may use the caller's credential on routes declared `crossOrigin`. Without this function any
   * may; `none` is for credentials that must not be in pages.
   */
  websites?(actor: Actor): readonly string[] | 'any' | 'none';
  /** A short stable name of the caller, for idempotency keys; undefined when many share the credential. */
  principal(actor: Actor): string | undefined;
  item(method: string, value: unknown): unknown;
  list(key: string, rows: readonly unknown[], paging: Paging): unknown;
  /** The body of a list without pages. */
  all(key: string, rows: readonly unknown[]): unknown;
  /** The answer to a successful DELETE (N-12). */
  removed(params: Readonly<Record<string, unknown>>, idName: string | undefined): Answer;
  problem(problem: Problem): Answer;
}

/** The access rule of routes without credentials. */
export const anyone: Access<unknown> = Object.freeze({ title: 'anyone', open: true, allows: () => true });

/** The status of each kind of problem, unless a surface's own table differs (SF-25). */
export const usualStatuses: Readonly<Record<ProblemKind, number>> = {
  invalid: 400,
  'signed-out': 401,
  forbidden: 403,
  'not-found': 404,
  method: 405,
  // 409 is reserved for duplicates; a change that the record's state does not allow is a bad request (E-05).
  conflict: 400,
  duplicate: 409,
  'too-large': 413,
  'too-many': 429,
  unavailable: 503,
  internal: 500,
};
