// @keelson/mcp with the official client, against a running server.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { serveOnHttp } from '@keelson/mcp';
import { startApp, type TestApp } from '@keelson/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import test, { type ExecutionContext } from 'ava';
import { addressOf, operationsAt } from '../packages/mcp/operations.ts';
import { makeFolder } from './_folder.ts';
import { seedKey } from './accounts-seed.ts';
import { seedEmployee, seedTicket } from './tickets-seed.ts';

type Person = (message: string) => 'confirm' | 'decline';

interface Assistant {
  /** Calls a tool; returns the text of its result. */
  use(tool: string, given: Record<string, unknown>): Promise<{ text: string; failed: boolean }>;
  readonly client: Client;
}

/** The protocol versions: this year's, and the previous one, in which the server asks over an open session. */
type Era = 'modern' | 'legacy';

function newClient(era: Era, person: Person | undefined): Client {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      capabilities: person ? { elicitation: { form: {} } } : {},
      versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
    },
  );
  if (person) {
    client.setRequestHandler('elicitation/create', (request) =>
      person(request.params.message) === 'confirm'
        ? { action: 'accept', content: { confirm: true } }
        : { action: 'decline' },
    );
  }
  return client;
}

function assistantOf(client: Client): Assistant {
  return {
    client,
    async use(name, given) {
      const result = await client.callTool({ name, arguments: given });
      const [first] = result.content;
      return { text: first?.type === 'text' ? first.text : '', failed: result.isError === true };
    },
  };
}

async function overHttp(t: ExecutionContext, app: TestApp, key: string, person?: Person): Promise<Assistant> {
  const server = await serveOnHttp({ url: app.url, version: '1.2.3', host: '127.0.0.1', port: 0 });
  t.teardown(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const client = newClient('modern', person);
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    }),
  );
  t.teardown(() => client.close());
  return assistantOf(client);
}

async function overStdio(t: ExecutionContext, app: TestApp, key: string, person?: Person): Promise<Assistant> {
  const folder = makeFolder(t);
  const file = join(folder, 'key');
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  const client = newClient('legacy', person);
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [resolve('cli.js'), 'mcp', '--url', app.url, '--key-file', file],
      env: { PATH: process.env['PATH'] ?? '', DATA_DIR: folder },
    }),
  );
  t.teardown(() => client.close());
  return assistantOf(client);
}

async function count(app: TestApp): Promise<number> {
  const { api_key } = await seedKey(app, 'admin', ['tickets:read']);
  const answer = await fetch(`${app.url}/admin/api/v1/tickets.php`, {
    headers: { Authorization: `Bearer ${api_key}` },
  });
  return ((await answer.json()) as { pagination: { total: number } }).pagination.total;
}

