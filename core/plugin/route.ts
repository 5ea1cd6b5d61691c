// Routes: one declaration gives matching, validation, guard, envelope, OpenAPI and the contract test's name.
// With table.ts the only file that may cast: the declaration is typed, what the pipeline stores is not.
import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { Context } from './context.ts';
import type { AnswerOf, Answered } from './shown.ts';
import type { Access, Permission, Surface } from './surface.ts';
import { paging, type Paged, type PagingOptions } from './paging.ts';
import { parseTemplate, plainPath, type Params, type Template } from './template.ts';

export type { Access, Permission } from './surface.ts';

export interface Page<T> {
  readonly rows: readonly T[];
  readonly total: number;
}

/** What `handle` answers where a route returns `file(…)`. */
export interface FileAnswer {
  /** Offered to the browser as the name to save under. */
  readonly name: string;
  readonly type: string;
  readonly body: Readable | Buffer | string;
}

export interface AssetAnswer {
  readonly type: string;
  readonly body: string;
}

export interface PageAnswer {
  readonly status?: number;
  readonly html?: string;
  /** A path of our own to go to; never anything a caller sent. */
  readonly location?: string;
}

export type ReturnsKind = 'item' | 'added' | 'list' | 'all' | 'flat' | 'nothing' | 'file' | 'asset' | 'page';

/** What a route answers: its status, its envelope and the shape inside it. */
export interface Returns<Value> {
  readonly kind: ReturnsKind;
  readonly status: number;
  readonly shape: z.ZodType | undefined;
  /** The array's name on the helpdesk surface (S-02); the id's name in a CRM deletion. */
  readonly key: string;
  /** Media types of a file. */
  readonly types: readonly string[];
  /** What `handle` answers has been through a view: it leaves as it is. */
  readonly shown: boolean;
  readonly _value?: Value;
}

const returns = <Value>(
  kind: ReturnsKind,
  status: number,
  shape?: Answered,
  key = '',
  types: readonly string[] = [],
) => {
  const shown = shape !== undefined && !(shape instanceof z.ZodType);
  return Object.freeze({ kind, status, shape: shown ? shape.shape : shape, key, types, shown }) as Returns<Value>;
};

/** One record in the surface's envelope, 200. */
export const item = <S extends Answered>(shape: S) => returns<AnswerOf<S>>('item', 200, shape);
/** One new record in the surface's envelope, 201. */
export const created = <S extends Answered>(shape: S) => returns<AnswerOf<S>>('item', 201, shape);
/** A record that was added, 201, or was there already, 200: `handle` answers `{ row, added }` (D-09, W-09). */
export const added = <S extends Answered>(shape: S) =>
  returns<{ readonly row: AnswerOf<S>; readonly added: boolean }>('added', 201, shape);
/** A page of records: `handle` answers `{ rows, total }`; `key` names the array where the surface shows it (S-02). */
export const list = <S extends Answered>(shape: S, key = 'items') =>
  returns<Page<AnswerOf<S>>>('list', 200, shape, key);
/** A short list, always whole (P-09). */
export const all = <S extends Answered>(shape: S, key = 'items') =>
  returns<readonly AnswerOf<S>[]>('all', 200, shape, key);
/** Exactly this object, without an envelope: where a document states the whole answer. */
export const flat = <S extends z.ZodType>(shape: S, status = 200) => returns<z.input<S>>('flat', status, shape);
/** A successful deletion; `idName` names the id in the CRM's answer (N-12). */
export const nothing = (idName = '') => returns<void>('nothing', 204, undefined, idName);
/** A download of one of these media types. */
export const file = (...types: string[]) => returns<FileAnswer>('file', 200, undefined, '', types);
/** A public static text with ETag and five minutes of caching. */
export const asset = (type: string) => returns<AssetAnswer>('asset', 200, undefined, '', [type]);
/** A server-rendered page, outside the three interfaces. */
export const page = () => returns<PageAnswer>('page', 200, undefined, '', ['text/html']);

export type Method = 'get' | 'post' | 'put' | 'delete';

export interface CookieOptions {
  readonly path: string;
  readonly maxAgeSeconds: number;
}

