// An HTTP client that reports what fetch hides: whether the connection was refused, and whether it was reused.
import { Agent, request as begin } from 'node:http';

export interface Sent {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

/** The connection failed before the response was complete. */
export class Unanswered extends Error {
  /** Nothing listened on the port, so no server saw the request. */
  readonly refused: boolean;
  /** Sent on a reused connection, without a single byte of response. */
  readonly kept: boolean;
  constructor(error: NodeJS.ErrnoException, kept: boolean) {
    super(error.message, { cause: error });
    this.refused = error.syscall === 'connect';
    this.kept = kept;
  }
}

export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly token?: string;
  readonly idempotencyKey?: string;
  readonly body?: unknown;
}

/** Creates a client with at most `connections` keep-alive connections per server. */
export function client(connections = 1) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  return {
    /** @throws Unanswered */
    send: (url: string, request: Request) => send(agent, url, request),
    close: () => agent.destroy(),
  };
}

export type Client = ReturnType<typeof client>;

function send(agent: Agent, url: string, { method, path, token, idempotencyKey, body }: Request): Promise<Sent> {
  const since = performance.now();
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const headers = {
    ...(token && { Authorization: `Bearer ${token}` }),
    ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
    ...(bytes && { 'Content-Type': 'application/json', 'Content-Length': bytes.length }),
  };
  return new Promise((resolve, reject) => {
    let answered = false;
    const request = begin(url + path, { agent, method, headers }, (response) => {
      answered = true;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, text, ms: performance.now() - since });
      });
    });
    const fail = (error: Error) => reject(new Unanswered(error, request.reusedSocket && !answered));
    request.on('error', fail);
    request.end(bytes);
  });
}
