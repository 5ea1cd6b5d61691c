// Connections while a server shuts down.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { Duplex } from 'node:stream';
import test from 'ava';
import { trackConnections } from '../../packages/server/connections.ts';

test('a connection arriving while the server closes idle ones is closed too', async (t) => {
  const server = createServer();
  const connections = trackConnections(server);
  server.closeIdleConnections();
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  server.emit('connection', socket);
  t.is(connections.size, 1);
  await once(socket, 'close');
  t.is(connections.size, 0);
});
