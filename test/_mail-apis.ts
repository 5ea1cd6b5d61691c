// Microsoft Graph and the Gmail API as far as mailboxes use them, with their rules: tokens, delta links and histories
// that expire, notifications that come twice, and pauses that must be kept.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Held {
  readonly id: string;
  /** Rises with each mail. */
  readonly at: number;
  readonly raw: string;
  readonly received: string;
  read: boolean;
  gone: boolean;
}

export interface MailApi {
  readonly url: string;
  deliver(raw: string): Held;
  readonly mails: readonly Held[];
  /** Raw mails that were sent. */
  readonly sent: string[];
  /** Ends the delta links and histories so far. */
  expirePositions(): void;
  /** Answers all requests with 429 until the pause is over by the test's clock. */
  throttle(seconds: number | undefined): void;
  /** Number of requests that came during a pause. */
  readonly impatient: () => number;
  /** Number of mails that were fetched. */
  readonly fetched: () => number;
  stop(): Promise<void>;
}

type Holder = (token: string) => { readonly email: string; readonly scope: string } | undefined;

interface Api extends MailApi {
  readonly handle: { run(request: Request_, respond: Respond): void };
}
interface Request_ {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
  readonly prefer: string;
  /** Who has signed in. */
  readonly email: string;
}
type Respond = (status: number, body?: object | string) => void;

