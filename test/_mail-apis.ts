// Microsoft Graph and the Gmail API as far as mailboxes use them, with their quirks: tokens, delta links and histories
// that expire, changes that are reported twice, and pauses that must be respected.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Held {
  readonly id: string;
  /** When it arrived in the inbox; increases with each mail. */
  at: number;
  /** Whether it was moved from another folder. */
  moved: boolean;
  readonly raw: string;
  readonly received: string;
  read: boolean;
  gone: boolean;
}

export interface MailApi {
  readonly url: string;
  deliver(raw: string, folder?: 'inbox' | 'spam'): Held;
  /** Moves a mail to the inbox, as people do with mail found in spam. */
  move(mail: Held): void;
  /** Responds with this status when the mail is fetched; undefined delivers it. */
  withhold(mail: Held, status: number | undefined): void;
  readonly mails: readonly Held[];
  /** Raw mails sent through the API. */
  readonly sent: string[];
  /** How subscriptions to new mail behave, and those that exist. */
  readonly subscriptions: Subscriptions;
  /** Expires all previous delta links and histories. */
  expirePositions(): void;
  /**
   * Responds to all requests with 429 until the pause is over by the test's clock.
   * @param retryAfter seconds or a date
   */
  throttle(retryAfter: number | string | undefined): void;
  /** Number of requests received during a pause. */
  readonly impatient: () => number;
  /** Number of pages of changes listed. */
  readonly listed: () => number;
  /** Number of fetched mails. */
  readonly fetched: () => number;
  stop(): Promise<void>;
}

interface Subscription {
  readonly id: string;
  readonly notificationUrl: string;
  readonly lifecycleNotificationUrl: string;
  readonly resource: string;
  readonly clientState: string;
  expirationDateTime: string;
}

export interface Subscriptions {
  readonly current: Subscription[];
  /** Reaches the application at its public address: returns the status, media type and text of its response. */
  reach: ((url: string, type: string, body: string) => Promise<Reached>) | undefined;
  /** Refuses new ones. */
  refused: boolean;
  /** Sends notifications of a mail that has arrived, to all subscriptions, twice. */
  notify(mail: Held): Promise<readonly Reached[]>;
  /** Reports that a subscription was removed, or must be renewed. */
  tell(lifecycleEvent: string): Promise<readonly Reached[]>;
}

export interface Reached {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

type Holder = (token: string) => { readonly email: string; readonly scope: string } | undefined;

interface Api extends MailApi {
  /** The position of the newest mail. */
  readonly made: () => number;
  readonly handle: { run(request: Request_, respond: Respond): void };
}
interface Request_ {
  readonly method: string;
  readonly url: URL;
  readonly body: string;
  readonly prefer: string;
  /** The signed-in user. */
  readonly email: string;
}
type Respond = (status: number, body?: object | string) => void;

async function start(holderOf: Holder, scope: RegExp): Promise<Api> {
  let [made, impatient, fetched, listed] = [0, 0, 0, 0];
  let pause: number | string | undefined;
  let last = 0;
  const withheld = new Map<string, number>();
  const mails: Held[] = [];
  const sent: string[] = [];
  const subscriptions: Subscriptions = {
    current: [],
    reach: undefined,
    refused: false,
    notify: () => Promise.resolve([]),
    tell: () => Promise.resolve([]),
  };
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
    if (/\/delta$|\/history$/.test(url.pathname)) listed++;
    if (/\$value$|format=raw/.test(url.href)) {
      fetched++;
      const [, status] = [...withheld].find(([id]) => url.pathname.includes(id)) ?? [];
      if (status !== undefined) return respond(status, { error: { message: 'The content cannot be converted.' } });
    }
    const prefer = String(incoming.headers.prefer ?? '');
    const { email } = holder;
    handle.run({ method: incoming.method ?? '', url, body: Buffer.concat(chunks).toString(), prefer, email }, respond);
  };
  // Connections stay open: closing an idle one could meet its next use.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    listener(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const api: Api = {
    handle,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    sent,
    subscriptions,
    deliver(raw, folder = 'inbox') {
      last = Math.max(Date.now(), last + 1);
      const received = new Date(last).toISOString();
      const mail = {
        id: randomUUID(),
        at: folder === 'inbox' ? ++made : Infinity,
        moved: false,
        raw: raw.replaceAll(/\r?\n/g, '\r\n'),
        received,
        read: false,
        gone: false,
      };
      mails.push(mail);
      return mail;
    },
    move: (mail) => Object.assign(mail, { at: ++made, moved: true }),
    made: () => made,
    withhold: (mail, status) => void (status === undefined ? withheld.delete(mail.id) : withheld.set(mail.id, status)),
    expirePositions: () => undefined,
    throttle: (seconds) => (pause = seconds),
    impatient: () => impatient,
    listed: () => listed,
    fetched: () => fetched,
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return api;
}

