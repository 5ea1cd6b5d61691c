// The listening socket of a process: patient with slow clients only to a point (M19), and polite when it stops (P5).
import { once } from 'node:events';
import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { trackConnections, type Connections } from './connections.ts';

/** How many connections may wait to be accepted. */
const BACKLOG = 1024;
/** A turn of the event loop that took longer had work in it, during which somebody may have connected. */
const SHORT_TURN_MS = 1;
/** Settling happens in steps: a machine that stands still uses up one of them, and everybody has the others to notice in. */
const STEPS = 10;
/** How many a load balancer that never notices is waited for. */
const MOST_STEPS = 60;

export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface ServeOptions {
  readonly host: string;
  /** 0 takes any free one. */
  readonly port: number;
  readonly log: Logger;
  /** After `close()` began, requests are taken until there was none for so long: all who send them have noticed; 500 ms. */
  readonly settleMs?: number;
}

export interface Serving {
  readonly port: number;
  /** True from the first moment of `close()`. */
  readonly draining: boolean;
  /**
   * Stops: requests are still taken, each answered with `Connection: close`, until nobody asks any more or 3 s are over;
   * then nothing new is accepted, what is in progress ends, and idle connections close at once. After `graceMs` in all
   * (15 s) the rest is cut.
   */
  close(graceMs?: number): Promise<void>;
}

/** Listens, and answers with `handler`. @throws Error with a sentence for the operator when the address cannot be had */
export async function serve(handler: Handler, { host, port, log, settleMs = 500 }: ServeOptions): Promise<Serving> {
  const server = createServer({
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 2000,
    // Longer than the 60 s for which load balancers keep a connection, so that they end it, not we.
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16 * 1024,
  });
  const connections = trackConnections(server);
  let closed: Promise<void> | undefined;

  server.on('request', (request, response) => {
    connections.begin(request, response);
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
    close: (graceMs = 15_000) => (closed ??= drain(server, connections, { graceMs, settleMs, log })),
  };
}

/**
 * Ends the process on SIGTERM or SIGINT: `close` runs, then the process exits with 0, or with 1 when `close` failed. A
 * second signal exits at once, unless it follows within half a second: `npm start` passes Ctrl-C on to a process that
 * has heard it already.
 */
export function onSignals(close: () => Promise<void>): void {
  let first: number | undefined;
  const stop = async (): Promise<void> => {
    if (first !== undefined) {
      if (performance.now() - first > 500) process.exit(1);
      return;
    }
    first = performance.now();
    try {
      await close();
      process.exit(0);
    } catch (error) {
      process.stderr.write(`Stopping failed: ${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(1);
    }
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());
}

async function drain(
  server: Server,
  connections: Connections,
  { graceMs, settleMs, log }: { graceMs: number; settleMs: number; log: Logger },
): Promise<void> {
  const cut = setTimeout(() => {
    log.warn({ connections: connections.size }, 'the time to stop is over; open connections are cut');
    server.closeAllConnections();
  }, graceMs);
  connections.lastCall();
  await settle(server, connections, { settleMs, graceMs });
  const ended = once(server, 'close');
  // Stops accepting and closes what is idle, through trackConnections.
  server.close();
  await ended;
  clearTimeout(cut);
}

/**
 * Goes on serving until nobody has asked for `settleMs`. A load balancer that is late to notice still sends requests, and
 * one that connects in the moment in which the listening socket closes is reset: there is to be nobody in that moment.
 */
async function settle(
  server: Server,
  connections: Connections,
  { settleMs, graceMs }: { settleMs: number; graceMs: number },
): Promise<void> {
  const last = performance.now() + graceMs;
  for (let step = 0, quiet = 0; step < MOST_STEPS && quiet < STEPS && performance.now() < last; step++) {
    const before = connections.asked;
    await wait(Math.min(settleMs / STEPS, last - performance.now()));
    if (quiet === STEPS - 1 || step === MOST_STEPS - 1) await acceptWaiting(server);
    quiet = connections.asked === before ? quiet + 1 : 0;
  }
}

/**
 * Lets the event loop turn until nobody connects any more: Node accepts one connection per turn, and those still waiting
 * when the listening socket closes would be reset. The last turn must be a short one, as what came during it is not
 * accepted yet. No more can wait than the backlog holds.
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
    log.error({ err: error }, 'a request was not answered');
    if (response.headersSent) response.destroy();
    else response.writeHead(500, jsonHead).end('{"error":"Internal server error"}');
  }
}

const jsonHead = { 'Content-Type': 'application/json; charset=utf-8', Connection: 'close' };

/** Answers what is not HTTP, or came too slowly, with 400 while nothing else is being answered on the connection. */
function refuse(socket: Duplex, error: NodeJS.ErrnoException, connections: Connections): void {
  const begun = connections.owed(socket).some((response) => response.headersSent);
  if (error.code === 'ECONNRESET' || !socket.writable || begun) {
    socket.destroy();
    return;
  }
  const body = '{"error":"Bad request"}';
  const head = Object.entries({ ...jsonHead, 'Content-Length': body.length }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end([`HTTP/1.1 400 ${STATUS_CODES[400]}`, ...head, '', body].join('\r\n'));
  // Closed at once, the connection would be reset by what still arrives, and the answer lost.
  setTimeout(() => socket.destroy(), 1000).unref();
}

async function listen(server: Server, host: string, port: number): Promise<void> {
  try {
    server.listen({ host, port, backlog: BACKLOG });
    await once(server, 'listening');
  } catch (error) {
    const reasons: Record<string, string> = {
      EADDRINUSE: 'something else listens there already',
      EACCES: 'this user may not use that port',
      EADDRNOTAVAIL: 'this machine does not have that address',
      ENOTFOUND: 'that host name is not known',
    };
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new Error(`Cannot listen on HOST ${host}, PORT ${port}: ${reasons[code] ?? code}.`, { cause: error });
  }
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
