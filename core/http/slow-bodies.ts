// How long a request may take to arrive. Node has one limit for all of them, which cuts uploads over slow lines; here a body
// may take 30 s, and that of an upload as long as its bytes keep coming.
import type { IncomingMessage } from 'node:http';

export interface BodyLimits {
  /** Seconds in which a body must have arrived; of an upload, in which enough of it must have. */
  readonly seconds: number;
  /** What an upload must bring in each of these spans, on average. */
  readonly bytesPerSecond: number;
  /** Seconds after which an upload is cut however quick it is. */
  readonly uploadSeconds: number;
}

export const usualLimits: BodyLimits = Object.freeze({ seconds: 30, bytesPerSecond: 4096, uploadSeconds: 1800 });

const patient = Symbol('its body may take long');
type Arriving = IncomingMessage & { [patient]?: true };

/** Gives the body of a request the time of an upload; for callers who are known, and routes that take files. */
export function allowSlowBody(request: IncomingMessage): void {
  (request as Arriving)[patient] = true;
}

/** Calls `late` when the body of a request has not arrived in time. */
export function watchBody(request: Arriving, limits: BodyLimits, late: () => void): void {
  if (!hasBody(request)) return;
  const { socket } = request;
  let [seen, spans] = [socket.bytesRead, 0];
  const timer = setInterval(() => {
    const enough = socket.bytesRead - seen >= limits.bytesPerSecond * limits.seconds;
    seen = socket.bytesRead;
    if (request[patient] && enough && ++spans * limits.seconds < limits.uploadSeconds) return;
    stop();
    if (!request.complete) late();
  }, limits.seconds * 1000).unref();
  const stop = () => clearInterval(timer);
  // Not the socket's: it lives through many requests.
  request.once('close', stop);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
