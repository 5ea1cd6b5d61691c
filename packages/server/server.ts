// The process's HTTP server: time limits for slow clients (ME-19), and a shutdown that drops no request (RP-05).
import { once } from 'node:events';
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { trackConnections, type Connections } from './connections.ts';
import { usualLimits, watchBody, type BodyLimits } from './slow-bodies.ts';

/** Maximum connections waiting to be accepted. */
const BACKLOG = 1024;
/** A longer turn of the event loop did other work, during which a client may have connected. */
const SHORT_TURN_MS = 1;
/** The quiet time is measured in steps. A frozen machine uses up only one, leaving clients the rest. */
const STEPS = 10;
/** Draining ends after this many steps even if a load balancer keeps sending requests. */
const MOST_STEPS = 60;

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface ServeOptions {
  readonly host: string;
  /** 0 picks any free port. */
  readonly port: number;
  readonly log: Logger;
  /**
   * After `close()`, requests are accepted until none has arrived for this long (500 ms), so that every client has
   * noticed.
   */
  readonly quietMs?: number;
  readonly bodies?: BodyLimits;
}

export interface Serving {
  readonly port: number;
  /** True once `close()` is called. */
  readonly draining: boolean;
  /**
   * Shuts down in steps. Requests are still accepted and answered with `Connection: close` until none arrive, for at
   * most 3 s. Then new connections are refused, idle ones closed, and requests in progress finish. Anything still open
   * `graceMs` (15 s) after the call is cut off.
   */
  close(graceMs?: number): Promise<void>;
}

/** Listens and serves with `handler`. @throws Error with a sentence for the operator when it cannot listen */
export async function serve(handler: Handler, options: ServeOptions): Promise<Serving> {
  const { host, port, log, quietMs = 500, bodies = usualLimits } = options;
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 0, // slow-bodies.ts
    connectionsCheckingInterval: 2000,
    // Longer than the 60 s keep-alive of load balancers, so that they close connections first.
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16 * 1024,
  });
  const connections = trackConnections(server);
  let closed: Promise<void> | undefined;

  server.on('request', (request, response) => {
    connections.begin(request, response);
    watchBody(request, bodies, () => refuse(request.socket, new Error('Request timeout'), connections));
    if (closed) response.shouldKeepAlive = false;
    void answer(handler, request, response, log);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuse(socket, error, connections));
  await listen(server, host, port);
  server.on('error', (error) => log.error({ err: error }, 'a connection could not be accepted'));

  return {
    port: portOf(server),
    get draining() {
      return closed !== undefined;
    },
    close: (graceMs = 15_000) => (closed ??= drain(server, connections, { graceMs, quietMs, log })),
  };
}

async function drain(
  server: Server,
  connections: Connections,
  { graceMs, quietMs, log }: { graceMs: number; quietMs: number; log: Logger },
): Promise<void> {
  const cut = setTimeout(() => {
    log.warn({ connections: connections.size }, 'shutdown timed out; closing open connections');
    server.closeAllConnections();
  }, graceMs);
  connections.endKeepAlive();
  await serveUntilQuiet(server, connections, { quietMs, graceMs });
  const ended = once(server, 'close');
  // Stops accepting. trackConnections closes idle connections.
  server.close();
  await ended;
  clearTimeout(cut);
}

/**
 * Serves until no request has arrived for `quietMs`. A load balancer notices late and keeps sending requests, and a
 * connection made while the listening socket closes is reset. The socket must therefore close when no client is
 * connecting.
 */
async function serveUntilQuiet(
  server: Server,
  connections: Connections,
  { quietMs, graceMs }: { quietMs: number; graceMs: number },
): Promise<void> {
  const last = performance.now() + graceMs;
  for (let step = 0, quiet = 0; step < MOST_STEPS && quiet < STEPS && performance.now() < last; step++) {
    const before = connections.requests;
    await wait(Math.min(quietMs / STEPS, last - performance.now()));
    if (quiet === STEPS - 1 || step === MOST_STEPS - 1) await acceptWaiting(server);
    quiet = connections.requests === before ? quiet + 1 : 0;
  }
}

/**
 * Runs the event loop until no connection is waiting. Node accepts one per turn, and those waiting when the listening
 * socket closes would be reset. The last turn must be short, because a connection made during it is not accepted yet.
 * The backlog bounds the number of turns.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let quiet = 0;
  const count = () => (quiet = 0);
  server.on('connection', count);
  for (let turn = 0, short = false; turn < BACKLOG && !(short && quiet >= 10); turn++, quiet++) {
    const began = performance.now();
    await nextTurn();
    short = performance.now() - began < SHORT_TURN_MS;
  }
  server.off('connection', count);
}

async function answer(handler: Handler, request: IncomingMessage, response: ServerResponse, log: Logger) {
  try {
    await handler(request, response);
  } catch (error) {
    log.error({ err: error }, 'a request got no response');
    if (response.headersSent) response.destroy();
    else response.writeHead(500, jsonHead).end('{"error":"Internal server error"}');
  }
}

const jsonHead = { 'Content-Type': 'application/json; charset=utf-8', Connection: 'close' };

/** Responds 400 to malformed HTTP or a request that is too slow, unless a response has begun on the connection. */
function refuse(socket: Duplex, error: NodeJS.ErrnoException, connections: Connections): void {
  const begun = connections.pending(socket).some((response) => response.headersSent);
  if (error.code === 'ECONNRESET' || !socket.writable || begun) return void socket.destroy();
  const body = '{"error":"Bad request"}';
  const fields = Object.entries({ ...jsonHead, 'Content-Length': body.length });
  const head = fields.map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 400 ${STATUS_CODES[400]}`, ...head, '', body].join('\r\n'));
  // Closing at once could reset the connection on incoming data and lose the response.
  setTimeout(() => socket.destroy(), 1000).unref();
}

/**
 * Checks that a server could listen, before doing work that depends on it.
 * @throws Error in one sentence naming HOST and PORT
 * @example await checkPort(shell.config);
 */
export async function checkPort({ host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  const server = createServer();
  await listen(server, host, port);
  server.close();
  await once(server, 'close');
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    server.listen({ host, port, backlog: BACKLOG });
    await once(server, 'listening');
  } catch (error) {
    const reasons: Record<string, string> = {
      EADDRINUSE: 'the port is already in use',
      EACCES: 'permission denied for that port',
      EADDRNOTAVAIL: 'this machine does not have that address',
      ENOTFOUND: 'unknown host name',
    };
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new Error(`Cannot listen on HOST ${host}, PORT ${port}: ${reasons[code] ?? code}.`, { cause: error });
  }
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
