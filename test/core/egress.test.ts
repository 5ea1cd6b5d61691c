import { createServer, type Server } from 'node:http';
import { connect, createServer as createTcpServer, type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import test from 'ava';
import { egress, EgressRefused, type EgressPolicy } from '../../packages/security/egress.ts';

const production: EgressPolicy = { allowCidrs: [], loopbackAllowed: false, ownPorts: [] };
const trial: EgressPolicy = { ...production, loopbackAllowed: true };

async function listening(server: Server, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

/** Listens on every address of this machine and counts connections. */
async function trap(): Promise<{ port: number; connections: () => number; close: () => void }> {
  let seen = 0;
  const server = createTcpServer((socket) => {
    seen++;
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
  return { port: (server.address() as AddressInfo).port, connections: () => seen, close: () => server.close() };
}

function evasions(port: number): string[] {
  const hosts = [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '127.0.0.1.',
    '127.255.255.254',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0x7f.0.0.0x1',
    '017700000001',
    '0177.0.0.1',
    '0177.1',
    '00000177.0.0.1',
    '%31%32%37.0.0.1',
    '127%2e0%2e0%2e1',
    '１２７.０.０.１',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '0',
    '0.0.0.0',
    '0.0.0.1',
    '0x0',
    '[::]',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000::0001]',
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::FFFF:0:7F00:1]',
    '[::ffff:0:127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b:1::7f00:1]',
    '[2002:7f00:1::]',
    '[2002:7f00:0001::1]',
    '[2001:0:7f00:1::]',
    '[2001::f5ff:fffe]',
    '[fe80::1]',
    '[fec0::1]',
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[ff02::1]',
    '[100::1]',
    '[2001:db8::1]',
    '[3fff::1]',
    '[5f00::1]',
    '[4000::1]',
    '[2001:2::1]',
    '[::2]',
    '[fe80::1%25lo]',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '100.64.0.1',
    '198.18.0.1',
    '192.0.2.1',
    '192.0.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '192.88.99.1',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'ｌｏｃａｌｈｏｓｔ',
    'a.localhost',
    'ip6-localhost',
    'rebind.example',
    'mixed.example',
    'mapped.example',
    'none.example',
  ];
  return [
    ...hosts.map((host) => `http://${host}:${port}/`),
    `https://127.0.0.1:${port}/`,
    `http:127.0.0.1:${port}`,
    `http:\\\\127.0.0.1:${port}\\`,
    `HTTP://127.0.0.1:${port}`,
    `ht\ntp://127.0.0.1:${port}`,
    `http:///127.0.0.1:${port}`,
    `http://user:pass@127.0.0.1:${port}/`,
    `http://example.com@127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}@public.example/`,
    'http://127.0.0.1:0/',
    'http://public.example:0/',
    `http://public.example#@127.0.0.1:${port}/`.replace('public', 'rebind'),
    `ws://127.0.0.1:${port}/`,
    `ftp://127.0.0.1:${port}/`,
    `gopher://127.0.0.1:${port}/_x`,
    'file:///etc/passwd',
    `unix:///var/run/docker.sock`,
    'data:text/plain,x',
    'javascript:0',
    '',
    'http://',
    '//127.0.0.1',
    'http://[::1',
    `http://127.0.0.1:${port + 65_536}/`,
    'http://8.8.8.8:25/',
    'http://8.8.8.8:22/',
    'https://[2606:4700::1111]:587/',
  ];
}

const names: Record<string, { address: string; family: number }[]> = {
  'rebind.example': [{ address: '127.0.0.1', family: 4 }],
  'mixed.example': [
    { address: '93.184.215.14', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ],
  'mapped.example': [{ address: '::ffff:127.0.0.1', family: 6 }],
  'none.example': [],
};

async function resolve(host: string) {
  if (host in names) return names[host]!;
  const loopback = [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ];
  if (host.replace(/\.$/, '').endsWith('localhost')) return loopback;
  throw new Error(`ENOTFOUND ${host}`);
}

test('no spelling of an internal address is allowed', async (t) => {
  const bait = await trap();
  const out = egress({ ...production, resolve });
  const urls = evasions(bait.port);
  t.true(urls.length >= 60);
  t.log(`${urls.length} URLs`);
  await Promise.all(
    urls.map(async (url) => {
      const error = await t.throwsAsync(out.request(url), undefined, url);
      t.true(error instanceof EgressRefused || /ENOTFOUND/.test(error.message), `${url}: ${error.message}`);
    }),
  );
  t.is(bait.connections(), 0);
  await out.close();
  bait.close();
});

test('the listener used above does accept connections', async (t) => {
  const bait = await trap();
  await new Promise<void>((done) =>
    connect(bait.port, '127.0.0.1')
      .resume()
      .on('close', () => done()),
  );
  t.is(bait.connections(), 1);
  bait.close();
});

test('the check rejects what the URL text reveals', (t) => {
  const out = egress(production);
  for (const url of [
    'https://example.com/hook?x=1',
    'http://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'http://hooks.example.com:8080/',
    'https://bücher.example/',
  ])
    t.is(out.check(url), undefined, url);
  t.is(out.check('http://10.0.0.1/'), 'The URL must point to a public address');
  t.is(out.check('http://u@example.com/'), 'The URL must not contain a username or password');
  t.is(out.check('ftp://example.com/'), 'The URL must start with http:// or https://');
  t.is(out.check('nonsense'), 'The URL is not valid');
});

test('a name is resolved once per connection and not again', async (t) => {
  let asked = 0;
  const server = createServer((_, response) => response.end('hello'));
  const port = await listening(server);
  const out = egress({
    ...trial,
    resolve: async () => [{ address: asked++ === 0 ? '127.0.0.1' : '10.0.0.1', family: 4 }],
  });
  t.is((await out.request(`http://hooks.example:${port}/`)).body, 'hello');
  t.is(asked, 1);
  await out.close();
  server.close();
});

test('trial installations may reach loopback receivers, but never our own ports', async (t) => {
  let heard = '';
  const server = createServer(async (request, response) => {
    heard = `${request.method} ${request.url} ${String(request.headers['x-event'])} ${request.headers.host} `;
    for await (const chunk of request) heard += chunk;
    response.writeHead(201, { 'x-answer': ['a', 'b'] }).end('thanks');
  });
  const port = await listening(server);
  const out = egress(trial);
  const answer = await out.request(`http://localhost:${port}/hook?a=1`, {
    method: 'POST',
    headers: { 'X-Event': 'ticket.created' },
    body: '{"a":1}',
  });
  t.is(heard, `POST /hook?a=1 ticket.created localhost:${port} {"a":1}`);
  t.like(answer, { status: 201, body: 'thanks' });
  t.is(answer.headers['x-answer'], 'a, b');

  const guarded = egress({ ...trial, ownPorts: [port] });
  const listed = egress({ allowCidrs: ['0.0.0.0/0', '::/0'], loopbackAllowed: false, ownPorts: [port] });
  const own = Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .filter(({ family }) => family === 'IPv4');
  const urls = [
    '127.0.0.1',
    '127.9.9.9',
    'localhost',
    '[::1]',
    '[::ffff:7f00:1]',
    '0.0.0.0',
    '[::]',
    ...own.map(({ address }) => address),
  ];
  for (const host of urls)
    for (const way of [guarded, listed])
      await t.throwsAsync(way.request(`http://${host}:${port}/`), { instanceOf: EgressRefused }, host);
  for (const way of [out, guarded, listed]) await way.close();
  server.close();
});

test('a listed internal range is reachable, its neighbours are not', async (t) => {
  const server = createServer((_, response) => response.end('in'));
  const port = await listening(server, '127.0.0.5');
  const out = egress({ ...production, allowCidrs: ['127.0.0.5/32', 'fd00::/8'] });
  t.is((await out.request(`http://127.0.0.5:${port}/`)).body, 'in');
  await t.throwsAsync(out.request(`http://127.0.0.6:${port}/`), { instanceOf: EgressRefused });
  t.is(out.check('http://[fd00::7]:25/'), undefined);
  t.is(out.check('http://[fc00::7]/'), 'The URL must point to a public address');
  await out.close();
  server.close();
});

test('redirects are not followed', async (t) => {
  const bait = await trap();
  const server = createServer((_, response) =>
    response.writeHead(302, { location: `http://127.0.0.1:${bait.port}/` }).end(),
  );
  const port = await listening(server);
  const out = egress(trial);
  const answer = await out.request(`http://127.0.0.1:${port}/`);
  t.like(answer, { status: 302, headers: { location: `http://127.0.0.1:${bait.port}/` } });
  t.is(bait.connections(), 0);
  await out.close();
  server.close();
  bait.close();
});

test('a long response is truncated, and a slow one abandoned', async (t) => {
  const server = createServer((request, response) => {
    if (request.url === '/silent') return;
    if (request.url === '/drip') {
      response.write('x');
      return;
    }
    const flood = () => {
      while (!response.destroyed && response.write('x'.repeat(10_000)));
    };
    response.on('drain', flood);
    flood();
  });
  const port = await listening(server);
  const out = egress(trial);
  t.is((await out.request(`http://127.0.0.1:${port}/flood`)).body.length, 64 * 1024);
  t.is((await out.request(`http://127.0.0.1:${port}/flood`, { maxBytes: 10 })).body, 'xxxxxxxxxx');
  for (const path of ['silent', 'drip']) {
    await t.throwsAsync(out.request(`http://127.0.0.1:${port}/${path}`, { timeoutMs: 200 }), {
      message: 'No response within 0.2 s',
    });
  }
  const hanging = egress({ ...production, resolve: () => new Promise(() => {}) });
  await t.throwsAsync(hanging.request('http://hooks.example/', { timeoutMs: 200 }), {
    message: 'No response within 0.2 s',
  });
  await hanging.close();
  await out.close();
  server.closeAllConnections();
  server.close();
});

test('a request abandoned during name resolution is never sent', async (t) => {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(request.url ?? '');
    response.end();
  });
  const port = await listening(server);
  const looked = Promise.withResolvers<void>();
  const out = egress({
    ...trial,
    resolve: async () => {
      await looked.promise;
      return [{ address: '127.0.0.1', family: 4 }];
    },
  });
  const url = `http://hooks.example:${port}`;
  const asked = out.request(`${url}/early`, { timeoutMs: 50 });
  await t.throwsAsync(asked, { message: 'No response within 0.05 s' });
  looked.resolve();
  await out.request(`${url}/late`);
  t.deepEqual(heard, ['/late']);
  await out.close();
  server.close();
});
