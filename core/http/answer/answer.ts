// Turns a handler's value into a response: serialised as the route's `returns` declares, in its surface's envelope.
import { createHash } from 'node:crypto';
import { jsonText } from '@keelson/kit/json-text.ts';
import { Problem } from '@keelson/kit/problem.ts';
import type { Page } from '@keelson/list/page/page.ts';
import { contentDisposition } from '@keelson/storage';
import type { App, FailedRequest } from '../../plugin/app.ts';
import type { AssetAnswer, FileAnswer, FramedAnswer, PageAnswer, StreamAnswer } from '../../plugin/route/returns.ts';
import type { Input } from '../../plugin/route/route.ts';
import type { Surface } from '../../plugin/route/surface.ts';
import type { Rendered, Koa } from '../request-state.ts';
import type { CompiledRoute } from '../routing/routes.ts';

const STREAM_TYPE = 'text/event-stream; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

/** Renders a handler's value in the route's shape and the surface's envelope. */
export async function render(
  compiled: CompiledRoute,
  method: string,
  value: unknown,
  input: Input<any, any, any, any>,
): Promise<Rendered> {
  const { route, serialise } = compiled;
  const { returns, surface } = route;
  const each = (rows: readonly unknown[]) => (returns.shown ? rows : rows.map(serialise));
  switch (returns.kind) {
    case 'item':
      return rendered(returns.status, surface.item(method, serialise(value)));
    case 'added': {
      const { row, added } = value as { row: unknown; added: boolean };
      return rendered(added ? 201 : 200, surface.item(method, serialise(row)));
    }
    case 'flat':
      return rendered(returns.status, serialise(value));
    case 'all':
      return rendered(200, surface.all(returns.key, each(value as unknown[])));
    case 'list': {
      const { rows, total, capped } = value as Page<unknown>;
      const { page, size } = input.query as { page: number; size: number };
      return rendered(200, surface.list(returns.key, each(rows), { page, size, total, capped }));
    }
    case 'nothing': {
      const { status, body } = surface.removed(input.params, returns.key || undefined);
      return body === undefined ? { status, type: '', body: undefined, headers: {} } : rendered(status, body);
    }
    case 'file':
      return exported(value as FileAnswer);
    case 'stored':
      throw new Error('Stored files are sent by download.ts');
    case 'asset':
      return publicAsset(value as AssetAnswer);
    case 'page':
      return webPage(value as PageAnswer);
    case 'framed':
      return foreign(value as FramedAnswer);
    case 'stream':
      return { status: 200, type: STREAM_TYPE, body: undefined, headers: {}, stream: value as StreamAnswer };
  }
}

/** Sends a response. Only public assets may be cached. */
export function send(http: Koa, { status, type, body, headers }: Rendered): void {
  http.status = status;
  http.set('Cache-Control', 'no-store');
  http.set(headers);
  const etag = headers['ETag'];
  // For the `no-cache` that `fetch` adds to an `If-None-Match`, Koa's `fresh` is false.
  if (etag !== undefined && (http.fresh || namesTag(http.get('If-None-Match'), etag))) {
    http.status = 304;
    return;
  }
  if (body === undefined) return;
  http.type = type;
  http.body = body;
}

/** Returns true if an `If-None-Match` names the ETag. */
export function namesTag(header: string | undefined, etag: string): boolean {
  return header !== undefined && header.split(',').some((each) => ['*', etag, `W/${etag}`].includes(each.trim()));
}

/** Sends a problem in the surface's format. Other errors are logged and the caller gets a fixed message (E-10). */
export function sendProblem(app: App, http: Koa, surface: Surface<any>, error: unknown): void {
  const problem = error instanceof Problem ? error : app.reportError(error, failedRequest(http));
  const { status, body } = surface.problem(problem);
  if (problem.kind === 'unavailable' && problem.cause instanceof Error) http.state.reason = problem.cause.message;
  http.status = status;
  http.set('Cache-Control', 'no-store');
  if (problem.kind === 'signed-out') http.set(surface.challenge);
  http.set(problem.headers);
  http.type = surface.id === 'pages' ? 'text/html; charset=utf-8' : JSON_TYPE;
  http.body = typeof body === 'string' ? body : JSON.stringify(body);
}

async function rendered(status: number, value: unknown): Promise<Rendered> {
  return { status, type: JSON_TYPE, body: await jsonText(value), headers: {} };
}

/** Renders a small value. */
export function json(status: number, value: unknown): Rendered {
  return { status, type: JSON_TYPE, body: JSON.stringify(value), headers: {} };
}

function exported({ name, type, body }: FileAnswer): Rendered {
  return { status: 200, type, body, headers: { 'Content-Disposition': contentDisposition(name) } };
}

/** Renders a public text or image, with its ETag. */
export function publicAsset({ type, body }: AssetAnswer): Rendered {
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  return { status: 200, type, body, headers: { 'Cache-Control': 'public, max-age=300', ETag: tag, Vary: 'Host' } };
}

const IN_FRAMES: readonly string[] = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  // Links open in new tabs outside the sandbox.
  'sandbox allow-popups allow-popups-to-escape-sandbox',
];

function foreign({ html, pictures }: FramedAnswer): Rendered {
  const policy = [...IN_FRAMES, `img-src data:${pictures ? ' https:' : ''}`].join('; ');
  const type = 'text/html; charset=utf-8';
  return { status: 200, type, body: html, headers: { 'Content-Security-Policy': policy } };
}

function webPage({ status = 200, html = '', location }: PageAnswer): Rendered {
  // With `no-referrer`, browsers send `Origin: null` for our own forms. Over plain http nothing else identifies them as
  // same-origin.
  const headers = { 'Referrer-Policy': 'same-origin' };
  if (location === undefined) return { status, type: 'text/html; charset=utf-8', body: html, headers };
  return { status: 303, type: 'text/plain', body: '', headers: { Location: location } };
}

function failedRequest({ state: { requestId, route }, method, path }: Koa): FailedRequest {
  return { request_id: requestId, route, method, path };
}
