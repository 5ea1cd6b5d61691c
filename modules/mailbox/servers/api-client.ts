// Requests to the API of a mailbox's provider: authenticated with its access token, sent through the egress guard, and
// limited in size and time.
import type { Context } from '@keelson/core';
import { MailRefused, ServerAway, type MailWay } from '@keelson/core/mail';
import { MailboxAway, MailboxBusy, MailWithheld } from './source.ts';
import { accessTokenOf, type SignIn } from './tokens.ts';

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly maxBytes?: number;
  /** How much of a longer body to return. */
  readonly keptBytes?: number;
}

export interface ApiAnswer {
  readonly status: number;
  /** Undefined if the body exceeds `maxBytes`, unless its beginning is wanted. */
  readonly bytes: Buffer | undefined;
  /** Whether only the beginning of the body was kept. */
  readonly isCut?: boolean;
}

/**
 * Sends a request. Only 401, 429 and 5xx are handled here; the caller handles other responses.
 * @throws MailboxAway, MailboxBusy
 */
export type ApiClient = (url: string, request?: ApiRequest) => Promise<ApiAnswer>;

const ANSWER_MS = 60_000;
const MOST_BYTES = 4 * 1024 * 1024;
const PAUSE_SECONDS = 30;
const LONGEST_PAUSE_SECONDS = 3600;
const BAD_REQUEST = 400;
const NOT_FOUND = 404;
const TOO_LARGE = 413;

/** Returns an access token. @param rejected a token that the provider rejected */
export type TokenOf = (rejected?: string) => Promise<string>;

/** Returns a client for URLs below `base`; the token is never sent anywhere else. */
export function apiClient(
  ctx: Context,
  mailbox: SignIn,
  base: string,
  tokenOf: TokenOf = (rejected) => accessTokenOf(ctx, mailbox, rejected),
): ApiClient {
  const { origin } = new URL(base);
  const send = async (
    url: string,
    { method = 'GET', headers, body, maxBytes = MOST_BYTES, keptBytes = 0 }: ApiRequest,
    token: string,
  ) => {
    const init = {
      method,
      headers: { ...headers, Authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(ANSWER_MS),
    };
    try {
      const answer = await ctx.app.egress.fetch(url, body === undefined ? init : { ...init, body });
      const { bytes, isCut } = await readBytes(answer, maxBytes);
      const beginning = keptBytes > 0 ? bytes.subarray(0, keptBytes) : undefined;
      return { answer, bytes: isCut ? beginning : bytes, isCut };
    } catch (error) {
      throw new MailboxAway(`The provider is not responding: ${causeOf(error)}`, { cause: error });
    }
  };
  return async (url, request = {}) => {
    if (new URL(url).origin !== origin) throw new MailboxAway('The provider refers to another server');
    const token = await tokenOf();
    let got = await send(url, request, token);
    // A token can be revoked before it expires.
    if (got.answer.status === 401) got = await send(url, request, await tokenOf(token));
    const { status, headers } = got.answer;
    if (status === 401) throw new MailboxAway('The provider rejected the sign-in');
    if (status === 429 || status === 503 || isQuota(status, got.bytes)) {
      throw new MailboxBusy(
        'The provider limits requests: trying again later',
        pauseOf(headers.get('retry-after'), ctx.app.clock.now()),
      );
    }
    if (status >= 500) throw new ProviderFailed(`The provider answers ${status}`);
    return { status, bytes: got.bytes, isCut: got.isCut };
  };
}

/** Thrown when the provider responds with an error. */
class ProviderFailed extends MailboxAway {}

/** Parses a Retry-After header, in seconds or as a date, into seconds. */
function pauseOf(asked: string | null, now: string): number {
  const seconds = Number(asked) || (Date.parse(asked ?? '') - Date.parse(now)) / 1000;
  return seconds > 0 ? Math.min(Math.ceil(seconds), LONGEST_PAUSE_SECONDS) : PAUSE_SECONDS;
}

/** Google reports an exceeded limit as 403. */
const isQuota = (status: number, bytes: Buffer | undefined): boolean =>
  status === 403 && /(?:rateLimit|dailyLimit|quota)Exceeded/i.test(bytes?.toString('utf8', 0, 2000) ?? '');

async function readBytes({ body }: Response, most: number): Promise<{ bytes: Buffer; isCut: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    chunks.push(chunk);
    // Breaking out of the loop closes the connection.
    if (size > most) break;
  }
  return { bytes: Buffer.concat(chunks), isCut: size > most };
}

function causeOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string } };
  return cause?.message ?? message ?? String(error);
}

/**
 * Fetches a mail. Returns undefined if it has been moved or deleted since.
 * @param named what identifies the mail to people. @throws MailWithheld if the provider refuses to deliver it
 */
export async function fetchMail(
  request: () => Promise<ApiAnswer>,
  named: string,
): Promise<{ readonly bytes: Buffer; readonly isCut: boolean } | undefined> {
  const withheld = (why: string, cause?: unknown) =>
    new MailWithheld(`The provider refused to deliver the mail ${named}: ${why}`.slice(0, 500), { cause });
  const answer = await request().catch((error: unknown) => {
    throw error instanceof ProviderFailed ? withheld(error.message, error) : error;
  });
  if (answer.status === NOT_FOUND) return undefined;
  const { status, bytes, isCut = false } = answer;
  if (status !== 200 || !bytes) throw withheld(whyOf(answer));
  return { bytes, isCut };
}

/**
 * Parses a JSON response.
 * @throws MailboxAway for any status other than `expected`
 */
export function jsonOf(answer: ApiAnswer, expected: 200 | 201 = 200): unknown {
  const text = answer.bytes?.toString('utf8') ?? '';
  if (answer.status !== expected) throw new MailboxAway(whyOf(answer));
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new MailboxAway('The provider’s response cannot be read', { cause: error });
  }
}

const whyOf = ({ status, bytes }: ApiAnswer): string =>
  `The provider answers ${status}: ${wordsOf(bytes?.toString('utf8') ?? '')}`.slice(0, 500);
const wordsOf = (text: string): string => /"message":\s*"([^"]{1,300})"/.exec(text)?.[1] ?? text.slice(0, 200);

/** Returns the outgoing transport of a mailbox that sends over its provider's API. */
export function apiWay(send: (bytes: Buffer) => Promise<ApiAnswer>, attempt: () => Promise<unknown>): MailWay {
  const orAway = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof MailboxAway) throw new ServerAway(error.message, { cause: error });
      throw error;
    }
  };
  return {
    async deliver({ bytes }) {
      const { status, bytes: said } = await orAway(send(bytes));
      if (status < 400) return;
      // Other responses concern the sign-in or its permissions, which an administrator can fix.
      const isFinal = status === BAD_REQUEST || status === TOO_LARGE;
      throw new MailRefused(`${status} ${wordsOf(said?.toString('utf8') ?? '')}`, isFinal);
    },
    attempt: async () => void (await orAway(attempt())),
  };
}
