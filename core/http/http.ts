// How a request flows: tenant, route, caller, rate, module, rule, record, body, work, answer (docs/architecture.md).
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { App } from '../plugin/app.ts';
import type { Koa } from './request-state.ts';
import { render, send, sendProblem, type Rendered } from './answer.ts';
import { readRequestBody, type Body } from './body.ts';
import { contextOf, type Context } from '../plugin/context.ts';
import { theSystem } from '../log/activity.ts';
import { addressBucket } from '../security/address.ts';
import { narrowWebsites } from './cross-origin.ts';
import { allowedMethods, choose, wrongMethod, type Match } from './dispatch.ts';
import { forgery } from './forgery.ts';
import { inImportTurn } from './import-turn.ts';
import { keyOf, onceInTransaction, onceWithLease, type RequestKey } from './once.ts';
import type { Credentials } from '../plugin/identity.ts';
import { chargeRequest } from './charge.ts';
import { DuplicateKey } from '../database/db.ts';
import { duplicate, forbidden, invalid, notFound, Problem, signedOut } from '../kit/problem.ts';
import type { Http, Input, Route } from '../plugin/route.ts';
import type { CompiledRoute, Interface } from './routes.ts';
import { inSearchTurn } from './search-turn.ts';
import type { Zone } from '../kit/moment.ts';
import { parse } from '../kit/validate.ts';

const HUGE = 1_000_000;

interface Caller {
  readonly actor: unknown;
  readonly via: 'cookie' | 'header' | undefined;
  /** A credential was there and is not good. */
  readonly refused: boolean;
}

const stranger: Caller = Object.freeze({ actor: undefined, via: undefined, refused: false });

/** Answers one request of one surface; problems become the surface's own error shape. */
export async function answer(app: App, http: Koa, face: Interface, match: Match | undefined): Promise<void> {
  try {
    await proceed(app, http, face, match);
  } catch (error) {
    sendProblem(app, http, face.surface, error);
  }
}

async function proceed(app: App, http: Koa, face: Interface, match: Match | undefined): Promise<void> {
  const method = http.method === 'HEAD' ? 'get' : http.method.toLowerCase();
  const query = queryOf(http);
  const allowed = match && allowedMethods(match.group, query);
  if (http.method === 'OPTIONS' && allowed) {
    http.status = 204;
    http.set('Allow', allowed.join(', '));
    return;
  }
  // A mistaken path is charged to whoever made it, not to everybody at the same address.
  const caller = match?.group.routes.every((each) => each.anonymous) ? stranger : await recognise(app, http, face);
  const crossOrigin = match?.group.routes.some((each) => each.crossOrigin) && caller.actor !== undefined;
  const welcome = !crossOrigin || narrowWebsites(http, face.surface, caller.actor);
  await chargeRequest(app, http, face.surface, caller.actor);
  if (!match) throw notFound('Resource');
  if (!allowed?.includes(http.method)) throw wrongMethod(allowed ?? []);
  const route = routeFor(face, match, method, query, caller);
  http.state.route = route;
  admit(app, http, route, caller);
  if (!welcome) throw forbidden('This key is not for this website');
  await requireModule(app, route, caller.actor);
  if (caller.actor !== undefined || !route.access.open) requireRule(route, caller.actor);
  // What is no UTF-8 would arrive as U+FFFD, and find other records than were meant (V-29).
  if (!isUtf8(http.querystring)) throw invalid('The query must be UTF-8');
  const params = paramsOf(route, match, query);
  const proceedWith = async (): Promise<Rendered> => {
    const body = await readRequestBody(http, route);
    return work(app, http, face.compiled(route), caller, { params, query, body });
  };
  const owner = route.upload === 'import' ? ownerOf(face.surface, caller.actor) : undefined;
  const rendered = await (owner === undefined ? proceedWith() : inImportTurn(app, owner, proceedWith));
  // To put megabytes together took long enough: others come first before they are encoded.
  if (typeof rendered.body === 'string' && rendered.body.length > HUGE) await nextTurn();
  send(http, rendered);
}

