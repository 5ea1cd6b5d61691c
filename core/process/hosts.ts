// Which tenant a request is for, and what is answered when it is for none.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { requestLog } from '../log/log.ts';
import { mayReadMetrics, type MetricsPage } from '../log/metrics.ts';
import { notFound, unavailable, type Problem } from '../kit/problem.ts';
import { newId } from '../kit/random.ts';
import type { HealthAnswer } from '../log/health.ts';
import { surfaceAt } from '../http/routes.ts';
import { securityHeaders } from '../http/web.ts';

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
      (answer) =>
        surfaceApi(request, response, answer, guest ? options.log.child({ tenant: guest.slug }) : options.log),
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
  if (reads(request, '/health')) return running();
  if (reads(request, '/ready')) return json(await guest.ready());
  return problem(request, unavailable());
}

async function forNobody(request: IncomingMessage, options: HostOptions): Promise<Spoken> {
  const { metrics, metricsToken } = options;
  const insider = mayReadMetrics(
    { socketAddress: request.socket.remoteAddress, headers: request.headers },
    metricsToken,
  );
  if (reads(request, '/health')) return running();
  if (reads(request, '/ready')) return json(await readyOfAll(options, insider));
  if (reads(request, '/metrics') && insider) {
    return { status: 200, type: metrics.contentType, body: await metrics.text() };
  }
  return problem(request, notFound('Resource'));
}

const running = () => json({ status: 200, body: { status: 'running' } });

function reads({ method, url }: IncomingMessage, path: string): boolean {
  return (method === 'GET' || method === 'HEAD') && url?.split('?')[0] === path;
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
function problem({ url = '' }: IncomingMessage, given: Problem): Spoken {
  const { status, body } = surfaceAt(url.split('?')[0] ?? '').surface.problem(given);
  const { headers } = given;
  if (typeof body === 'string') return { status, type: 'text/html; charset=utf-8', body, headers };
  return { ...json({ status, body }), headers };
}

function surfaceApi(request: IncomingMessage, response: ServerResponse, spoken: Spoken, log: Logger): void {
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
  requestLog(log)({ request_id, method: request.method ?? '', route: 'none', status, ms: 0 });
}
