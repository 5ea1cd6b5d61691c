/** Request refused by the server, with the server's message. */
export class Refused extends Error {
  readonly status: number;
  readonly requestId: string | undefined;
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | undefined;
  /** Full response body, for callers that need more detail. */
  readonly answer: unknown;

  constructor(message: string, given: Pick<Refused, 'status' | 'requestId' | 'retryAfter' | 'answer'>) {
    super(message);
    this.name = 'Refused';
    this.status = given.status;
    this.requestId = given.requestId;
    this.retryAfter = given.retryAfter;
    this.answer = given.answer;
  }

  /** The person must re-authenticate first. */
  get wantsProof(): boolean {
    return this.answer instanceof Object && 'confirm_required' in this.answer;
  }

  static async from(response: Response): Promise<Refused> {
    // A proxy may respond in a format of its own.
    const answer: unknown = await response.json().catch(() => undefined);
    const wait = Number(response.headers.get('Retry-After'));
    const retryAfter = wait > 0 ? wait : undefined;
    const said = sentence(answer) ?? `The server responded with ${response.status}.`;
    return new Refused(response.status === 429 && retryAfter ? `${said} Try again in ${retryAfter} s.` : said, {
      status: response.status,
      requestId: response.headers.get('X-Request-Id') ?? undefined,
      retryAfter,
      answer,
    });
  }
}

/**
 * Returns the message. Each surface has its own format: `{ error: 'text' }`, or `{ error: { message } }` on the CRM.
 */
function sentence(answer: unknown): string | undefined {
  if (!(answer instanceof Object && 'error' in answer)) return undefined;
  const { error } = answer;
  if (typeof error === 'string') return error;
  return error instanceof Object && 'message' in error ? String(error.message) : undefined;
}