/** Who a limit of one caller is counted for; strangers by their address. */
function callerName(surface: Interface['surface'], actor: unknown, ip: string): string {
  const who = actor === undefined ? undefined : surface.principal(actor);
  return `${surface.id}:${who ?? addressBucket(ip)}`;
}

/** Whose import it is: an employee's company, or the key or technician. */
function ownerOf(surface: Interface['surface'], actor: unknown): string {
  const company = surface.company(actor);
  return company === undefined ? (surface.principal(actor) ?? '') : `company:${company}`;
}

// What is wrong with `id` or `action` is told only to somebody who may use one of the path's routes.
function routeFor(
  face: Interface,
  match: Match,
  method: string,
  query: ReadonlyMap<string, string>,
  caller: Caller,
): Route {
  try {
    return choose(match.group, method, query);
  } catch (error) {
    const near = match.group.routes.filter((route) => route.method === method);
    const open = near.some((route) => route.access.open);
    if (!open && caller.actor === undefined) throw unauthenticated(face.surface.challenge);
    if (!open && !near.some((route) => route.access.allows(caller.actor))) throw forbidden(near[0]?.access.refusal);
    throw error;
  }
}

/** Query parameters by name: the last of a repeated one wins, an empty one counts as absent. */
function queryOf(http: Koa): ReadonlyMap<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(http.querystring)) {
    if (value === '') query.delete(name);
    else query.set(name, value);
  }
  return query;
}

function isUtf8(text: string): boolean {
  if (!text.includes('%')) return true;
  try {
    return decodeURIComponent(text.replaceAll('+', ' ').replace(/%(?![0-9a-f]{2})/gi, '%25')) !== '';
  } catch (error) {
    if (error instanceof URIError) return false;
    throw error;
  }
}

async function recognise(app: App, http: Koa, face: Interface): Promise<Caller> {
  const from = credentialsOf(http);
  for (const identity of face.identities) {
    const actor: unknown = await identity.recognise(app, from);
    if (actor === 'refused') return { actor: undefined, via: identity.via, refused: true };
    if (actor !== undefined) {
      http.state.actor = face.surface.author(actor).type;
      return { actor, via: identity.via, refused: false };
    }
  }
  return stranger;
}

function credentialsOf(http: Koa): Credentials {
  return {
    ip: http.state.ip,
    query: http.querystring,
    header: (name) => headerOf(http, name.toLowerCase()),
    cookie: (name) => http.cookies.get(name),
  };
}

// Of a repeated Authorization Node keeps only the first: two credentials must not look like one (D4).
function headerOf(http: Koa, name: string): string | undefined {
  if (name !== 'authorization') return http.get(name) || undefined;
  return http.req.headers[name] === undefined ? undefined : http.req.headersDistinct[name]?.join(', ');
}

function admit(app: App, http: Koa, route: Route, caller: Caller): void {
  if (!route.access.open && caller.actor === undefined)
    throw unauthenticated(route.surface.challenge, route.signedOutExtra);
  const forged = forgery(http, route, caller.via === 'cookie' && caller.actor !== undefined, app.config.baseUrl);
  if (forged) throw forged;
}

function unauthenticated(challenge: Readonly<Record<string, string>>, extra: Record<string, unknown> = {}): Problem {
  return new Problem('signed-out', signedOut().message, { headers: { ...challenge }, extra });
}

async function requireModule(app: App, route: Route, actor: unknown): Promise<void> {
  const owner = app.ownerOf(route);
  const company = actor === undefined ? undefined : route.surface.company(actor);
  if (!owner.perCompany || company === undefined) return;
  if (!(await app.switches.enabled(app.system(), company, owner.id)))
    throw forbidden(`${owner.title} module is disabled`);
}

function requireRule(route: Route, actor: unknown): void {
  if (!route.access.allows(actor)) throw forbidden(route.access.refusal);
}