async function start(holderOf: Holder, scope: RegExp): Promise<Api> {
  let [made, impatient, fetched] = [0, 0, 0];
  let pause: number | undefined;
  const mails: Held[] = [];
  const sent: string[] = [];
  const handle = { run: (_request: Request_, respond: Respond) => respond(500) };
  const listener = async (incoming: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const respond: Respond = (status, body = '') => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      response.writeHead(status, pause === undefined ? {} : { 'Retry-After': String(pause) }).end(text);
    };
    const token = /^Bearer (.+)$/.exec(incoming.headers.authorization ?? '')?.[1] ?? '';
    const holder = holderOf(token);
    if (!holder)
      return respond(401, { error: { code: 'InvalidAuthenticationToken', message: 'Access token has expired.' } });
    if (!scope.test(holder.scope)) return respond(403, { error: { message: 'Insufficient scope' } });
    if (pause !== undefined) {
      impatient++;
      return respond(429, { error: { code: 'TooManyRequests', message: 'Too many requests' } });
    }
    const url = new URL(incoming.url ?? '/', api.url);
    if (/\$value$|format=raw/.test(url.href)) fetched++;
    const prefer = String(incoming.headers.prefer ?? '');
    const { email } = holder;
    handle.run({ method: incoming.method ?? '', url, body: Buffer.concat(chunks).toString(), prefer, email }, respond);
  };
  const server = createServer((request, response) => {
    listener(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const api: Api = {
    handle,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    sent,
    deliver(raw) {
      const received = new Date().toISOString();
      const mail = {
        id: randomUUID(),
        at: ++made,
        raw: raw.replaceAll(/\r?\n/g, '\r\n'),
        received,
        read: false,
        gone: false,
      };
      mails.push(mail);
      return mail;
    },
    expirePositions: () => undefined,
    throttle: (seconds) => (pause = seconds),
    impatient: () => impatient,
    fetched: () => fetched,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return api;
}

const headerOf = (raw: string, name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(raw)?.[1]?.trim() ?? '';

export async function startGraph(holderOf: Holder): Promise<MailApi> {
  const api = await start(holderOf, /graph\.microsoft\.com\/Mail\.ReadWrite/);
  const PAGE = 2;
  let valid = new Set<string>();
  const link = (url: URL, kind: string, after: number) => {
    const token = `${randomUUID()}.${after}`;
    valid.add(token);
    return `${url.origin}${url.pathname}?${kind}=${token}`;
  };
  const sinceOf = new Map<string, string>();
  api.expirePositions = () => (valid = new Set());
  api.handle.run = ({ method, url, body, prefer }, respond) => {
    const path = url.pathname.replace(/^\/v1\.0\/users\/[^/]+/, '');
    if (path === url.pathname) return respond(404);
    if (path === '/mailFolders/inbox') return respond(200, { id: 'inbox' });
    if (path === '/sendMail' && method === 'POST') {
      api.sent.push(Buffer.from(body, 'base64').toString());
      return respond(202);
    }
    if (!prefer.includes('ImmutableId')) return respond(400, { error: { message: 'Ids would change' } });
    if (path === '/mailFolders/inbox/messages/delta') {
      const token = url.searchParams.get('$deltatoken') ?? url.searchParams.get('$skiptoken');
      if (token !== null && !valid.has(token)) return respond(410, { error: { code: 'syncStateNotFound' } });
      const filter = /ge (\S+)$/.exec(url.searchParams.get('$filter') ?? '')?.[1];
      if (token === null && !filter) return respond(400, { error: { message: 'A filter is expected' } });
      const after = Number(token?.split('.')[1] ?? 0);
      if (filter) sinceOf.set('since', filter);
      const since = sinceOf.get('since') ?? '';
      const found = api.mails.filter((each) => each.at > after && !each.gone && each.received >= since);
      const page = found.slice(0, PAGE);
      const value = page.map(({ id, raw, received }) => ({
        id,
        internetMessageId: headerOf(raw, 'Message-ID'),
        receivedDateTime: received,
        subject: headerOf(raw, 'Subject'),
        from: { emailAddress: { name: '', address: headerOf(raw, 'From') } },
      }));
      const end = page.at(-1)?.at ?? after;
      const last = found.length <= PAGE;
      // Each change is notified twice.
      return respond(200, {
        value: [...value, ...value],
        [last ? '@odata.deltaLink' : '@odata.nextLink']: link(url, last ? '$deltatoken' : '$skiptoken', end),
      });
    }
    const [, id = '', rest = ''] = /^\/messages\/([^/]+)(.*)$/.exec(path) ?? [];
    const mail = api.mails.find((each) => each.id === id && !each.gone);
    if (!mail) return respond(404, { error: { code: 'ErrorItemNotFound' } });
    if (rest === '/$value') return respond(200, mail.raw);
    if (method === 'PATCH') mail.read = (JSON.parse(body) as { isRead: boolean }).isRead;
    if (method === 'DELETE') mail.gone = true;
    return respond(method === 'DELETE' ? 204 : 200, {});
  };
  return api;
}

export async function startGmail(holderOf: Holder): Promise<MailApi> {
  const api = await start(holderOf, /auth\/gmail\.modify/);
  let oldest = 0;
  const now = () => String(1000 + api.mails.length);
  api.expirePositions = () => (oldest = 1001 + api.mails.length);
  api.handle.run = ({ method, url, body, email }, respond) => {
    const path = url.pathname.replace(/^\/gmail\/v1\/users\/me/, '');
    const of = (name: string) => url.searchParams.get(name) ?? '';
    if (path === url.pathname) return respond(404);
    if (path === '/profile') return respond(200, { historyId: now(), emailAddress: email });
    if (path === '/history') {
      const start = Number(of('startHistoryId'));
      if (!start || start < oldest) return respond(404, { error: { message: 'Requested entity was not found.' } });
      const found = api.mails.filter((each) => each.at + 1000 > start && !each.gone);
      // Each change is notified twice.
      const history = found.flatMap((each) => {
        const entry = { id: String(each.at + 1000), messagesAdded: [{ message: { id: each.id } }] };
        return [entry, entry];
      });
      return respond(200, { ...(history.length > 0 && { history }), historyId: now() });
    }
    if (path === '/messages/send' && method === 'POST') {
      api.sent.push(Buffer.from((JSON.parse(body) as { raw: string }).raw, 'base64url').toString());
      return respond(200, { id: randomUUID() });
    }
    if (path === '/messages') {
      const since = Number(/after:(\d+)/.exec(of('q'))?.[1] ?? 0) * 1000;
      const found = api.mails.filter((each) => !each.gone && Date.parse(each.received) >= since);
      return respond(200, { messages: found.toReversed().map(({ id }) => ({ id })) });
    }
    const [, id = '', action = ''] = /^\/messages\/([^/]+)\/?(.*)$/.exec(path) ?? [];
    const mail = api.mails.find((each) => each.id === id && !each.gone);
    if (!mail) return respond(404, { error: { message: 'Requested entity was not found.' } });
    if (action === 'modify') mail.read = body.includes('UNREAD');
    if (action === 'trash') mail.gone = true;
    const raw = Buffer.from(mail.raw).toString('base64url');
    return respond(200, { id, raw, labelIds: ['INBOX', 'UNREAD'], internalDate: String(Date.parse(mail.received)) });
  };
  return api;
}