const headerOf = (raw: string, name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(raw)?.[1]?.trim() ?? '';

const PAGE = 2;

interface Round {
  readonly left: readonly Held[];
  readonly end: number;
}

/** @param now the time by the test's clock, in milliseconds */
export async function startGraph(holderOf: Holder, now: () => number = Date.now): Promise<MailApi> {
  const api = await start(holderOf, /graph\.microsoft\.com\/Mail\.ReadWrite/);
  /** What a link leads to: the remaining pages of a round, or the changes since its end. */
  const rounds = new Map<string, () => Round>();
  let since = '';
  const roundAfter = (after: number): Round => {
    const found = api.mails.filter((each) => each.at > after && each.at < Infinity && !each.gone);
    const listed = found.filter((each) => each.received >= since).toSorted((a, b) => b.at - a.at);
    return { left: listed, end: listed[0]?.at ?? after };
  };
  const link = (url: URL, kind: string, round: () => Round) => {
    const token = randomUUID();
    rounds.set(token, round);
    return `${url.origin}${url.pathname}?${kind}=${token}`;
  };
  const { subscriptions } = api;
  const LONGEST_MS = 4230 * 60 * 1000;
  const post = (to: string, each: Subscription, what: object) => {
    const { id: subscriptionId, clientState, expirationDateTime: subscriptionExpirationDateTime } = each;
    const value = [{ subscriptionId, clientState, subscriptionExpirationDateTime, tenantId: 'acme', ...what }];
    return subscriptions.reach?.(to, 'application/json', JSON.stringify({ value })) ?? Promise.reject(new Error(to));
  };
  subscriptions.notify = (mail) =>
    Promise.all(
      subscriptions.current.flatMap((each) => {
        const resource = `Users/1/Messages/${mail.id}`;
        const what = { changeType: 'created', resource, resourceData: { '@odata.type': '#Microsoft.Graph.Message' } };
        return [1, 2].map(() => post(each.notificationUrl, each, what));
      }),
    );
  subscriptions.tell = (lifecycleEvent) =>
    Promise.all(subscriptions.current.map((each) => post(each.lifecycleNotificationUrl, each, { lifecycleEvent })));
  /** Creates a subscription once the address has returned the token it was sent. */
  async function subscribe(body: string, respond: Respond): Promise<void> {
    const invalid = (message: string) => respond(400, { error: { code: 'InvalidRequest', message } });
    const wanted = JSON.parse(body) as Omit<Subscription, 'id'> & { changeType: string };
    if (subscriptions.refused)
      return respond(403, { error: { code: 'ErrorAccessDenied', message: 'Access is denied.' } });
    if (!wanted.notificationUrl.startsWith('https:')) return invalid('The notification URL must use HTTPS.');
    if (wanted.clientState.length > 128) return invalid('The client state is too long.');
    if (Date.parse(wanted.expirationDateTime) - now() > LONGEST_MS) return invalid('The expiration is too far ahead.');
    if (!/^\/users\/[^/]+\/mailFolders\('inbox'\)\/messages$/.test(wanted.resource))
      return invalid('Unknown resource.');
    const token = `Validation: Testing client application + ${randomUUID()}`;
    const asked = new URL(wanted.notificationUrl);
    asked.searchParams.set('validationToken', token);
    const reached = await subscriptions.reach?.(asked.href, 'text/plain; charset=utf-8', '');
    if (reached?.status !== 200 || reached.text !== token || !reached.type.startsWith('text/plain'))
      return invalid('Subscription validation request failed.');
    const { changeType: _changeType, ...rest } = wanted;
    const made = { id: randomUUID(), ...rest };
    subscriptions.current.push(made);
    const { clientState: _clientState, ...shown } = made;
    return respond(201, shown);
  }
  interface Draft {
    readonly raw: string;
    internetMessageId: string;
  }
  const drafts = new Map<string, Draft>();
  /** Replaces the Message-ID of a mail, as Exchange does. */
  const named = (raw: string, messageId: string) => raw.replace(/^message-id:.*$/im, `Message-ID: ${messageId}`);
  /** Creates, changes, sends or removes a draft. Every other one gets a Message-ID of its own at first. */
  function draft(method: string, id: string, action: string, body: string): [status: number, body?: object] {
    if (id === '') {
      const raw = Buffer.from(body, 'base64').toString();
      const given = headerOf(raw, 'Message-ID');
      const internetMessageId = drafts.size % 2 === 0 ? given : `<${randomUUID()}@replaced.example>`;
      const made = randomUUID();
      drafts.set(made, { raw, internetMessageId });
      return [201, { id: made, isDraft: true, internetMessageId }];
    }
    const its = drafts.get(id);
    if (!its) return [404, { error: { code: 'ErrorItemNotFound' } }];
    if (action === '/send') api.sent.push(named(its.raw, its.internetMessageId));
    if (action === '/send' || method === 'DELETE') drafts.delete(id);
    else Object.assign(its, JSON.parse(body));
    return action === '/send' ? [202] : [method === 'DELETE' ? 204 : 200, {}];
  }
  let expired = 0;
  api.expirePositions = () => rounds.clear();
  api.handle.run = ({ method, url, body, prefer }, respond) => {
    if (url.pathname === '/v1.0/subscriptions' && method === 'POST')
      return void subscribe(body, respond).catch((error: unknown) =>
        respond(500, { error: { message: String(error) } }),
      );
    const [, subscription] = /^\/v1\.0\/subscriptions\/([^/]+)$/.exec(url.pathname) ?? [];
    if (subscription !== undefined) {
      const at = subscriptions.current.findIndex((each) => each.id === subscription);
      const its = subscriptions.current[at];
      if (!its) return respond(404, { error: { code: 'ResourceNotFound', message: 'The object was not found.' } });
      if (method === 'DELETE') {
        subscriptions.current.splice(at, 1);
        return respond(204);
      }
      its.expirationDateTime = (JSON.parse(body) as Pick<Subscription, 'expirationDateTime'>).expirationDateTime;
      const { clientState: _clientState, ...shown } = its;
      return respond(200, shown);
    }
    const path = url.pathname.replace(/^\/v1\.0\/users\/[^/]+/, '');
    if (path === url.pathname) return respond(404);
    if (path === '/mailFolders/inbox') return respond(200, { id: 'inbox' });
    if (path === '/sendMail' && method === 'POST') {
      api.sent.push(named(Buffer.from(body, 'base64').toString(), `<${randomUUID()}@replaced.example>`));
      return respond(202);
    }
    if (!prefer.includes('ImmutableId'))
      return respond(400, { error: { message: 'Ids would change without the immutable-id header' } });
    if (path === '/mailFolders/inbox/messages/delta') {
      const token = url.searchParams.get('$deltatoken') ?? url.searchParams.get('$skiptoken');
      const filter = /ge (\S+)$/.exec(url.searchParams.get('$filter') ?? '')?.[1];
      if (token === null && !filter) return respond(400, { error: { message: 'A filter is required' } });
      if (filter) since = filter;
      const round = token === null ? roundAfter(0) : rounds.get(token)?.();
      // Both occur in practice.
      if (!round) return respond(expired++ % 2 === 0 ? 410 : 400, { error: { code: 'syncStateNotFound' } });
      const [page, left] = [round.left.slice(0, PAGE), round.left.slice(PAGE)];
      const value = page.map(({ id, raw, received }) => ({
        id,
        internetMessageId: headerOf(raw, 'Message-ID'),
        receivedDateTime: received,
        subject: headerOf(raw, 'Subject'),
        from: { emailAddress: { name: '', address: headerOf(raw, 'From') } },
      }));
      const more = left.length > 0;
      const next = more ? () => ({ left, end: round.end }) : () => roundAfter(round.end);
      // Each change is reported twice, newest first.
      return respond(200, {
        value: [...value, ...value],
        [more ? '@odata.nextLink' : '@odata.deltaLink']: link(url, more ? '$skiptoken' : '$deltatoken', next),
      });
    }
    const [, id = '', rest = ''] = /^\/messages(?:\/([^/]+)(.*))?$/.exec(path) ?? [];
    if (id === '' || drafts.has(id)) return respond(...draft(method, id, rest, body));
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
  const now = () => String(1000 + api.made());
  api.expirePositions = () => (oldest = 1001 + api.made());
  api.handle.run = ({ method, url, body, email }, respond) => {
    const path = url.pathname.replace(/^\/gmail\/v1\/users\/me/, '');
    const of = (name: string) => url.searchParams.get(name) ?? '';
    if (path === url.pathname) return respond(404);
    if (path === '/profile') return respond(200, { historyId: now(), emailAddress: email });
    if (path === '/history') {
      const start = Number(of('startHistoryId'));
      if (!start || start < oldest) return respond(404, { error: { message: 'Requested entity was not found.' } });
      const types = url.searchParams.getAll('historyTypes');
      const found = api.mails
        .filter((each) => each.at + 1000 > start && each.at < Infinity && !each.gone)
        .filter(({ moved }) => types.includes(moved ? 'labelAdded' : 'messageAdded'))
        .toSorted((a, b) => a.at - b.at);
      const from = Number(of('pageToken'));
      // Each change is reported twice.
      const history = found.slice(from, from + PAGE).flatMap((each) => {
        const message = { id: each.id };
        const what = each.moved
          ? { labelsAdded: [{ message, labelIds: ['INBOX'] }] }
          : { messagesAdded: [{ message }] };
        const entry = { id: String(each.at + 1000), ...what };
        return [entry, entry];
      });
      const more = found.length > from + PAGE && { nextPageToken: String(from + PAGE) };
      return respond(200, { ...(history.length > 0 && { history }), ...more, historyId: now() });
    }
    if (path === '/messages/send' && method === 'POST') {
      api.sent.push(Buffer.from((JSON.parse(body) as { raw: string }).raw, 'base64url').toString());
      return respond(200, { id: randomUUID() });
    }
    if (path === '/messages') {
      const since = Number(/after:(\d+)/.exec(of('q'))?.[1] ?? 0) * 1000;
      const found = api.mails.filter((each) => !each.gone && each.at < Infinity && Date.parse(each.received) >= since);
      return respond(200, { messages: found.toReversed().map(({ id }) => ({ id })) });
    }
    const [, id = '', action = ''] = /^\/messages\/([^/]+)\/?(.*)$/.exec(path) ?? [];
    const mail = api.mails.find((each) => each.id === id && !each.gone);
    if (!mail) return respond(404, { error: { message: 'Requested entity was not found.' } });
    if (action === 'modify') mail.read = body.includes('UNREAD');
    if (action === 'trash') mail.gone = true;
    const facts = {
      id,
      labelIds: ['INBOX', 'UNREAD'],
      snippet: 'the "raw": "text" of it',
      sizeEstimate: mail.raw.length,
    };
    const raw = of('format') === 'raw' && { raw: Buffer.from(mail.raw).toString('base64url') };
    return respond(200, { ...facts, ...raw, internalDate: String(Date.parse(mail.received)) });
  };
  return api;
}
