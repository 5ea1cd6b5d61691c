// A TCP proxy between the product and its database that simulates network faults.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ExecutionContext } from 'ava';
import { freePort } from './_node.ts';

export interface TcpProxy {
  readonly port: number;
  /** Number of open connections from the product. */
  readonly open: () => number;
  /** Stops forwarding without losing data, like a stopped server. */
  freeze(): void;
  thaw(): void;
  /** Adds this latency in each direction. */
  delay(ms: number): void;
  /** Resets all connections, like a firewall that lost their state. */
  reset(): void;
  /** Sends FIN on all connections and leaves them open. */
  halfClose(): void;
  /** Refuses new connections and resets the open ones, like a killed server. */
  stop(): void;
  restart(): Promise<void>;
}

/** Starts a proxy in front of `target` until the test ends. */
export async function startTcpProxy(t: ExecutionContext, target: URL): Promise<TcpProxy> {
  const clients = new Set<Socket>();
  const sockets = new Set<Socket>();
  let frozen = false;
  let delayMs = 0;

  const add = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    if (frozen) socket.pause();
  };
  const forward = (from: Socket, to: Socket) => {
    let order = Promise.resolve();
    const inOrder = (work: () => void) => {
      order = order.then(() => (delayMs > 0 ? sleep(delayMs) : undefined)).then(work);
    };
    from.on('data', (data) => inOrder(() => to.writable && to.write(data)));
    from.on('end', () => inOrder(() => to.end()));
    from.on('close', () => to.destroy());
    if (frozen) from.pause();
  };
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const upstream = connect({ port: Number(target.port || 3306), host: target.hostname });
    clients.add(client);
    client.on('close', () => clients.delete(client));
    for (const each of [client, upstream]) add(each);
    forward(client, upstream);
    forward(upstream, client);
  });
  const port = await freePort();
  const start = async () => {
    proxy.listen(port, '127.0.0.1');
    await once(proxy, 'listening');
  };
  await start();
  t.teardown(() => {
    proxy.close();
    for (const each of sockets) each.destroy();
  });
  return {
    port,
    open: () => clients.size,
    freeze() {
      frozen = true;
      for (const each of sockets) each.pause();
    },
    thaw() {
      frozen = false;
      for (const each of sockets) each.resume();
    },
    delay: (ms) => void (delayMs = ms),
    reset: () => clients.forEach((each) => each.resetAndDestroy()),
    halfClose: () => clients.forEach((each) => each.end()),
    stop() {
      proxy.close();
      for (const each of clients) each.resetAndDestroy();
    },
    restart: start,
  };
}