/** Cookies, and the few headers a sign-in needs to see. */
export interface Http {
  header(name: string): string | undefined;
  cookie(name: string): string | undefined;
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
  /** What `load` found. */
  readonly item: I;
  readonly http: Http;
  /** Files of a multipart body, on routes that take them. */
  readonly uploads: readonly Upload[];
}

export interface RouteSpec<A, P extends string, Q extends z.ZodType, B extends z.ZodType, I, V> {
  /** What it does, in the imperative: the reference's heading and the contract test's name. */
  title: string;
  access: Access<A>;
  query?: Q;
  body?: B;
  returns: Returns<V>;
  /** Finds the record the path names before anything else is checked, so that an absent one is 404 first. */
  load?(ctx: Context<A>, params: Params<P>): Promise<I>;
  handle(
    ctx: Context<A>,
    input: Input<Params<P>, z.output<Q>, z.output<B>, NoInfer<I>>,
  ): Promise<NoInfer<V>> | NoInfer<V>;
  /** Works outside a transaction (hashing, parsing, sending) and opens short ones itself with `ctx.transaction`. */
  slow?: boolean;
  /** Sets or reads a cookie by itself, so it is checked for forgery even without one. */
  cookie?: boolean;
  /**
   * Takes `text/csv` or `multipart/form-data` besides JSON (N-27), and JSON arrays. With `'import'` nothing of the
   * body is read into values: `uploads` holds it as it came, up to 32 MiB, for `readImport`.
   */
  upload?: boolean | 'import';
  /** `action` is a plain parameter here, not a selector (N-14). */
  freeAction?: boolean;
  /** Not in the documents: marked `x-addition` in OpenAPI. */
  addition?: boolean;
  /** Further members of its 401 answer (N-25); on an open route only of some, as the handler says. */
  signedOutExtra?: Readonly<Record<string, unknown>>;
  /** Changes nothing worth a line in the activity log: signing in, marking as read. */
  unlogged?: boolean;
  /** Nobody is asked who they are, so that it also answers while the database is away. For open routes only. */
  anonymous?: boolean;
  /** Pages of other websites may call it from a browser, as far as the caller's credential allows them. */
  crossOrigin?: boolean;
}

/** A route as the pipeline uses it. */
export interface Route {
  /** `admin GET /tickets.php?id={id}`: in the log, the metrics and faults. */
  readonly name: string;
  readonly surface: Surface<any>;
  readonly method: Method;
  readonly path: string;
  readonly template: Template;
  readonly title: string;
  readonly access: Access<any>;
  readonly query: z.ZodType | undefined;
  readonly body: z.ZodType | undefined;
  readonly returns: Returns<any>;
  readonly load: ((ctx: Context<any>, params: any) => Promise<unknown>) | undefined;
  readonly handle: (ctx: Context<any>, input: any) => unknown;
  readonly slow: boolean;
  readonly cookie: boolean;
  readonly upload: boolean | 'import';
  readonly freeAction: boolean;
  readonly addition: boolean;
  readonly unlogged: boolean;
  readonly anonymous: boolean;
  readonly crossOrigin: boolean;
  readonly signedOutExtra: Readonly<Record<string, unknown>>;
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
  /** Declares a permission of this surface; it is a rule that routes can use. */
  permission(name: string, controls: string): Permission<Actor>;
  /** The surface's page parameters together with a list's own: `query.page`, `query.size` and the rest. */
  paging<F extends z.ZodRawShape>(fields: F, options?: PagingOptions): z.ZodType<z.output<z.ZodObject<F>> & Paged>;
}

/** How a plugin talks to one surface: `admin.get('/sites.php', { … })`, `admin.permission('sites:read', '…')`. */
export function surfaceApi<Actor>(surface: Surface<Actor>): SurfaceApi<Actor> {
  const verb =
    (method: Method): Define<Actor> =>
    (path, spec) =>
      Object.freeze({
        load: undefined,
        query: undefined,
        body: undefined,
        slow: false,
        cookie: false,
        upload: false,
        freeAction: false,
        addition: false,
        unlogged: false,
        anonymous: false,
        crossOrigin: false,
        signedOutExtra: {},
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
