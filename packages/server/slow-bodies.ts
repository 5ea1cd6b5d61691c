// Time limits for request bodies. Node has a single limit, which would cut uploads over slow connections. Here a body
// may take 30 s, and an upload as long as its bytes keep arriving.
import type { IncomingMessage } from 'node:http';
import { startTimer } from '@keelson/kit/timeout.ts';

export interface BodyLimits {
  /** Seconds for a body to arrive in full. For an upload, the interval over which its rate is measured. */
  readonly seconds: number;
  /** Minimum average rate of an upload in each interval. */
  readonly bytesPerSecond: number;
  /** Maximum duration of an upload in seconds, at any rate. */
  readonly uploadSeconds: number;
}

export const usualLimits: BodyLimits = Object.freeze({ seconds: 30, bytesPerSecond: 4096, uploadSeconds: 1800 });

const patient = Symbol('slow body allowed');
type Arriving = IncomingMessage & { [patient]?: true };

/** Grants a request's body the time limit of an upload. For identified callers and routes that accept files. */
export function allowSlowBody(request: IncomingMessage): void {
  (request as Arriving)[patient] = true;
}

/** Calls `late` if a request's body has not arrived in time. */
export function watchBody(request: Arriving, limits: BodyLimits, late: () => void): void {
  if (!hasBody(request)) return;
  const { socket } = request;
  let [seen, spans] = [socket.bytesRead, 0];
  let timer: NodeJS.Timeout;
  const begin = () => {
    timer = startTimer(limits.seconds * 1000, () => {
      const enough = socket.bytesRead - seen >= limits.bytesPerSecond * limits.seconds;
      seen = socket.bytesRead;
      if (request[patient] && enough && ++spans * limits.seconds < limits.uploadSeconds) return begin();
      if (!request.complete) late();
    }).unref();
  };
  begin();
  // Not the socket's `close`: a socket serves many requests.
  request.once('close', () => clearInterval(timer));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
