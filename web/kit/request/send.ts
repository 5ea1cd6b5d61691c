// Sends requests with retries: changes wait for the network, and Retry-After is honoured.
import { t } from '../shell/words.ts';
import { answers, pause, untilOnline } from './network.ts';
import { Refused } from './refused.ts';

/** Longer waits are reported as errors instead. */
const LONGEST_PAUSE_S = 90;
const MOST_PAUSES = 4;
const LOST_PAUSE_S = 1;

export interface Sent extends RequestInit {
  readonly method: string;
  readonly headers: Headers;
}

/** Sends a request with retries. @throws Refused if the server cannot be reached */
export async function sendPatiently(address: string, request: Sent): Promise<Response> {
  const signal = request.signal ?? undefined;
  for (let pauses = 0; ; pauses++) {
    if (request.method !== 'GET') await untilOnline(signal);
    const response = await sendAgainWhenLost(address, request);
    const seconds = pauseOf(response);
    if (seconds === undefined || pauses === MOST_PAUSES) return response;
    await pause(seconds, signal);
  }
}

/** Sends a request without retries. @throws Refused if the server cannot be reached */
export async function send(address: string, request: Sent): Promise<Response> {
  try {
    const response = await fetch(address, request);
    answers(true);
    return response;
  } catch (error) {
    if (request.signal?.aborted) throw error;
    if (navigator.onLine) answers(false);
    const said = navigator.onLine ? t('Can’t reach the server.') : t('You’re offline.');
    throw new Refused(said, {
      status: 0,
      english: undefined,
      requestId: undefined,
      retryAfter: undefined,
      answer: undefined,
    });
  }
}

/**
 * Retries a lost POST. Only the response may have been lost; the idempotency key prevents a second execution.
 */
async function sendAgainWhenLost(address: string, request: Sent): Promise<Response> {
  try {
    return await send(address, request);
  } catch (error) {
    if (request.method !== 'POST' || request.signal?.aborted) throw error;
    const signal = request.signal ?? undefined;
    await untilOnline(signal);
    await pause(LOST_PAUSE_S, signal);
    return send(address, request);
  }
}

/** Returns the pause for a rate limit or for a running request with the same key. Server errors are not retried. */
function pauseOf({ status, headers }: Response): number | undefined {
  const seconds = Number(headers.get('Retry-After'));
  return status < 500 && seconds > 0 && seconds <= LONGEST_PAUSE_S ? seconds : undefined;
}
