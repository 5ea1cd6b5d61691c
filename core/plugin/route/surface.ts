// A surface captures every difference between the three interfaces, so that no other code depends on which one it
// serves.
import type { Problem, ProblemKind } from '@keelson/kit/problem.ts';
import type { Author } from '@keelson/log/activity.ts';
import type { z } from 'zod';

/** A rule for who may use a route. */
export interface Access<Actor> {
  /** The rule's name in the reference and the access matrix: `tickets:read`, `manager`. */
  readonly title: string;
  /** No credential is required, and the actor may be missing. */
  readonly open?: boolean;
  /** Only this program's identities authenticate callers of the route, and they apply to no other routes. */
  readonly program?: string;
  allows(actor: Actor): boolean;
  /** The message of the 403. Defaults to the surface's general one. */
  readonly refusal?: string;
}

/**
 * A program to which a plugin issued a credential, such as a collector in a customer's network. It may use only the
 * routes declared for it.
 */
export interface Program {
  readonly kind: 'program';
  /** The kind of program: `collector`. */
  readonly program: string;
  readonly id: string;
  readonly name: string;
  /** The company it belongs to. Its imports share one queue slot. */
  readonly company_number?: number;
  readonly rate_limit_per_minute: number;
}

/** Returns the access rule of routes for one kind of program. */
export function onlyProgram(program: string): Access<Program> {
  return Object.freeze({ title: `${program} token`, program, allows: (actor: Program) => actor.program === program });
}

/** A permission that API keys can hold and routes require, created by `admin.permission(…)`. */
export interface Permission<Actor = any> extends Access<Actor> {
  readonly name: string;
  readonly surface: string;
  /** What it controls, shown on the API keys page. */
  readonly controls: string;
}

/** A rate limit: requests per bucket in 60 seconds (L-01 to L-12). */
export interface Charge {
  readonly bucket: string;
  readonly perMinute: number;
}

export interface Paging {
  readonly page: number;
  readonly size: number;
  readonly total: number;
  /** There are more rows than `total`. A schema when describing the response. */
  readonly capped?: true | z.ZodType | undefined;
}

/** Returns a list's `pagination` member, with the surface's name for the page size. */
export function paginationOf(
  { page, size, total, capped }: Paging,
  sizeName: string,
): Readonly<Record<string, unknown>> {
  const total_pages = Math.ceil(total / size);
  return { page, [sizeName]: size, total, ...(capped && { total_capped: capped }), total_pages };
}

export interface PageSize {
  /** Its query parameters. If several are given, the first wins unless the list documents another one (N-03). */
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

/** One of the interfaces: how it identifies callers, and how it formats errors and responses. */
export interface Surface<Actor> {
  readonly id: 'helpdesk' | 'admin' | 'crm' | 'pages';
  /** For example `/helpdesk/api/v1`. */
  readonly prefix: string;
  readonly pageSize: PageSize;
  /** The 401 header that says how to sign in (E-09). */
  readonly challenge: Readonly<Record<string, string>>;
  /** Sign-in methods, as OpenAPI security schemes. */
  readonly security: Readonly<Record<string, SecurityScheme>>;
  /** Combinations of schemes to send together. When absent, each suffices alone. */
  readonly requirements?: readonly (readonly string[])[];
  holds(actor: Actor, permission: string): boolean;
  /** Returns the company whose module switches apply, or undefined if none do. */
  company(actor: Actor): number | undefined;
  author(actor: Actor): Author;
  /** Returns the rate limits a request counts towards. */
  charges(actor: Actor, address: string): readonly Charge[];
  /**
   * Returns the origins whose pages may use the caller's credential on routes declared `crossOrigin`. Without this
   * function any origin may. `none` is for credentials that must not appear in web pages.
   */
  websites?(actor: Actor): readonly string[] | 'any' | 'none';
  /** Returns a short stable name of the caller, for idempotency keys. Undefined for shared credentials. */
  principal(actor: Actor): string | undefined;
  item(method: string, value: unknown): unknown;
  list(key: string, rows: readonly unknown[], paging: Paging): unknown;
  /** Returns the body of an unpaged list. */
  all(key: string, rows: readonly unknown[]): unknown;
  /** Returns the response to a successful DELETE (N-12). */
  removed(params: Readonly<Record<string, unknown>>, idName: string | undefined): Answer;
  problem(problem: Problem): Answer;
}

/** The access rule of routes without credentials. */
export const anyone: Access<unknown> = Object.freeze({ title: 'anyone', open: true, allows: () => true });

/** The status of each kind of problem, unless the surface's own table overrides it (SF-25). */
export const usualStatuses: Readonly<Record<ProblemKind, number>> = {
  invalid: 400,
  'signed-out': 401,
  forbidden: 403,
  'not-found': 404,
  method: 405,
  // 409 is reserved for duplicates. A change the record's state does not allow is a 400 (E-05).
  conflict: 400,
  duplicate: 409,
  'too-large': 413,
  'too-many': 429,
  unavailable: 503,
  internal: 500,
};
