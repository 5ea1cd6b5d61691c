// The load driver: the same for every product.
import { Client } from 'undici';
import type { Operation, Step } from './product.ts';

export interface Turn {
  /** Milliseconds per operation. */
  readonly times: readonly number[];
  readonly seconds: number;
}

/**
 * Repeats an operation on some connections until the time is over; each finishes the operation that it has begun.
 * @throws Error for a response that is not the expected one
 */
export async function takeTurn(
  port: number,
  operation: Operation,
  connections: number,
  seconds: number,
): Promise<Turn> {
  const times: number[] = [];
  const started = performance.now();
  const end = started + seconds * 1000;
  const repeat = async (_: unknown, connection: number): Promise<void> => {
    const client = new Client(`http://127.0.0.1:${port}`, { headersTimeout: 120_000, bodyTimeout: 120_000 });
    try {
      for (let n = 0; performance.now() < end; n++) {
        const sent = performance.now();
        for (const step of operation(connection, n)) await send(client, step);
        times.push(performance.now() - sent);
      }
    } finally {
      await client.close();
    }
  };
  await Promise.all(Array.from({ length: connections }, repeat));
  return { times, seconds: (performance.now() - started) / 1000 };
}

async function send(client: Client, { method, path, headers, body, status = 200, contains }: Step): Promise<void> {
  const response = await client.request({ method, path, headers, body: body ?? null });
  const text = `${String(response.headers['location'] ?? '')}\n${await response.body.text()}`;
  if (response.statusCode === status && text.includes(contains)) return;
  throw new Error(`${method} ${path} responded ${response.statusCode} without ‘${contains}’: ${text.slice(0, 300)}`);
}

/** A cookie jar for one sign-in. */
export interface Session {
  get(path: string): Promise<string>;
  /** Sends a form; returns the response, which may redirect. */
  post(path: string, form: Readonly<Record<string, string>>): Promise<Response>;
  /** Returns the cookie header. */
  cookie(): string;
}

/** Opens a session without cookies. */
export function openSession(port: number): Session {
  const jar = new Map<string, string>();
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const request = async (path: string, form?: Readonly<Record<string, string>>): Promise<Response> => {
    const sent = form ? { method: 'POST', body: new URLSearchParams(form) } : {};
    const headers = { Cookie: cookie() };
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', headers, ...sent });
    for (const each of response.headers.getSetCookie()) {
      const [name = '', value = ''] = each.split(';')[0]?.split(/=(.*)/s) ?? [];
      jar.set(name, value);
    }
    return response;
  };
  return {
    cookie,
    get: async (path) => (await request(path)).text(),
    post: request,
  };
}

/** A signed-in account: its cookies, and the token that its forms must carry. */
export interface SignedIn {
  readonly cookie: string;
  readonly token: string;
}

/** Signs in once per connection, one after the other. */
export async function signInEach(connections: number, signIn: () => Promise<SignedIn>): Promise<SignedIn[]> {
  const sessions: SignedIn[] = [];
  for (let i = 0; i < connections; i++) sessions.push(await signIn());
  return sessions;
}

const nobody: SignedIn = { cookie: '', token: '' };

/** Returns how a page below `base` is asked for. */
export const pagesOf =
  (sessions: readonly SignedIn[], base = '') =>
  (path: string, contains: string): Operation =>
  (connection) => {
    const { cookie: Cookie } = sessions[connection] ?? nobody;
    return [{ method: 'GET', path: base + path, headers: { Cookie }, contains }];
  };

type Fields = Readonly<Record<string, string>>;

/** Returns how a form is sent; `fields` gets the token and the number of the operation. */
export const formOf =
  (
    sessions: readonly SignedIn[],
    { headers, ...step }: Pick<Step, 'path' | 'contains' | 'status'> & { readonly headers?: Fields },
    fields: (token: string, connection: number, n: number) => Fields,
  ): Operation =>
  (connection, n) => {
    const { cookie: Cookie, token } = sessions[connection] ?? nobody;
    const body = new URLSearchParams(fields(token, connection, n)).toString();
    const sent = { Cookie, 'Content-Type': 'application/x-www-form-urlencoded', ...headers };
    return [{ ...step, method: 'POST', headers: sent, body }];
  };

/** Returns the first group of a pattern. @throws Error if the text does not match */
export function found(text: string, pattern: RegExp): string {
  const group = pattern.exec(text)?.[1];
  if (group === undefined) throw new Error(`No ${String(pattern)} in: ${text.slice(0, 300)}`);
  return group;
}
