import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { createHealth, databaseCheck, type HealthOptions } from '../../packages/log/health.ts';
import { loadGuard } from '../../packages/log/load-guard.ts';
import { createLogger } from '../../packages/log/log.ts';
import { serve, type Handler, type Serving } from '../../packages/server/server.ts';
import { allowSlowBody } from '../../packages/server/slow-bodies.ts';

const log = createLogger({ level: 'silent' });
/** Longer than a shutdown takes on a busy machine: for tests that are not about its deadline. */
const LONG_GRACE_MS = 120_000;

async function startServer(t: ExecutionContext, handler: Handler, quietMs = 50): Promise<Serving> {
  const server = await serve(handler, { host: '127.0.0.1', port: 0, log, quietMs });
  t.teardown(() => server.close(0));
  return server;
}

/** Sends one GET over `agent`; returns the response with its text, or the error code. */
function ask(
  port: number,
  agent: Agent,
  path = '/',
): Promise<{ response?: IncomingMessage; text: string; error?: string }> {
  return new Promise((resolve) => {
    const request = get({ port, host: '127.0.0.1', path, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ response, text }));
      response.on('error', (error: NodeJS.ErrnoException) => resolve({ response, text, error: error.code ?? 'cut' }));
    });
    request.on('error', (error: NodeJS.ErrnoException) => resolve({ text: '', error: error.code ?? error.message }));
  });
}

async function openSocket(t: ExecutionContext, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  t.teardown(() => void socket.destroy());
  await once(socket, 'connect');
  return socket;
}

/** Returns everything the server sends until it closes the connection. */
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (part: Buffer) => (text += part.toString()));
  socket.on('error', () => socket.destroy());
  if (!socket.closed) await once(socket, 'close');
  return text;
}

test('keep-alive clients under load see no aborted request during shutdown', async (t) => {
  let begun = 0;
  const server = await startServer(t, async (_request, response) => {
    begun++;
    await wait(begun % 20);
    response.end('fine');
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 30 });
  t.teardown(() => agent.destroy());
  let whole = 0;
  const errors: string[] = [];
  const client = async () => {
    for (;;) {
      const { response, text, error } = await ask(server.port, agent);
      if (error === 'ECONNREFUSED') return;
      if (error || text !== 'fine') errors.push(error ?? text);
      else whole++;
      // Stops as a load balancer does once it notices. A client that keeps connecting may be reset by the closing
      // socket.
      if (response?.headers.connection === 'close' && performance.now() - started > 100) return;
    }
  };
  let started = Infinity;
  const clients = Array.from({ length: 30 }, client);
  await wait(300);
  started = performance.now();
  await server.close(LONG_GRACE_MS);
  await Promise.all(clients);
  t.true(whole > 10);
  t.is(whole, begun);
  t.deepEqual(errors, []);
});

test('a request in progress finishes with Connection: close, and no new ones are accepted', async (t) => {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const server = await startServer(t, async (request, response) => {
    if (request.url === '/another') return void response.end('in time');
    arrived.resolve();
    await released.promise;
    response.end('late');
  });
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  const answer = ask(server.port, agent);
  await arrived.promise;
  t.false(server.draining);
  const closing = server.close(LONG_GRACE_MS);
  t.true(server.draining);
  t.is(server.close(), closing);
  while ((await ask(server.port, new Agent(), '/another')).error !== 'ECONNREFUSED') await wait(20);
  released.resolve();
  const { response, text } = await answer;
  t.is(text, 'late');
  t.is(response?.headers.connection, 'close');
  await closing;
});

test('idle keep-alive connections do not delay shutdown', async (t) => {
  const server = await startServer(t, (_request, response) => void response.end('fine'));
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  await Promise.all(Array.from({ length: 5 }, () => ask(server.port, agent)));
  await openSocket(t, server.port);
  const started = performance.now();
  await server.close(LONG_GRACE_MS);
  t.true(performance.now() - started < 60_000);
});

