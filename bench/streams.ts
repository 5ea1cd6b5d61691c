// Opens many server-sent event streams and reads raw bytes: a client library would cost more than the measured work.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Streams {
  /** Returns the changes received since the last call, over all streams. */
  told(): number;
  close(): void;
}

/** Opens a stream per token, a few at a time, and waits until all are open. */
export async function openStreams(port: number, path: string, tokens: readonly string[]): Promise<Streams> {
  let told = 0;
  const sockets: Socket[] = [];
  const open = async (token: string): Promise<void> => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${token}\r\n\r\n`);
    const [first] = (await once(socket, 'data')) as [Buffer];
    if (!first.toString('latin1').startsWith('HTTP/1.1 200')) throw new Error(first.toString('latin1').slice(0, 300));
    socket.on('data', (data: Buffer) => {
      for (let at = data.indexOf('event: change'); at >= 0; at = data.indexOf('event: change', at + 1)) told++;
    });
  };
  for (let i = 0; i < tokens.length; i += 50) await Promise.all(tokens.slice(i, i + 50).map(open));
  return {
    told() {
      const since = told;
      told = 0;
      return since;
    },
    close: () => sockets.forEach((each) => each.destroy()),
  };
}