/**
 * Path and selector parameters; an impossible path id is an absent thing, an impossible `?id=` a mistake,
 * and one that is only too large for any record is absent.
 */
function paramsOf(route: Route, match: Match, query: ReadonlyMap<string, string>): Record<string, unknown> {
  const params: Record<string, unknown> = Object.create(null);
  let next = 0;
  for (const { name, key, from, text } of route.template.params) {
    const value = from === 'path' ? match.values[next++] : query.get(key);
    if (text) params[name] = value;
    else if (value !== undefined && /^[1-9]\d{0,14}$/.test(value)) params[name] = Number(value);
    else if (from === 'path' || (value !== undefined && /^[1-9]\d+$/.test(value))) throw notFound('Resource');
    else throw invalid(`${key} must be a positive integer`);
  }
  return params;
}

interface Given {
  readonly params: Record<string, unknown>;
  readonly query: ReadonlyMap<string, string>;
  readonly body: Body;
}

async function work(app: App, http: Koa, compiled: CompiledRoute, caller: Caller, given: Given): Promise<Rendered> {
  const { route } = compiled;
  const writeCount = { writes: 0, records: 0 };
  const author = caller.actor === undefined ? theSystem : route.surface.author(caller.actor);
  const request = { id: http.state.requestId, ip: http.state.ip };
  const outside = contextOf({ app, actor: caller.actor, author, request, writeCount });
  const run = async (ctx: Context): Promise<Rendered> => {
    const item = await route.load?.(ctx, given.params);
    const query = compiled.readQuery(http.querystring, given.query, app.zone);
    const input = inputOf(http, route, given, { item, query, zone: app.zone });
    const handle = async (): Promise<unknown> => route.handle(ctx, input);
    const value = compiled.isSearch(query)
      ? await inSearchTurn(app, callerName(route.surface, caller.actor, request.ip), handle)
      : await route.handle(ctx, input);
    return render(compiled, http.method, value, input);
  };
  const key = keyOf(app, http, route, caller.actor, given.body.parts);
  const rendered = await perform(outside, route, run, key).catch(translate);
  const silent = writeCount.writes > 0 && writeCount.records === 0;
  if (silent && !route.unlogged && !rendered.repeated) app.reportUnlogged(route);
  return rendered;
}

function perform(
  outside: Context,
  route: Route,
  run: (ctx: Context) => Promise<Rendered>,
  key: RequestKey | undefined,
): Promise<Rendered> {
  if (route.method === 'get') return run(outside);
  if (route.slow) return key ? onceWithLease(outside, key, run) : run(outside);
  return outside.transaction((ctx) => (key ? onceInTransaction(ctx, key, run) : run(ctx)));
}

interface Settled {
  readonly item: unknown;
  readonly query: unknown;
  readonly zone: Zone;
}

function inputOf(
  http: Koa,
  route: Route,
  given: Given,
  { item, query, zone }: Settled,
): Input<unknown, unknown, unknown, unknown> {
  if (given.body.problem) throw given.body.problem;
  const uploaded = route.upload !== false && given.body.uploads.length > 0;
  const body = route.body && !uploaded ? parse(route.body, given.body.value, 'Request body', zone) : given.body.value;
  return { params: given.params, query, body, item, uploads: given.body.uploads, http: httpOf(http) };
}

function httpOf(http: Koa): Http {
  const secure = http.state.secure;
  // A proxy in front speaks https; Koa sees the plain connection behind it and would refuse to send the cookie.
  http.cookies.secure = secure;
  const common = { httpOnly: true, sameSite: 'lax', secure, overwrite: true } as const;
  return {
    ...credentialsOf(http),
    setCookie: (name, value, { path, maxAgeSeconds }) =>
      http.cookies.set(name, value, { ...common, path, maxAge: maxAgeSeconds * 1000 }),
    clearCookie: (name, path) => http.cookies.set(name, '', { ...common, path, maxAge: 0 }),
  };
}

function translate(error: unknown): never {
  if (error instanceof DuplicateKey) throw duplicate('A record with these values already exists');
  throw error;
}
