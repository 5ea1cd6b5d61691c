// The open connections of a server and the answers each is owed. Node's own closeIdleConnections(), which server.close()
// calls, takes an answer for finished that is still on its way to a slow client, and cuts it; ours waits for its last byte.
import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export interface Connections {
  begin(socket: Duplex, response: ServerResponse): void;
  owed(socket: Duplex): readonly ServerResponse[];
  readonly size: number;
  /** Makes the answers in progress the last of their connections. */
  lastCall(): void;
}

/** Who connected this recently is about to ask: its connection is not idle yet. */
const FRESH_MS = 250;

/** Follows the connections of `server`, and replaces what `server.close()` does about idle ones. */
export function trackConnections(server: Server): Connections {
  const open = new Map<Duplex, { owed: Set<ServerResponse>; since: number }>();
  let ending = false;
  server.on('connection', (socket) => {
    open.set(socket, { owed: new Set(), since: performance.now() });
    socket.once('close', () => open.delete(socket));
  });
  const closeIdle = () => {
    ending = true;
    for (const [socket, { owed, since }] of open) {
      const patience = FRESH_MS - (performance.now() - since);
      if (owed.size > 0) continue;
      if (patience <= 0) socket.destroy();
      else setTimeout(() => owed.size === 0 && socket.destroy(), patience);
    }
  };
  server.closeIdleConnections = closeIdle;
  return {
    begin: (socket, response) => {
      const owed = open.get(socket)?.owed;
      owed?.add(response);
      response.once('close', () => {
        owed?.delete(response);
        if (ending && owed?.size === 0) socket.end(() => socket.destroy());
      });
    },
    owed: (socket) => [...(open.get(socket)?.owed ?? [])],
    get size() {
      return open.size;
    },
    lastCall: () => {
      for (const { owed } of open.values()) for (const response of owed) response.shouldKeepAlive = false;
    },
  };
}
