// Repeats requests that failed for a reason that passes.

/** A refusal by the server. */
export class KeelsonError extends Error {
  readonly status: number;
  /** The response's members besides the message, such as `mfa_required`. */
  readonly body: Readonly<Record<string, unknown>>;
  constructor(status: number, message: string, body: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.name = 'KeelsonError';
    this.status = status;
    this.body = body;
  }
}

const LONGEST_WAIT_SECONDS = 60;

/**
 * Sends a request until it is answered: again when the network fails, and after `Retry-After` at 429 and 503. POSTs carry
 * an Idempotency-Key, so that repeating them is safe.
 * @throws KeelsonError at any other refusal, or the last failure
 */
export async function patiently(
  send: () => Promise<Response>,
  { method, retries, signal }: { method: string; retries: number; signal?: AbortSignal | undefined },
): Promise<Response> {
  for (let attempt = 0, lost = false; ; attempt++) {
    const answer = await send().catch((error: unknown) => {
      if (signal?.aborted || attempt >= retries) throw error;
      return undefined;
    });
    if (answer?.ok) return answer;
    // The first attempt deleted it, but its answer was lost.
    if (answer?.status === 404 && method === 'DELETE' && lost) return new Response(null, { status: 204 });
    const passes = answer === undefined || answer.status === 429 || answer.status === 503;
    if (answer && (!passes || attempt >= retries)) throw await refusal(answer);
    lost ||= answer === undefined;
    await rest(waitOf(answer, attempt), signal);
  }
}

/** Reads an error response of any of the interfaces. */
export async function refusal(answer: Response): Promise<KeelsonError> {
  // A proxy may answer with a page instead of JSON.
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

/** Waits, unless the signal ends it. */
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
