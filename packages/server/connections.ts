// Tracks a server's open connections and their pending responses. Node's closeIdleConnections(), which server.close()
// calls, cuts off a response still in transit to a slow client. This one waits for the last byte.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { probePaths } from '@keelson/log/health.ts';

export interface Connections {
  begin(request: IncomingMessage, response: ServerResponse): void;
  /** Returns the responses on this connection that are not fully sent. */
  pending(socket: Duplex): readonly ServerResponse[];
  readonly size: number;
  /** Requests so far, excluding health checks. */
  readonly requests: number;
  /** Sets `Connection: close` on pending responses whose headers have not been sent. */
  endKeepAlive(): void;
}

/** A connection this young without a request may be about to send one. Clients can pause for a second. */
const FRESH_MS = 2000;
/** After a response, the client may already be sending its next request, which must still be answered. */
const PAUSE_MS = 300;
/** Waiting happens in steps. A frozen machine uses up only one, leaving the client the rest. */
const STEP_MS = 100;
/** Health checks continue during shutdown, so they do not count as client requests. */
const PROBES: ReadonlySet<string> = new Set(Object.values(probePaths));

interface Connection {
  readonly pending: Set<ServerResponse>;
  /** When it opened or last became idle. */
  since: number;
  requests: number;
}

/** Tracks the connections of `server` and replaces how `server.close()` closes idle ones. */
export function trackConnections(server: Server): Connections {
  const open = new Map<Duplex, Connection>();
  let requests = 0;
  let ending = false;
  server.on('connection', (socket) => {
    const connection: Connection = { pending: new Set(), since: performance.now(), requests: 0 };
    open.set(socket, connection);
    socket.once('close', () => open.delete(socket));
    // Accepted just before the listening socket closed.
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
        // The response kept the connection alive, so the client may be sending the next request.
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

/** Closes an idle connection after giving its client time to send a request already under way. */
async function closeQuiet(socket: Duplex, connection: Connection): Promise<void> {
  const { requests, since } = connection;
  const isQuiet = () => connection.requests === requests && !socket.destroyed;
  const age = performance.now() - since;
  // The process may have been suspended since a fresh one opened.
  const left = requests === 0 ? Math.max(PAUSE_MS, FRESH_MS - age) : PAUSE_MS - age;
  for (let waited = 0; waited < left && isQuiet(); waited += STEP_MS) await wait(STEP_MS);
  // After a process pause, late timers run before sockets are read. A request may have arrived.
  await nextTurn();
  if (isQuiet()) socket.destroy();
}
