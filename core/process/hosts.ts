// Routes a request to its tenant by host, and answers requests for unknown hosts.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { notFound, unavailable, type Problem } from '@keelson/kit/problem.ts';
import { newId } from '@keelson/kit/random.ts';
import { probePaths, type HealthAnswer } from '@keelson/log/health.ts';
import { requestLog } from '@keelson/log/log.ts';
import { mayReadMetrics, type MetricsPage } from '@keelson/log/metrics.ts';
import type { Logger } from 'pino';
import { always } from '../http/middleware/security-headers.ts';
import { surfaceAt } from '../http/routing/routes.ts';

/** A tenant and its hosts. */
export interface HostedTenant {
  readonly slug: string;
  readonly hosts: readonly string[];
  /** Undefined while it cannot serve requests. */
  readonly handle: RequestListener | undefined;
  /** Returns its response to /ready. */
  ready(): Promise<HealthAnswer>;
}

export interface HostOptions {
  readonly tenants: readonly HostedTenant[];
  readonly draining: () => boolean;
  readonly metrics: MetricsPage;
  readonly metricsToken: string | undefined;
  readonly log: Logger;
}

interface PlainAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Passes each request to the tenant of its host. Any other host, such as the address a load balancer uses, answers only
 * the probes of the whole process.
 */
export function byHost(options: HostOptions): RequestListener {
  const tenants = new Map(options.tenants.flatMap((tenant) => tenant.hosts.map((host) => [host, tenant] as const)));
  return (request, response) => {
    const host = hostOf(request);
    const tenant = host === undefined ? undefined : tenants.get(host);
    if (tenant?.handle) return tenant.handle(request, response);
    const log = tenant ? options.log.child({ tenant: tenant.slug }) : options.log;
    const answering = tenant ? answerWithout(request, tenant) : answerUnknownHost(request, options);
    answering.then(
      (answer) => send(request, response, answer, log),
      (err: unknown) => {
        options.log.error({ err }, 'a request got no response');
        response.destroy();
      },
    );
  };
}

/**
 * Returns a request's host in lower case, without port or trailing dot. Undefined if there is no host, or more than
 * one: a proxy in front may have used the other.
 */
export function hostOf({ headers, headersDistinct, url = '' }: IncomingMessage): string | undefined {
  if (headersDistinct['host']?.length !== 1 || !url.startsWith('/')) return undefined;
  const found = /^([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i.exec(headers.host ?? '')?.[1];
  return found?.toLowerCase().replace(/(?<=[a-z0-9])\.$/, '');
}

/** Responds for a tenant that cannot serve requests. */
async function answerWithout(request: IncomingMessage, tenant: HostedTenant): Promise<PlainAnswer> {
  if (reads(request, probePaths.health)) return running();
  if (reads(request, probePaths.ready)) return json(await tenant.ready());
  return problem(request, unavailable());
}

async function answerUnknownHost(request: IncomingMessage, options: HostOptions): Promise<PlainAnswer> {
  const { metrics, metricsToken } = options;
  const insider = mayReadMetrics(
    { socketAddress: request.socket.remoteAddress, headers: request.headers },
    metricsToken,
  );
  if (reads(request, probePaths.health)) return running();
  if (reads(request, probePaths.ready)) return json(await readyOfAll(options, insider));
  if (reads(request, probePaths.metrics) && insider) {
    return { status: 200, type: metrics.contentType, body: await metrics.text() };
  }
  return problem(request, notFound('Resource'));
}

const running = () => json({ status: 200, body: { status: 'running' } });

function reads({ method, url }: IncomingMessage, path: string): boolean {
  return (method === 'GET' || method === 'HEAD') && url?.split('?')[0] === path;
}

/** The process is ready while at least one tenant is. The others respond 503 under their own hosts. */
async function readyOfAll({ tenants, draining }: HostOptions, details: boolean) {
  if (draining()) return { status: 503, body: { status: 'draining' } };
  const answers = await Promise.all(tenants.map(async (tenant) => [tenant.slug, await tenant.ready()] as const));
  const good = answers.some(([, { status }]) => status === 200);
  const starting = answers.some(([, { body }]) => body.status === 'starting');
  const status = good ? 'ready' : starting ? 'starting' : 'failing';
  // Outsiders must not learn which tenants this machine serves.
  if (!details) return { status: good ? 200 : 503, body: { status } };
  const byTenant = Object.fromEntries(answers.map(([slug, { body }]) => [slug, body]));
  return { status: good ? 200 : 503, body: { status, tenants: byTenant } };
}

function json({ status, body }: { readonly status: number; readonly body: unknown }): PlainAnswer {
  return { status, type: 'application/json; charset=utf-8', body: JSON.stringify(body) };
}

/** Formats the problem for the surface the path belongs to. */
function problem({ url = '' }: IncomingMessage, given: Problem): PlainAnswer {
  const { status, body } = surfaceAt(url.split('?')[0] ?? '').problem(given);
  const { headers } = given;
  if (typeof body === 'string') return { status, type: 'text/html; charset=utf-8', body, headers };
  return { ...json({ status, body }), headers };
}

function send(request: IncomingMessage, response: ServerResponse, answer: PlainAnswer, log: Logger): void {
  const request_id = newId();
  const { status, type, body, headers = {} } = answer;
  response.writeHead(status, {
    ...always,
    ...headers,
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Request-Id': request_id,
  });
  response.end(body);
  requestLog(log)({ request_id, method: request.method ?? '', route: 'none', status, ms: 0 });
}
