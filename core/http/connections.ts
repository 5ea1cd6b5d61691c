// The open connections of a server and the responses that are pending on each. Node's closeIdleConnections(), which
// server.close() calls, cuts off a response that is still on its way to a slow client; ours waits for its last byte.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { probePaths } from '../log/health.ts';

export interface Connections {
  begin(request: IncomingMessage, response: ServerResponse): void;
  /** The responses on this connection that have not been sent completely. */
  pending(socket: Duplex): readonly ServerResponse[];
  readonly size: number;
  /** Requests so far, without those of health checks. */
  readonly requests: number;
  /** Makes the pending responses, if their heads have not been sent, the last of their connections. */
  endKeepAlive(): void;
}

/** A connection this young without a request is about to send one: clients may pause for a second. */
const FRESH_MS = 2000;
/** One that has just had its answer may be sending the next request: what arrives still gets an answer. */
const PAUSE_MS = 300;
/** It is waited for in steps. A machine that freezes uses up one step, and the client still has the others. */
const STEP_MS = 100;
/** Health checks go on while the process stops, so they do not count as requests that somebody waits for. */
const PROBES: ReadonlySet<string> = new Set(Object.values(probePaths));

interface Connection {
  readonly pending: Set<ServerResponse>;
  /** Since when it has been quiet, or open. */
  since: number;
  requests: number;
}

/** Follows the connections of `server`, and replaces what `server.close()` does about idle ones. */
export function trackConnections(server: Server): Connections {
  const open = new Map<Duplex, Connection>();
  let requests = 0;
  let ending = false;
  server.on('connection', (socket) => {
    const connection: Connection = { pending: new Set(), since: performance.now(), requests: 0 };
    open.set(socket, connection);
    socket.once('close', () => open.delete(socket));
    // It had been accepted when the listening socket closed.
    if (ending) void closeQuiet(socket, connection);
  });
  const closeIdle = () => {
    ending = true;
    for (const [socket, connection] of open) {
      if (connection.pending.size === 0) void closeQuiet(socket, connection);
    }
  };
  server.closeIdleConnections = closeIdle;
  return {
    begin: ({ socket, url = '' }, response) => {
      if (!PROBES.has(url)) requests++;
      const connection = open.get(socket);
      if (!connection) return;
      const { pending } = connection;
      connection.requests++;
      pending.add(response);
      if (ending) response.shouldKeepAlive = false;
      response.once('close', () => {
        pending.delete(response);
        connection.since = performance.now();
        if (!ending || pending.size > 0) return;
        // A client that was told the connection stays may be sending the next request.
        if (response.shouldKeepAlive) void closeQuiet(socket, connection);
        else socket.end(() => socket.destroy());
      });
    },
    pending: (socket) => [...(open.get(socket)?.pending ?? [])],
    get size() {
      return open.size;
    },
    get requests() {
      return requests;
    },
    endKeepAlive: () => {
      for (const { pending } of open.values()) {
        for (const response of pending) if (!response.headersSent) response.shouldKeepAlive = false;
      }
    },
  };
}

/** Closes a quiet connection once its client has had the time to send what it may be about to send. */
async function closeQuiet(socket: Duplex, connection: Connection): Promise<void> {
  const { requests, since } = connection;
  const isQuiet = () => connection.requests === requests && !socket.destroyed;
  const left = (requests === 0 ? FRESH_MS : PAUSE_MS) - (performance.now() - since);
  for (let waited = 0; waited < left && isQuiet(); waited += STEP_MS) await wait(STEP_MS);
  // After a pause of the process late timers run before the sockets are read: a request may have arrived.
  await nextTurn();
  if (isQuiet()) socket.destroy();
}
