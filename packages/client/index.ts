// A client for the three interfaces, for Node and browsers, without dependencies. An operation is identified by its
// line in the API reference, which also types its arguments and its response: client.call('PUT /tickets.php?id={id}', {
// id: 7, body: { status: 'closed' } })
import { changes, type Change } from './changes.ts';
import type { AdminOperations, CrmOperations, HelpdeskOperations } from './operations.d.ts';
import { KeelsonError, patiently } from './patiently.ts';
import { requestOf, type Arguments } from './request.ts';

export type { AdminOperations, Change, CrmOperations, HelpdeskOperations };
export { KeelsonError };

export interface Options {
  /** The installation's address: `https://desk.example.com`. */
  readonly url: string;
  /**
   * A key (`vsa_…`, `crm_…`), or a function that returns the current access token, called before each attempt. Without
   * it, the browser's session is used. What the function throws goes to the caller at once and is not retried; only
   * `live()` goes on reconnecting while it throws a network failure of `fetch`, or a KeelsonError with 429, 502, 503 or
   * 504.
   */
  readonly credential?: string | (() => string | Promise<string>);
  /** How often a request is retried when the network fails or the server is busy. Default: 4. */
  readonly retries?: number;
  readonly fetch?: typeof fetch;
}

type Described = { readonly args: unknown; readonly answer: unknown };
type Operations<O> = { readonly [K in keyof O]: Described };
/** The operation's arguments: parameters by name, and `body`. */
type Args<O, K extends keyof O> = O[K] extends { args: infer A } ? A : never;
type Answer<O, K extends keyof O> = O[K] extends { answer: infer A } ? A : never;
/** Operations without required arguments can be called without any. */
type Given<O, K extends keyof O> =
  object extends Args<O, K> ? [args?: Args<O, K>, more?: More] : [args: Args<O, K>, more?: More];
type RowsOf<A> = A extends { data: readonly (infer R)[] }
  ? R
  : { [K in keyof A]: A[K] extends readonly (infer R)[] ? R : never }[keyof A];

export interface More {
  readonly signal?: AbortSignal;
  /** For POST; by default a new key per call, so that retries are safe. */
  readonly idempotencyKey?: string;
}

export interface Client<O extends Operations<O>> {
  /** Calls an operation and returns its response. @throws KeelsonError with the server's status and message */
  call<K extends keyof O & string>(operation: K, ...given: Given<O, K>): Promise<Answer<O, K>>;
  /** Calls an operation that returns a file. */
  download<K extends keyof O & string>(operation: K, ...given: Given<O, K>): Promise<Blob>;
  /** Yields all rows of a list, fetching page by page. */
  rows<K extends keyof O & string>(operation: K, ...given: Given<O, K>): AsyncGenerator<RowsOf<Answer<O, K>>, void>;
  /** Uploads files to an operation that takes them, with its other fields. */
  upload<K extends keyof O & string>(
    operation: K,
    args: Omit<Args<O, K>, 'body'>,
    files: readonly File[],
    fields?: Readonly<Record<string, string | number>>,
  ): Promise<Answer<O, K>>;
  /**
   * Yields changes to records as they happen. Reconnects when the connection is lost.
   * @throws KeelsonError if the server rejects the stream; what the credential function throws, as for `credential`
   */
  live(options?: { readonly signal?: AbortSignal }): AsyncGenerator<Change, void>;
}

interface Interface {
  readonly root: string;
  /** The CRM has no stream of its own; the administrative stream includes its changes. */
  readonly live: string;
  headers(credential: string | undefined): Record<string, string>;
}

const bearer = (credential: string | undefined): Record<string, string> =>
  credential === undefined ? {} : { Authorization: `Bearer ${credential}` };

/** Creates a client for the administrative interface, for a `vsa_` key or a technician's browser session. */
export function adminClient(options: Options): Client<AdminOperations> {
  return client(options, { root: '/admin/api/v1', live: '/live.php', headers: bearer });
}

/** Creates a client for the helpdesk interface, for an employee's access token or browser session. */
export function helpdeskClient(options: Options): Client<HelpdeskOperations> {
  return client(options, { root: '/helpdesk/api/v1', live: '/live', headers: bearer });
}

/**
 * Creates a client for the CRM interface, for a `crm_` key or a technician's browser session. Operations start with
 * `crm:`.
 */
export function crmClient(options: Options): Omit<Client<CrmOperations>, 'live'> {
  return client(options, {
    root: '/admin/api/v1/crm',
    live: '',
    headers: (credential): Record<string, string> =>
      credential === undefined ? { 'X-Console': '1' } : { 'X-API-Key': credential },
  });
}

function client<O extends Operations<O>>(options: Options, face: Interface): Client<O> {
  const { credential, retries = 4, fetch: send = fetch } = options;
  const root = options.url.replace(/\/$/, '') + face.root;
  const authenticate = async () => face.headers(typeof credential === 'function' ? await credential() : credential);

  async function ask(operation: string, args?: Arguments, more: More = {}): Promise<Response> {
    const { method, path, headers, body } = requestOf(operation, args, more.idempotencyKey);
    return patiently(
      async (credentials) =>
        send(root + path, { method, body, headers: { ...credentials, ...headers }, signal: more.signal ?? null }),
      { authenticate, method, retries, signal: more.signal },
    );
  }

  async function call(operation: string, args?: Arguments, more?: More): Promise<unknown> {
    const response = await ask(operation, args, more);
    if (response.status === 204) return undefined;
    const json = response.headers.get('Content-Type')?.includes('json');
    return json ? response.json() : response.text();
  }

  async function* rows(operation: string, args: Arguments = {}, more?: More): AsyncGenerator<unknown, void> {
    for (let page = 1, pages = 1; page <= pages; page++) {
      const answer = Object(await call(operation, { per_page: 100, ...args, page }, more));
      pages = answer.pagination?.total_pages ?? 1;
      const list = Object.values(answer).find((each) => Array.isArray(each));
      yield* (list ?? []) as unknown[];
    }
  }

  const made = {
    call,
    rows,
    download: async (operation: string, args?: Arguments, more?: More) => (await ask(operation, args, more)).blob(),
    upload: (operation: string, args: Arguments, files: readonly File[], fields: Arguments = {}) => {
      const body = new FormData();
      for (const [name, value] of Object.entries(fields)) body.append(name, String(value));
      for (const file of files) body.append('file', file);
      return call(operation, { ...args, body });
    },
    live: ({ signal }: { signal?: AbortSignal } = {}) =>
      changes(
        {
          authenticate,
          connect: async (headers, lastId, stop) => {
            if (lastId !== '') headers.set('Last-Event-ID', lastId);
            return send(root + face.live, { headers, signal: stop });
          },
        },
        signal,
      ),
  };
  // The cast is safe: operations are typed for callers but plain strings internally.
  return Object.freeze(made) as unknown as Client<O>;
}
