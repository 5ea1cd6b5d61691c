// Runs many chats at once through two processes and restarts one of them (FT-20). CHATS sets the number.
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { newId } from '../../packages/kit/random.ts';
import { signInMany, type Tokens } from './_chatters.ts';
import { quantile, spread } from './_figures.ts';
import { freePort, startNode } from './_node.ts';
import { engine, makePlace } from './_place.ts';
import { client, type Client, type Request } from './_send.ts';

const CHATS = Number(process.env['CHATS'] ?? 30);
const MESSAGES = 4;
/** Connections per process, shared by all clients. */
const CONNECTIONS = 64;

interface Message {
  readonly message_id: number;
  readonly sender_type: string;
  readonly message: string;
  readonly created_at: string;
}

test.serial(`${CHATS} concurrent chats: every message arrives once and in order (FT-20, ${engine})`, async (t) => {
  t.timeout(300_000);
  const place = await makePlace(t);
  const ports = [await freePort(), await freePort()];
  const people = await signInMany(place, ports, CHATS);
  const nodes = ports.map((port) => startNode(t, place, port));
  await Promise.all(nodes.map((each) => each.ready()));
  const http = client(CONNECTIONS);
  t.teardown(() => http.close());
  const times: number[] = [];
  const ask = asker(
    http,
    nodes.map((each) => each.url),
    times,
  );
  const since = performance.now();
  const chats = await Promise.all(
    people.map(async (tokens) => ({
      tokens,
      chat_id: (await ask({ method: 'POST', path: `${portal}/start`, tokens })).chat_id,
    })),
  );
  const progress = { sent: 0 };
  const talking = chats.flatMap(({ tokens, chat_id }) => [
    sendAll(ask, { tokens, path: `${portal}/${chat_id}/messages`, what: 'user' }, progress),
    sendAll(ask, { tokens: [place.key, place.key], path: `${staff}&id=${chat_id}`, what: 'agent' }, progress),
  ]);
  const reading = chats.map((each) => readAll(ask, each));
  while (progress.sent < (CHATS * MESSAGES * 2) / 3) await sleep(5);
  const code = await nodes[0]?.end('SIGTERM');
  await startNode(t, place, ports[0] ?? 0).ready();
  await Promise.all(talking);
  const heard = await Promise.all(reading);
  const seconds = (performance.now() - since) / 1000;
  t.is(code, 0);
  for (const messages of heard) checkOrder(t, messages);
  t.log(
    `FT-20 ${engine}: ${CHATS} chats, ${CHATS * MESSAGES * 2} messages through 2 processes in ${seconds.toFixed(1)} s,`,
    `${times.length} requests, ${spread(times)}, p99 ${Math.round(quantile(times, 0.99))} ms`,
  );
});

const portal = '/helpdesk/api/v1/chat';
const staff = '/admin/api/v1/chat/sessions.php?action=messages';

type Ask = (request: Omit<Request, 'token'> & { readonly tokens: Tokens }) => Promise<any>;

/** Sends to the processes in turn and retries while one is down or busy, with an idempotency key as clients do. */
function asker(http: Client, urls: readonly string[], times: number[]): Ask {
  let turn = 0;
  return async ({ tokens, ...request }) => {
    const idempotencyKey = request.method === 'POST' ? newId() : undefined;
    for (let tries = 0; ; tries++) {
      const at = turn++ % urls.length;
      const sent = await http
        .send(urls[at] ?? '', { ...request, token: tokens[at] ?? '', ...(idempotencyKey && { idempotencyKey }) })
        .catch(() => ({ status: 503, text: '', ms: 0 }));
      if (sent.status === 200 || sent.status === 201) {
        times.push(sent.ms);
        return JSON.parse(sent.text);
      }
      // The response was lost with the stopped process; the message is stored.
      if (sent.text.includes('already carried out')) return {};
      const again = [409, 429, 503].includes(sent.status) || sent.text.includes('still running');
      if (!again || tries > 500) throw new Error(`${request.path}: ${sent.status} ${sent.text}`);
      // An immediate retry after a 429 stays over the limit.
      await sleep(sent.status === 429 ? 1000 : 50);
    }
  };
}

async function sendAll(
  ask: Ask,
  { tokens, path, what }: { tokens: Tokens; path: string; what: string },
  progress: { sent: number },
): Promise<void> {
  for (let i = 0; i < MESSAGES; i++) {
    await ask({ method: 'POST', path, tokens, body: { message: `${what} ${i}` } });
    progress.sent++;
  }
}

/** Returns the messages a client receives that continues from the last one each time. */
async function readAll(ask: Ask, { tokens, chat_id }: { tokens: Tokens; chat_id: number }): Promise<Message[]> {
  const heard: Message[] = [];
  for (;;) {
    const last = heard.at(-1)?.created_at;
    const query = last ? `?per_page=100&since=${last}` : '?per_page=100';
    const { messages } = await ask({ method: 'GET', path: `${portal}/${chat_id}/messages${query}`, tokens });
    heard.push(...messages);
    if (heard.filter((each) => /^(?:user|agent) \d+$/.test(each.message)).length >= MESSAGES * 2) return heard;
    await sleep(200);
  }
}

function checkOrder(t: ExecutionContext, heard: readonly Message[]): void {
  for (const what of ['user', 'agent'])
    t.deepEqual(
      heard.filter((each) => each.sender_type === what).map((each) => each.message),
      Array.from({ length: MESSAGES }, (_, i) => `${what} ${i}`),
    );
  t.is(new Set(heard.map((each) => each.message_id)).size, heard.length);
  t.true(heard.every((each, i) => i === 0 || each.created_at > (heard[i - 1]?.created_at ?? '')));
}