const keepBusy = (ms: number) => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

test.serial('connections during shutdown are answered or refused, but never reset', async (t) => {
  const busyTurns = 24;
  const ends: string[] = [];
  for (let at = 0; at < busyTurns; at++) {
    const server = await startServer(t, (_request, response) => void response.end('fine'), 0);
    const closing = server.close(LONG_GRACE_MS);
    for (let turn = 0; turn < at; turn++) {
      await nextTurn();
      keepBusy(2);
    }
    const answer = ask(server.port, new Agent());
    for (let turn = at; turn < busyTurns; turn++) {
      keepBusy(2);
      await nextTurn();
    }
    const { text, error } = await answer;
    ends.push(error ?? text);
    await closing;
  }
  t.deepEqual(new Set(ends), new Set(['fine']));
});

test('the socket stays open while requests arrive, and health checks do not count', async (t) => {
  const server = await startServer(t, (_request, response) => void response.end('fine'), 500);
  let closed = false;
  const closing = server.close(LONG_GRACE_MS).then(() => (closed = true));
  const asked = (path: string) => ask(server.port, new Agent(), path);
  const since = performance.now();
  // Twice as long as the server would stay open without requests.
  while (performance.now() - since < 1000) t.is((await asked('/')).text, 'fine');
  while ((await asked('/ready')).error !== 'ECONNREFUSED');
  await closing;
  t.true(closed);
});

test.serial('a request arriving while the machine is frozen is answered during shutdown', async (t) => {
  const server = await startServer(t, (_request, response) => void response.end('fine'));
  const socket = await openSocket(t, server.port);
  const closing = server.close(LONG_GRACE_MS);
  while ((await ask(server.port, new Agent(), '/ready')).error !== 'ECONNREFUSED');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  // Longer than a connection without a request stays open.
  keepBusy(2500);
  t.true((await readAll(socket)).endsWith('fine'));
  await closing;
});

test('a response still in transit to a slow reader arrives complete', async (t) => {
  const size = 30_000_000;
  const server = await startServer(t, (_request, response) => void response.end(Buffer.alloc(size, 'x')));
  const socket = await openSocket(t, server.port);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'readable');
  const closing = server.close(LONG_GRACE_MS);
  await wait(300);
  const text = await readAll(socket);
  t.is(text.length - text.indexOf('\r\n\r\n') - 4, size);
  await closing;
});

test('anything unfinished at the deadline is cut off', async (t) => {
  const arrived = Promise.withResolvers<void>();
  const server = await startServer(t, () => arrived.resolve());
  const answer = ask(server.port, new Agent());
  await arrived.promise;
  await server.close(300);
  t.is((await answer).error, 'ECONNRESET');
});

