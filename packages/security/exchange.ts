// Sends one request through a client opened by egress.ts.
import { explained } from '@keelson/kit/explained.ts';
import { startTimer } from '@keelson/kit/timeout.ts';
import type { Agent, Dispatcher } from 'undici';

export interface EgressOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Total timeout, from name resolution to the last byte (10 s). */
  readonly timeoutMs?: number;
  /** Maximum body size read (64 KiB). */
  readonly maxBytes?: number;
}

export interface EgressAnswer {
  readonly status: number;
  /** Lower-case names. Repeated headers are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

export interface Place {
  readonly origin: string;
  readonly path: string;
}

/**
 * Sends a request with undici's `dispatch`, because the streams and signals of `request` cost more than the rest of a
 * delivery. Closes the connection after `maxBytes` or `timeoutMs`.
 */
export function exchange(
  agent: Agent,
  { origin, path }: Place,
  { method = 'GET', headers = {}, body, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES }: EgressOptions,
): Promise<EgressAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<EgressAnswer>();
  const chunks: Buffer[] = [];
  let [size, status] = [0, 0];
  let answered: EgressAnswer['headers'] = {};
  let controller: Dispatcher.DispatchController | undefined;
  let late: Error | undefined;
  // Until the connection opens there is nothing to abort.
  const timer = startTimer(timeoutMs, () => {
    const seconds = timeoutMs / 1000;
    late = new Error(explained(`No response within ${seconds} s`));
    reject(late);
    controller?.abort(late);
  });
  const finish = (): void => {
    clearInterval(timer);
    const text = chunks.length === 0 ? '' : Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8');
    resolve({ status, headers: answered, body: text });
  };
  agent.dispatch(
    { origin, path, method, headers, body: body ?? null },
    {
      onRequestStart(begun) {
        controller = begun;
        if (late) begun.abort(late);
      },
      onResponseStart(_controller, code, received) {
        status = code;
        answered = joined(received);
      },
      onResponseData(sender, chunk) {
        chunks.push(chunk);
        size += chunk.length;
        if (size < maxBytes) return;
        finish();
        sender.abort(new Error(explained('The response is too long')));
      },
      onResponseEnd: finish,
      onResponseError(_controller, error) {
        clearInterval(timer);
        reject(error);
      },
    },
  );
  return promise;
}

function joined(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  const result: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) result[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return result;
}
