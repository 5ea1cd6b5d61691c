// A surface owns everything the three documents do differently; nothing else asks "which surface?".
import type { Author } from '../log/activity.ts';
import type { Problem, ProblemKind } from '../kit/problem.ts';

/** Who may use a route. */
export interface Access<Actor> {
  /** As the reference and the access matrix show it: `tickets:read`, `manager`. */
  readonly title: string;
  /** No credential needed; the actor may be missing. */
  readonly open?: boolean;
  allows(actor: Actor): boolean;
  /** What a refused caller reads; the surface's general words when absent. */
  readonly refusal?: string;
}

/** A permission that API keys can be given, and a rule that routes use: `admin.permission(…)` makes one. */
export interface Permission<Actor = any> extends Access<Actor> {
  readonly name: string;
  readonly surface: string;
  /** What it controls, for the API-key page. */
  readonly controls: string;
}

/** One bucket of requests per 60 seconds (L-01 to L-12). */
export interface Charge {
  readonly bucket: string;
  readonly perMinute: number;
}

export interface Paging {
  readonly page: number;
  readonly size: number;
  readonly total: number;
}

export interface PageSize {
  /** Query parameters that set it; of several that are given the first wins, unless the list documents another (N-03). */
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
  /** The header that tells how to sign in, on 401 (E-09). */
  readonly challenge: Readonly<Record<string, string>>;
  /** How to sign in, as OpenAPI security schemes. */
  readonly security: Readonly<Record<string, SecurityScheme>>;
  holds(actor: Actor, permission: string): boolean;
  /** The company whose module switches apply; undefined where none do. */
  company(actor: Actor): number | undefined;
  author(actor: Actor): Author;
  /** What the request is charged to. */
  charges(actor: Actor, address: string): readonly Charge[];
  /**
   * The origins whose pages may use the caller's credential on routes declared `crossOrigin`: any unless this says
   * otherwise. What may be `none` is no credential for pages at all.
   */
  websites?(actor: Actor): readonly string[] | 'any' | 'none';
  /** A short stable name for the caller, for idempotency keys; undefined where many share a credential. */
  principal(actor: Actor): string | undefined;
  item(method: string, value: unknown): unknown;
  list(key: string, rows: readonly unknown[], paging: Paging): unknown;
  /** A list that is always given whole. */
  all(key: string, rows: readonly unknown[]): unknown;
  /** The answer to a successful DELETE (N-12). */
  removed(params: Readonly<Record<string, unknown>>, idName: string | undefined): Answer;
  problem(problem: Problem): Answer;
}

/** No credential needed. */
export const anyone: Access<unknown> = Object.freeze({ title: 'anyone', open: true, allows: () => true });

/** The status of each kind of problem, where a surface's own table says nothing else (D25). */
export const usualStatuses: Readonly<Record<ProblemKind, number>> = {
  invalid: 400,
  'signed-out': 401,
  forbidden: 403,
  'not-found': 404,
  method: 405,
  // 409 is defined as "duplicate resource"; an illegal move is a bad request (E-05).
  conflict: 400,
  duplicate: 409,
  'too-large': 413,
  'too-many': 429,
  unavailable: 503,
  internal: 500,
};
