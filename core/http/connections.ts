// The open connections of a server and the answers each is owed. Node's own closeIdleConnections(), which server.close()
// calls, takes an answer for finished that is still on its way to a slow client, and cuts it; ours waits for its last byte.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';

export interface Connections {
  begin(request: IncomingMessage, response: ServerResponse): void;
  owed(socket: Duplex): readonly ServerResponse[];
  readonly size: number;
  /** How often work was asked for. */
  readonly asked: number;
  /** Makes the answers in progress the last of their connections. */
  lastCall(): void;
}

/** Who connected this recently, and has not asked yet, is about to: a client may stand still for a second. */
const FRESH_MS = 2000;
/** Waiting happens in steps: a machine that stands still uses up one of them, and the client has the others to ask in. */
const STEP_MS = 100;
/** Who asks for these wants to know how the process is, and goes on asking while it stops. */
const PROBES: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics']);

interface Connection {
  readonly owed: Set<ServerResponse>;
  readonly since: number;
  asked: boolean;
}

/** Follows the connections of `server`, and replaces what `server.close()` does about idle ones. */
export function trackConnections(server: Server): Connections {
  const open = new Map<Duplex, Connection>();
  let asks = 0;
  let ending = false;
  server.on('connection', (socket) => {
    open.set(socket, { owed: new Set(), since: performance.now(), asked: false });
    socket.once('close', () => open.delete(socket));
  });
  const closeIdle = () => {
    ending = true;
    for (const [socket, connection] of open) {
      if (connection.owed.size > 0) continue;
      if (connection.asked) socket.destroy();
      else void closeFresh(socket, connection);
    }
  };
  server.closeIdleConnections = closeIdle;
  return {
    begin: ({ socket, url = '' }, response) => {
      if (!PROBES.has(url)) asks++;
      const connection = open.get(socket);
      if (!connection) return;
      const { owed } = connection;
      connection.asked = true;
      owed.add(response);
      response.once('close', () => {
        owed.delete(response);
        if (ending && owed.size === 0) socket.end(() => socket.destroy());
      });
    },
    owed: (socket) => [...(open.get(socket)?.owed ?? [])],
    get size() {
      return open.size;
    },
    get asked() {
      return asks;
    },
    lastCall: () => {
      for (const { owed } of open.values()) for (const response of owed) response.shouldKeepAlive = false;
    },
  };
}

/** Closes a connection on which nothing was asked yet once it is no longer fresh, unless that changes. */
async function closeFresh(socket: Duplex, connection: Connection): Promise<void> {
  const left = FRESH_MS - (performance.now() - connection.since);
  for (let waited = 0; waited < left && !connection.asked && !socket.destroyed; waited += STEP_MS) await wait(STEP_MS);
  // A timer that is late comes before what has arrived meanwhile is read.
  await nextTurn();
  if (!connection.asked) socket.destroy();
}
