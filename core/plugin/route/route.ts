// Routes: one declaration drives matching, validation, access, envelope, OpenAPI and the contract test's name. The
// casts are needed because declarations are typed but stored routes are not.
import type { ArrivedFile } from '@keelson/storage';
import type { z } from 'zod';
import type { Context } from '../context.ts';
import { paging, type Paged, type PagingOptions } from './paging.ts';
import { parseTemplate, plainPath, type Params, type Template } from './path-template.ts';
import type { Returns } from './returns.ts';
import type { Access, Permission, Surface } from './surface.ts';

export type Method = 'get' | 'post' | 'put' | 'delete';

export interface CookieOptions {
  readonly path: string;
  readonly maxAgeSeconds: number;
}

/** The headers and cookies of a request. Few handlers need them; sign-in does. */
export interface Http {
  header(name: string): string | undefined;
  cookie(name: string): string | undefined;
  /** Returns the browser's preferred language among these; null for none of them. */
  language(offered: readonly string[]): string | null;
  setCookie(name: string, value: string, options: CookieOptions): void;
  clearCookie(name: string, path: string): void;
}

export interface Upload {
  readonly filename: string;
  readonly type: string;
  readonly bytes: Buffer;
}

export interface Input<P, Q, B, I> {
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The result of `load`. */
  readonly item: I;
  readonly http: Http;
  /** Files of a multipart body, on routes that accept them. */
  readonly uploads: readonly Upload[];
  /** Files of a route with `upload: 'files'`. Deleted after the handler unless it stored them. */
  readonly files: readonly ArrivedFile[];
}

export interface RouteSpec<A, P extends string, Q extends z.ZodType, B extends z.ZodType, I, V> {
  /** What the route does, in the imperative: the heading in the reference and the contract test's name. */
  title: string;
  /** Its name in generated clients, if the one derived from method and path reads badly: `signIn`. */
  operationId?: string;
  access: Access<A>;
  query?: Q;
  body?: B;
  returns: Returns<V>;
  /** Loads the path's record before input validation, so that a missing record returns 404 first. */
  load?(ctx: Context<A>, params: Params<P>): Promise<I>;
  handle(
    ctx: Context<A>,
    input: Input<Params<P>, z.output<Q>, z.output<B>, NoInfer<I>>,
  ): Promise<NoInfer<V>> | NoInfer<V>;
  /** Runs outside a transaction (hashing, parsing, sending). Opens short ones with `ctx.transaction`. */
  slow?: boolean;
  /** The handler sets or reads a cookie, so forgery is checked even for requests without one. */
  cookie?: boolean;
  /**
   * Accepts `text/csv` and `multipart/form-data` besides JSON (N-27), and JSON arrays. With `'import'` the body
   * is not parsed: `uploads` holds it raw, up to 32 MiB, for `readImport`. With `'files'` the `file`
   * fields of a multipart body are written to temporary files after `load` has found the record, and the route must be
   * `slow`.
   */
  upload?: boolean | 'import' | 'files';
  /** `action` is an ordinary query parameter here and does not select the route (N-14). */
  freeAction?: boolean;
  /** A second module whose switch applies, where a plugin adds routes under that module's path. It must be required. */
  module?: string;
  /** Not in the specification. OpenAPI marks it as `x-addition`. */
  addition?: boolean;
  /** Extra members of its 401 response (N-25). On an open route, only 401s thrown by the handler have them. */
  signedOutExtra?: Readonly<Record<string, unknown>>;
  /** Extra members of its 403 response, when the handler throws it. */
  forbiddenExtra?: Readonly<Record<string, unknown>>;
  /** Changes need no activity line: signing in, marking as read. */
  unlogged?: boolean;
  /** Skips identification, so that the route works while the database is down. For open routes only. */
  anonymous?: boolean;
  /** Other websites may call it, as far as the caller's credential allows their origin. */
  crossOrigin?: boolean;
}

/** A route as used by the pipeline. */
export interface Route {
  /** Name for logs, metrics and faults: `admin GET /tickets.php?id={id}`. */
  readonly name: string;
  readonly surface: Surface<any>;
  readonly method: Method;
  readonly path: string;
  readonly template: Template;
  readonly title: string;
  readonly operationId: string | undefined;
  readonly access: Access<any>;
  readonly query: z.ZodType | undefined;
  readonly body: z.ZodType | undefined;
  readonly returns: Returns<any>;
  readonly load: ((ctx: Context<any>, params: any) => Promise<unknown>) | undefined;
  readonly handle: (ctx: Context<any>, input: any) => unknown;
  readonly slow: boolean;
  readonly cookie: boolean;
  readonly upload: boolean | 'import' | 'files';
  readonly freeAction: boolean;
  readonly module: string | undefined;
  readonly addition: boolean;
  readonly unlogged: boolean;
  readonly anonymous: boolean;
  readonly crossOrigin: boolean;
  readonly signedOutExtra: Readonly<Record<string, unknown>>;
  readonly forbiddenExtra: Readonly<Record<string, unknown>>;
}

type Define<Actor> = <
  const P extends string,
  V,
  A extends Actor | undefined = Actor,
  Q extends z.ZodType = z.ZodType<unknown>,
  B extends z.ZodType = z.ZodType<unknown>,
  I = undefined,
>(
  path: P,
  spec: RouteSpec<A, P, Q, B, I, V>,
) => Route;

export interface SurfaceApi<Actor> extends Record<Method, Define<Actor>> {
  /** Declares a permission of this surface, for the `access` of routes. */
  permission(name: string, controls: string): Permission<Actor>;
  /** Returns the query schema of a list: the surface's page parameters and the list's own fields. */
  paging<F extends z.ZodRawShape>(fields: F, options?: PagingOptions): z.ZodType<z.output<z.ZodObject<F>> & Paged>;
}

/** Returns the functions that declare a surface's routes and permissions: `admin.get(…)`, `admin.permission(…)`. */
export function surfaceApi<Actor>(surface: Surface<Actor>): SurfaceApi<Actor> {
  const verb =
    (method: Method): Define<Actor> =>
    (path, spec) =>
      Object.freeze({
        operationId: undefined,
        load: undefined,
        query: undefined,
        body: undefined,
        slow: false,
        cookie: false,
        upload: false,
        freeAction: false,
        module: undefined,
        addition: false,
        unlogged: false,
        anonymous: false,
        crossOrigin: false,
        signedOutExtra: {},
        forbiddenExtra: {},
        ...spec,
        name: `${surface.id} ${method.toUpperCase()} ${plainPath(path)}`,
        surface,
        method,
        path,
        template: parseTemplate(path),
      }) as Route;
  return Object.freeze({
    get: verb('get'),
    post: verb('post'),
    put: verb('put'),
    delete: verb('delete'),
    permission: (name: string, controls: string) =>
      Object.freeze({
        name,
        controls,
        title: name,
        surface: surface.id,
        allows: (actor: Actor) => surface.holds(actor, name),
      }),
    paging: <F extends z.ZodRawShape>(fields: F, options: PagingOptions = {}) =>
      paging(surface.pageSize, fields, options) as never,
  });
}