for (const [what, bytes] of [
  ['no HTTP', 'hello there\r\n\r\n'],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  ['too large a head', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`],
  ['broken chunks', 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
] as const) {
  test(`${what} returns a plain 400 and closes the connection`, async (t) => {
    const server = await startServer(
      t,
      (request, response) => void request.on('end', () => response.end('fine')).resume(),
    );
    const socket = await openSocket(t, server.port);
    socket.write(bytes);
    const text = await readAll(socket);
    t.regex(text, /^HTTP\/1\.1 400 Bad Request\r\n/);
    t.regex(text, /\r\nConnection: close\r\n/);
    t.true(text.endsWith('\r\n\r\n{"error":"Bad request"}'));
    t.is((await ask(server.port, new Agent())).text, 'fine');
  });
}

test('slow headers end after ten seconds while others are answered', async (t) => {
  const server = await startServer(t, (_request, response) => void response.end('fine'));
  const socket = await openSocket(t, server.port);
  const started = performance.now();
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
  const drip = setInterval(() => socket.writable && socket.write('X-A: b\r\n'), 1000);
  t.teardown(() => clearInterval(drip));
  const text = readAll(socket);
  t.is((await ask(server.port, new Agent())).text, 'fine');
  t.regex(await text, /^HTTP\/1\.1 400 /);
  const seconds = (performance.now() - started) / 1000;
  t.true(seconds > 9, String(seconds));
});

test('a slow body is cut off; an upload when its rate is too low, or after half an hour', async (t) => {
  const bodies = { seconds: 0.3, bytesPerSecond: 1000, uploadSeconds: 1.2 };
  const handler: Handler = (request, response) => {
    if (request.url === '/upload') allowSlowBody(request);
    request.on('end', () => response.end('fine')).resume();
  };
  const start = async (limits: Partial<typeof bodies>) => {
    const options = { host: '127.0.0.1', port: 0, log, quietMs: 50, bodies: { ...bodies, ...limits } };
    const server = await serve(handler, options);
    t.teardown(() => server.close(0));
    return server.port;
  };
  const port = await start({});
  /** Sends a chunk every 50 ms; returns the response, the elapsed time, and the number of chunks sent. */
  const send = async (path: string, { piece, pieces, to = port }: { piece: number; pieces: number; to?: number }) => {
    const socket = await openSocket(t, to);
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${piece * pieces}\r\n\r\n`;
    const started = performance.now();
    socket.write(head);
    const text = readAll(socket);
    let sent = 0;
    for (; sent < pieces && !socket.readableEnded && socket.writable; sent++) {
      socket.write('x'.repeat(piece));
      await wait(50);
    }
    return { status: (await text).slice(9, 12), seconds: (performance.now() - started) / 1000, sent };
  };
  const slow = await send('/', { piece: 500, pieces: 60 });
  t.is(slow.status, '400');
  t.true(slow.sent < 60, String(slow.sent));
  // On a busy machine the pauses are longer: they must neither fill an interval nor hit the limit for all uploads.
  const patient = await start({ seconds: 2, uploadSeconds: 120 });
  t.is((await send('/upload', { piece: 2000, pieces: 50, to: patient })).status, '200');
  t.is((await send('/upload', { piece: 1, pieces: 60 })).status, '400');
  const endless = await send('/upload', { piece: 500, pieces: 100 });
  t.is(endless.status, '400');
  t.true(endless.seconds > 1, String(endless.seconds));
  t.is((await send('/', { piece: 500, pieces: 1 })).status, '200');
});

test('many bodies over one connection leave nothing behind on it', async (t) => {
  const counts: number[] = [];
  const handler: Handler = (request, response) => {
    counts.push(request.socket.listenerCount('close'));
    request.on('end', () => response.end('fine')).resume();
  };
  const server = await serve(handler, { host: '127.0.0.1', port: 0, log, quietMs: 50 });
  t.teardown(() => server.close(0));
  const socket = await openSocket(t, server.port);
  for (let i = 0; i < 15; i++) {
    const answered = once(socket, 'data');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}');
    await answered;
  }
  t.is(counts.length, 15);
  t.is(counts.at(-1), counts[0]);
});

test('a throwing or rejecting handler returns 500 without details', async (t) => {
  const server = await startServer(t, (request) => {
    if (request.url === '/throw') throw new Error('canary');
    return Promise.reject(new Error('canary'));
  });
  for (const path of ['/throw', '/reject']) {
    const { response, text } = await ask(server.port, new Agent(), path);
    t.is(response?.statusCode, 500);
    t.is(text, '{"error":"Internal server error"}');
  }
});

test('a port in use is reported in one sentence', async (t) => {
  const server = await startServer(t, () => {});
  await t.throwsAsync(
    serve(() => {}, { host: '127.0.0.1', port: server.port, log }),
    {
      message: `Cannot listen on HOST 127.0.0.1, PORT ${server.port}: the port is already in use.`,
    },
  );
});

