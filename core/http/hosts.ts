// Which tenant a request is for, and what is answered when it is for none.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { logRequest } from '../log/log.ts';
import { mayReadMetrics, type MetricsPage } from '../log/metrics.ts';
import { notFound, unavailable, type Problem } from '../problem.ts';
import { newId } from '../random.ts';
import type { HealthAnswer } from './health.ts';
import { surfaceAt } from './routes.ts';
import { securityHeaders } from './web.ts';

/** A tenant as hosts see it. */
export interface Guest {
  readonly slug: string;
  readonly hosts: readonly string[];
  /** Undefined while it cannot be served. */
  readonly handle: RequestListener | undefined;
  /** Whether it may be given work. */
  ready(): Promise<HealthAnswer>;
}

export interface HostOptions {
  readonly guests: readonly Guest[];
  readonly draining: () => boolean;
  readonly metrics: MetricsPage;
  readonly metricsToken: string | undefined;
  readonly log: Logger;
}

interface Spoken {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Gives each request to the tenant of its host. Under any other host there is nothing but what machines ask of the whole
 * process: load balancers use its address.
 */
export function byHost(options: HostOptions): RequestListener {
  const guests = new Map(options.guests.flatMap((guest) => guest.hosts.map((host) => [host, guest] as const)));
  return (request, response) => {
    const host = hostOf(request);
    const guest = host === undefined ? undefined : guests.get(host);
    if (guest?.handle) return guest.handle(request, response);
    const spoken = guest ? whileAway(request, guest) : forNobody(request, options);
    spoken.then(
      (answer) => speak(request, response, answer, guest ? options.log.child({ tenant: guest.slug }) : options.log),
      (err: unknown) => {
        options.log.error({ err }, 'a request was not answered');
        response.destroy();
      },
    );
  };
}

/**
 * The host a request names, in small letters, without port and the root's dot. Undefined when it names none, or two: what
 * stands between the browser and us may have believed the other one.
 */
export function hostOf({ headers, headersDistinct, url = '' }: IncomingMessage): string | undefined {
  if (headersDistinct['host']?.length !== 1 || !url.startsWith('/')) return undefined;
  const found = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.exec(headers.host ?? '')?.[1];
  return found?.toLowerCase().replace(/(?<=[a-z0-9])\.$/, '');
}

async function whileAway(request: IncomingMessage, guest: Guest): Promise<Spoken> {
  const path = pathOf(request);
  if (path === '/health') return json({ status: 200, body: { status: 'running' } });
  if (path === '/ready') return json(await guest.ready());
  return problem(path, unavailable());
}

async function forNobody(request: IncomingMessage, options: HostOptions): Promise<Spoken> {
  const path = pathOf(request);
  const { metrics, metricsToken } = options;
  const scrape = { socketAddress: request.socket.remoteAddress, headers: request.headers };
  if (path === '/health') return json({ status: 200, body: { status: 'running' } });
  if (path === '/ready') return json(await readyOfAll(options, mayReadMetrics(scrape, metricsToken)));
  if (path === '/metrics' && mayReadMetrics(scrape, metricsToken)) {
    return { status: 200, type: metrics.contentType, body: await metrics.text() };
  }
  return problem(path, notFound('Resource'));
}

/** The process may be given work as long as one tenant can: the others' visitors read 503 under their own hosts. */
async function readyOfAll({ guests, draining }: HostOptions, details: boolean) {
  if (draining()) return { status: 503, body: { status: 'draining' } };
  const answers = await Promise.all(guests.map(async (guest) => [guest.slug, await guest.ready()] as const));
  const good = answers.some(([, { status }]) => status === 200);
  const starting = answers.some(([, { body }]) => body.status === 'starting');
  const status = good ? 'ready' : starting ? 'starting' : 'failing';
  // Who the customers of this machine are is nobody else's business.
  const tenants = Object.fromEntries(answers.map(([slug, { body }]) => [slug, body]));
  return { status: good ? 200 : 503, body: details ? { status, tenants } : { status } };
}

function json({ status, body }: { readonly status: number; readonly body: unknown }): Spoken {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}

/** Says it in the words of the surface that was asked. */
function problem(path: string, given: Problem): Spoken {
  const { status, body } = surfaceAt(path).surface.problem(given);
  const { headers } = given;
  if (typeof body === 'string') return { status, type: 'text/html; charset=utf-8', body, headers };
  return { ...json({ status, body }), headers };
}

function speak(request: IncomingMessage, response: ServerResponse, spoken: Spoken, log: Logger): void {
  const request_id = newId();
  const { status, type, body, headers = {} } = spoken;
  response.writeHead(status, {
    ...securityHeaders,
    ...headers,
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Request-Id': request_id,
  });
  response.end(body);
  logRequest(log, { request_id, method: request.method ?? '', route: 'none', status, ms: 0 });
}

/** What is asked for; what may only be read counts as nothing when it is written to. */
function pathOf({ url = '', method = '' }: IncomingMessage): string {
  const path = url.split('?')[0] ?? '';
  return ['GET', 'HEAD'].includes(method) || path.includes('/api/') ? path : '/';
}
