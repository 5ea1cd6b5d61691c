// A local webhook receiver that behaves as instructed and records its requests.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly json: any;
}

export type Manner = (request: IncomingMessage, response: ServerResponse) => void;

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Sets its response from now on; the default is 204. */
  behave(manner: Manner): void;
  /** Restarts it with successful responses; pending requests are cut off. */
  recover(): void;
  /** Returns the number of connections so far. */
  connections(): number;
  /** Waits for this many requests. @throws after a minute */
  until(count: number): Promise<void>;
}

export const answering =
  (status: number, headers: Readonly<Record<string, string>> = {}, body = ''): Manner =>
  (_, response) =>
    response.writeHead(status, headers).end(body);
export const well = answering(204);
/** Never responds. */
export const hanging: Manner = () => {};
export const resetting: Manner = (request) => request.socket.resetAndDestroy();
/** Sends a byte now and then, forever. */
export const dripping: Manner = (_, response) => {
  const timer = setInterval(() => response.write('.'), 50);
  response.on('close', () => clearInterval(timer));
};
/** Sends as much as the client reads. */
export const flooding: Manner = (_, response) => {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  response.writeHead(200, { 'content-length': String(1024 ** 3) });
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', pour);
  pour();
};

export async function startReceiver(t: { teardown(work: () => unknown): void }): Promise<Receiver> {
  const received: Received[] = [];
  let manner = well;
  let connections = 0;
  // Connections stay open: closing an idle one could meet its next use.
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    received.push({
      path: request.url ?? '',
      headers: request.headers,
      body,
      json: body === '' || isForm(request) ? undefined : JSON.parse(body),
    });
    manner(request, response);
  });
  server.on('connection', () => void connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const until = async (holds: () => boolean) => {
    const since = performance.now();
    while (!holds()) {
      if (performance.now() - since > 60_000) throw new Error(`Only ${received.length} requests arrived in a minute`);
      await sleep(5);
    }
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    behave: (next) => void (manner = next),
    recover: () => {
      manner = well;
      server.closeAllConnections();
    },
    connections: () => connections,
    until: (count) => until(() => received.length >= count),
  };
}

function isForm({ headers }: IncomingMessage): boolean {
  return headers['content-type'] === 'application/x-www-form-urlencoded';
}