async function startChild(t: ExecutionContext, closeMs: number) {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `const { onSignals } = await import(${JSON.stringify(new URL('../../core/process/signals.ts', import.meta.url).href)});
      const hold = setInterval(() => {}, 1000);
      onSignals(() => new Promise((resolve, reject) => setTimeout(${closeMs} < 0 ? reject : resolve, Math.abs(${closeMs}))));
      console.log('up');`,
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  t.teardown(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

test('a signal closes and exits with 0, even when received twice, and with 1 if closing fails', async (t) => {
  const child = await startChild(t, 300);
  const ended = once(child, 'exit');
  // It receives both at the same moment, however busy the machine is.
  for (const signal of ['SIGSTOP', 'SIGINT', 'SIGTERM', 'SIGCONT'] as const) child.kill(signal);
  t.deepEqual(await ended, [0, null]);
  const failing = await startChild(t, -10);
  const failed = once(failing, 'exit');
  failing.kill('SIGTERM');
  t.deepEqual(await failed, [1, null]);
});

test('a second signal exits at once', async (t) => {
  const child = await startChild(t, 60_000);
  child.kill('SIGTERM');
  await wait(2000);
  child.kill('SIGTERM');
  t.deepEqual(await once(child, 'exit'), [1, null]);
});

const health = (options: Partial<HealthOptions>) =>
  createHealth({ checks: [], started: () => true, draining: () => false, log, ...options });

test('liveness passes while the process runs; readiness fails during start-up and drain', async (t) => {
  const checks = [{ name: 'never', run: () => Promise.reject(new Error('asked too early')) }];
  t.is(health({ checks, started: () => false }).live().status, 200);
  t.deepEqual(await health({ checks, started: () => false }).ready(), { status: 503, body: { status: 'starting' } });
  t.deepEqual(await health({ checks, draining: () => true }).ready(), { status: 503, body: { status: 'draining' } });
});

test('readiness names unresponsive dependencies within 1.5 s', async (t) => {
  const ok = databaseCheck({ ping: async () => true });
  t.deepEqual(await health({ checks: [ok] }).ready(), {
    status: 200,
    body: { status: 'ready', checks: { database: 'ok' } },
  });
  let hanging = 0;
  const sick = health({
    checks: [
      ok,
      databaseCheck({ ping: async () => false }),
      { name: 'redis', run: () => Promise.reject(new Error('gone')) },
      { name: 'disk', run: () => (hanging++, new Promise(() => {})) },
    ],
  });
  const expected = {
    status: 503,
    body: { status: 'failing', checks: { database: 'failed', redis: 'failed', disk: 'timeout' } },
  } as const;
  t.deepEqual(await Promise.all([sick.ready(), sick.ready()]), [expected, expected]);
  t.deepEqual(await sick.ready(), expected);
  t.is(hanging, 1);
});

test.serial('load is shed after sustained event loop lag, not after one long task', async (t) => {
  const guard = loadGuard({ maxDelayMs: 150 });
  t.teardown(() => guard.stop());
  const work = (ms: number) => {
    const until = performance.now() + ms;
    while (performance.now() < until);
  };
  const calm = async () => {
    do await wait(250);
    while (guard.overloaded());
  };
  // On a busy machine, other delays may make a second window late, so one of many attempts must pass.
  let accepted = false;
  for (let i = 0; i < 50 && !accepted; i++) {
    await calm();
    work(600);
    await wait(10);
    accepted = !guard.overloaded();
  }
  t.true(accepted);
  // The delay is sampled every 10 ms, so short turns follow each long task. How many windows these fill depends on the
  // machine; a guard that never reports overload runs into the time limit.
  const lag = async () => {
    do {
      work(600);
      await wait(25);
    } while (!guard.overloaded());
  };
  await lag();
  // Opening databases before the server listens does not count as load.
  guard.forget();
  t.false(guard.overloaded());
  await lag();
  await calm();
});
