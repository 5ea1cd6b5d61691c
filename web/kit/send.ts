// Sends requests with patience: a change waits for the network, and a server that was asked too much gets its pause.
import { answers, pause, untilOnline } from './network.ts';
import { Refused } from './refused.ts';

/** A longer wait than this is said instead, and the person decides. */
const LONGEST_PAUSE_S = 90;
const MOST_PAUSES = 4;
const LOST_PAUSE_S = 1;

export interface Sent extends RequestInit {
  readonly method: string;
  readonly headers: Headers;
}

/** Sends a request that is worth waiting for. @throws Refused when the server cannot be reached */
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

/** Sends a request now or never. @throws Refused when the server cannot be reached */
export async function send(address: string, request: Sent): Promise<Response> {
  try {
    const response = await fetch(address, request);
    answers(true);
    return response;
  } catch (error) {
    if (request.signal?.aborted) throw error;
    if (navigator.onLine) answers(false);
    const said = navigator.onLine ? 'The server cannot be reached.' : 'You are offline.';
    throw new Refused(said, { status: 0, requestId: undefined, retryAfter: undefined, answer: undefined });
  }
}

/** The answer may have been lost, not the request: its key keeps a POST from happening twice. */
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

/** Too much was asked, or the first of two requests with the same key is still running. Failures of the server are said. */
function pauseOf({ status, headers }: Response): number | undefined {
  const seconds = Number(headers.get('Retry-After'));
  return status < 500 && seconds > 0 && seconds <= LONGEST_PAUSE_S ? seconds : undefined;
}