test('over HTTP: a body from anyone is bounded, with or without its length', async (t) => {
  const server = await serveOnHttp({ url: 'http://127.0.0.1:9', version: '1.2.3', host: '127.0.0.1', port: 0 });
  t.teardown(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const send = (body: BodyInit) =>
    fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: { Authorization: 'Bearer anyone', 'Content-Type': 'application/json', Accept: 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit);
  t.is((await send(' '.repeat(2_000_000))).status, 413);
  let [sent, large] = [0, false];
  const endless = new ReadableStream({
    pull(controller) {
      sent += 65_536;
      if (sent > 64 * 1024 * 1024) return controller.close();
      controller.enqueue(new Uint8Array(65_536).fill(32));
    },
  });
  await send(endless).then(
    ({ status }) => (large = status >= 400),
    () => (large = true),
  );
  t.true(large);
  t.true(sent < 32 * 1024 * 1024, `${sent} bytes were taken`);

  // Its connection is closed, so that no further request waits on it.
  const socket = connect(port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  let answer = '';
  socket.on('data', (bytes) => (answer += bytes.toString()));
  socket.write('POST /mcp HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer anyone\r\nContent-Type: application/json\r\n');
  socket.write('Accept: application/json, text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n');
  socket.write(`200000\r\n${' '.repeat(0x20_00_00)}\r\n`);
  await once(socket, 'close');
  t.regex(answer, /^HTTP\/1\.1 400 [^]*connection: close/i);
});

test('the operations are revalidated once a minute, and kept while the installation is away', async (t) => {
  let [now, version, down] = [0, 1, false];
  const answered: number[] = [];
  const server = createServer((request, response) => {
    const etag = `"${version}"`;
    const status = down ? 503 : request.headers['if-none-match'] === etag ? 304 : 200;
    answered.push(status);
    const paths = { '/tickets.php': { get: { operationId: `listTickets${version}` } } };
    // A connection that is kept open may be closed by the server just as it is used again.
    response
      .writeHead(status, { ETag: etag, Connection: 'close' })
      .end(status === 200 ? JSON.stringify({ paths }) : '');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const operations = operationsAt(`http://127.0.0.1:${port}/openapi.json`, () => now);
  const ids = async () => (await operations('vsa_x')).map(({ id }) => id);

  t.deepEqual(await Promise.all([ids(), ids()]), [['listTickets1'], ['listTickets1']]);
  t.deepEqual(await ids(), ['listTickets1']);
  t.deepEqual(answered, [200]);
  now += 60_000;
  t.deepEqual(await ids(), ['listTickets1']);
  t.deepEqual(answered, [200, 304]);
  version = 2;
  t.deepEqual(await ids(), ['listTickets1']);
  now += 60_000;
  t.deepEqual(await ids(), ['listTickets2']);
  [now, down] = [now + 60_000, true];
  t.deepEqual(await ids(), ['listTickets2']);
  [version, down] = [3, false];
  t.deepEqual(await ids(), ['listTickets3']);
  t.deepEqual(answered, [200, 304, 200, 503, 200]);
});

test('no argument leads to another operation', (t) => {
  const operation = {
    id: 'deletePhase',
    method: 'DELETE',
    path: '/projects/{id}/phases/{phase_id}',
    title: 'Delete a phase',
    parameters: ['id', 'phase_id'].map((name) => ({ name, in: 'path', required: true, schema: {} }) as const),
    body: undefined,
  } as const;
  t.is(addressOf(operation, { id: 1, phase_id: 'a/b' }), '/projects/1/phases/a%2Fb');
  for (const phase_id of ['..', '.', ''])
    t.throws(() => addressOf(operation, { id: 1, phase_id }), {
      message: 'The argument phase_id must be the id of a record',
    });
});

test('the given arguments form the query, and unknown and missing ones are named', (t) => {
  const operation = {
    id: 'listTickets',
    method: 'GET',
    path: '/tickets',
    title: 'List tickets',
    parameters: [
      { name: 'company_number', in: 'query', required: true, schema: {} },
      { name: 'status', in: 'query', required: false, schema: {} },
      { name: 'search', in: 'query', required: false, schema: {} },
    ],
    body: undefined,
  } as const;
  t.is(
    addressOf(operation, { company_number: 7, search: 'R&D = new' }),
    '/tickets?company_number=7&search=R%26D+%3D+new',
  );
  t.throws(() => addressOf(operation, { company_number: 7, state: 'open' }), {
    message: 'listTickets has no argument state',
  });
  t.throws(() => addressOf(operation, { status: 'open' }), {
    message: 'listTickets needs the argument company_number',
  });
});

for (const [way, connect] of Object.entries({ HTTP: overHttp, stdio: overStdio })) {
  test(`over ${way}: search and read with the permissions of the key, change after confirmation`, async (t) => {
    const app = await startApp(t);
    const employee = await seedEmployee(app);
    const ticket = await seedTicket(app, { company_number: employee.company_number, subject: 'Zeppelin printer' });
    const { api_key } = await seedKey(app, 'admin', ['tickets:read', 'tickets:write']);
    const asked: string[] = [];
    const will: { say: 'confirm' | 'decline' } = { say: 'decline' };
    const { use, client } = await connect(t, app, api_key, (message) => {
      asked.push(message);
      return will.say;
    });
    t.deepEqual((await client.listTools()).tools.map(({ name }) => name).toSorted(), [
      'change',
      'find_operations',
      'read',
      'search',
    ]);

    await app.app.indexer.drain();
    t.regex((await use('search', { q: 'zeppelin' })).text, /Zeppelin printer/);
    const found = await use('find_operations', { words: 'create a ticket' });
    const [best] = JSON.parse(found.text) as { id: string; method: string; body: { required: string[] } }[];
    t.like(best, { id: 'createTicket', method: 'POST' });
    t.regex((await use('read', { operation: 'getTicket', arguments: { id: ticket.ticket_id } })).text, /Zeppelin/);
    const refused = await use('read', { operation: 'listCompanies' });
    t.true(refused.failed);
    t.regex(refused.text, /Insufficient permissions/);
    t.deepEqual(asked, [], 'reading asks nobody');

    const body = { subject: 'From an assistant', description: 'Hello', company_number: employee.company_number };
    const before = await count(app);
    t.regex((await use('change', { operation: 'createTicket', body })).text, /nothing was changed/);
    t.is(await count(app), before);
    t.regex(asked[0] ?? '', /POST \/tickets\.php[^]*From an assistant/);

    will.say = 'confirm';
    t.regex((await use('change', { operation: 'createTicket', body })).text, /"ticket_id"/);
    t.is(await count(app), before + 1);
    const wrong = await use('change', { operation: 'createTicket', body: { subject: 'No company' } });
    t.true(wrong.failed);
    t.regex(wrong.text, /company_number/);
    t.is(await count(app), before + 1);
  });

  test(`over ${way}: an assistant that cannot ask its user changes nothing`, async (t) => {
    const app = await startApp(t);
    const employee = await seedEmployee(app);
    const { api_key } = await seedKey(app, 'admin', ['tickets:read', 'tickets:write']);
    const { use } = await connect(t, app, api_key);
    const body = { subject: 'Sneaky', description: 'Hello', company_number: employee.company_number };
    const tried = await use('change', { operation: 'createTicket', body }).catch((error: unknown) => ({
      text: String(error),
      failed: true,
    }));
    t.true(tried.failed, tried.text);
    t.is(await count(app), 0);
  });
}

test('a request without a key is rejected, and a wrong key reads nothing', async (t) => {
  const app = await startApp(t);
  const server = await serveOnHttp({ url: app.url, version: '1.2.3', host: '127.0.0.1', port: 0 });
  t.teardown(() => void server.close());
  const { port } = server.address() as AddressInfo;
  t.is((await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', body: '{}' })).status, 401);
  const { use } = await overHttp(t, app, 'vsa_wrong');
  t.true((await use('search', { q: 'zeppelin' })).failed);
});
