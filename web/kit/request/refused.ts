import { t } from '../shell/words.ts';
import { refusalInWords } from './refusals.ts';

/** Request refused by the server, with the server's message. */
export class Refused extends Error {
  readonly status: number;
  /** The server's message in English, for pages that distinguish reasons. */
  readonly english: string | undefined;
  readonly requestId: string | undefined;
  /** Seconds until a retry makes sense. */
  readonly retryAfter: number | undefined;
  /** Full response body, for callers that need more detail. */
  readonly answer: unknown;

  constructor(message: string, given: Pick<Refused, 'status' | 'english' | 'requestId' | 'retryAfter' | 'answer'>) {
    super(message);
    this.name = 'Refused';
    this.status = given.status;
    this.english = given.english;
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
    const english = sentence(answer);
    const said =
      english === undefined
        ? t('The server responded with {status}.', { status: response.status })
        : await refusalInWords(english);
    const isLimit = response.status === 429 && retryAfter !== undefined;
    const message = isLimit ? t('{message} Try again in {seconds} s.', { message: said, seconds: retryAfter }) : said;
    return new Refused(message, {
      english,
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
