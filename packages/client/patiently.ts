// Retries requests after temporary failures.

/** An error response of the server. */
export class KeelsonError extends Error {
  readonly status: number;
  /** Further members of the response, such as `mfa_required`. */
  readonly body: Readonly<Record<string, unknown>>;
  constructor(status: number, message: string, body: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'KeelsonError';
    this.status = status;
    this.body = body;
  }
}

const LONGEST_WAIT_SECONDS = 60;

export interface Attempts {
  /** Returns the headers that authenticate an attempt. Its errors are not failures of the network. */
  readonly authenticate: () => Promise<Record<string, string>>;
  readonly method: string;
  readonly retries: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends a request and retries it after network failures, after 429 and 503, and after any other response with
 * `Retry-After`: the first attempt of a POST may still be running. POSTs carry an Idempotency-Key, so that retries are
 * safe.
 * @throws KeelsonError for any other error response, or the last failure; what `authenticate` throws
 */
export async function patiently(
  send: (credentials: Record<string, string>) => Promise<Response>,
  { authenticate, method, retries, signal }: Attempts,
): Promise<Response> {
  for (let attempt = 0, lost = false; ; attempt++) {
    const credentials = await authenticate();
    const answer = await send(credentials).catch((error: unknown) => {
      if (signal?.aborted || attempt >= retries) throw error;
      return undefined;
    });
    if (answer?.ok) return answer;
    // The first attempt deleted it, but the response was lost.
    if (answer?.status === 404 && method === 'DELETE' && lost) return new Response(null, { status: 204 });
    const passes = !answer || answer.status === 429 || answer.status === 503 || answer.headers.has('Retry-After');
    if (answer && (!passes || attempt >= retries)) throw await refusal(answer);
    lost ||= answer === undefined;
    await rest(waitOf(answer, attempt), signal);
  }
}

/** Parses an error response of any of the interfaces. */
export async function refusal(answer: Response): Promise<KeelsonError> {
  // A proxy may respond with an HTML page instead of JSON.
  const body: unknown = await answer.json().catch(() => undefined);
  const { error, message = error, ...more } = Object(body) as Record<string, unknown>;
  const said = typeof message === 'string' ? message : Object(message).message;
  return new KeelsonError(
    answer.status,
    typeof said === 'string' ? said : `The server answered ${answer.status}`,
    more,
  );
}

function waitOf(answer: Response | undefined, attempt: number): number {
  const asked = Number(answer?.headers.get('Retry-After') ?? Number.NaN);
  return Number.isFinite(asked) ? Math.min(asked, LONGEST_WAIT_SECONDS) : Math.min(2 ** attempt / 2, 10);
}

/** Waits, unless the signal is aborted. */
export function rest(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
