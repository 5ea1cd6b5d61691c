/** A request that the server refused, with its own sentence. */
export class Refused extends Error {
  readonly status: number;
  readonly requestId: string | undefined;
  /** Seconds after which a further attempt makes sense. */
  readonly retryAfter: number | undefined;
  /** The whole answer, for those who know more of it. */
  readonly answer: unknown;

  constructor(message: string, given: Pick<Refused, 'status' | 'requestId' | 'retryAfter' | 'answer'>) {
    super(message);
    this.name = 'Refused';
    this.status = given.status;
    this.requestId = given.requestId;
    this.retryAfter = given.retryAfter;
    this.answer = given.answer;
  }

  /** Whether the person has to prove who they are first. */
  get wantsProof(): boolean {
    return this.answer instanceof Object && 'confirm_required' in this.answer;
  }

  static async from(response: Response): Promise<Refused> {
    // What stands between us and the server may answer in a form of its own.
    const answer: unknown = await response.json().catch(() => undefined);
    const wait = Number(response.headers.get('Retry-After'));
    const retryAfter = wait > 0 ? wait : undefined;
    const said = sentence(answer) ?? `The server answered ${response.status}.`;
    return new Refused(response.status === 429 && retryAfter ? `${said} Try again in ${retryAfter} s.` : said, {
      status: response.status,
      requestId: response.headers.get('X-Request-Id') ?? undefined,
      retryAfter,
      answer,
    });
  }
}

/** Each surface has its own form: `{ error: 'text' }`, or `{ error: { message } }` on the CRM. */
function sentence(answer: unknown): string | undefined {
  if (!(answer instanceof Object && 'error' in answer)) return undefined;
  const { error } = answer;
  if (typeof error === 'string') return error;
  return error instanceof Object && 'message' in error ? String(error.message) : undefined;
}
