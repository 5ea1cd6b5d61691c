// The request pipeline: route, caller, rate limit, module switch, access, record, body, handler, answer
// (docs/architecture.md).
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { App } from '../plugin/app.ts';
import type { Koa } from './request-state.ts';
import { render, send, sendProblem, type Rendered } from './answer.ts';
import { readRequestBody, type Body } from './body.ts';
import {
  callerName,
  httpOf,
  importOwner,
  outsideOf,
  recognise,
  stranger,
  unauthenticated,
  type Caller,
} from './caller.ts';
import type { Context } from '../plugin/context.ts';
import { narrowWebsites } from './cross-origin.ts';
import { allowedMethods, wrongMethod, type Match } from './dispatch.ts';
import { download } from './download.ts';
import { forgery } from './forgery.ts';
import { programOf, routeFor } from './route-for.ts';
import { inImportTurn } from './import-turn.ts';
import { keyOf, perform } from './once.ts';
import { chargeRequest } from './charge.ts';
import { DuplicateKey } from '../database/db.ts';
import { duplicate, forbidden, invalid, notFound } from '../kit/problem.ts';
import type { StoredAnswer } from '../plugin/returns.ts';
import type { Input, Route } from '../plugin/route.ts';
import type { CompiledRoute, Interface } from './routes.ts';
import { isUtf8, paramsOf, queryOf } from './request-params.ts';
import { allowSlowBody } from './slow-bodies.ts';
import { openStream } from './stream.ts';
import { inUploadTurn, withFiles } from './receive-files.ts';
import { inSearchTurn } from './search-turn.ts';
import type { Zone } from '../kit/moment.ts';
import { withTimeout } from '../kit/timeout.ts';
import { parse } from '../kit/validate.ts';

const HUGE = 1_000_000;

/** When a request is given up whose handler never answers. Slow ones speak to other services, or read whole files. */
const LONGEST_SECONDS = { usual: 60, slow: 600 };

/** Answers a request of a surface; problems are sent in the surface's form. */
export async function answer(app: App, http: Koa, face: Interface, match: Match | undefined): Promise<void> {
  try {
    await answerRoute(app, http, face, match);
  } catch (error) {
    sendProblem(app, http, face.surface, error);
  }
}

async function answerRoute(app: App, http: Koa, face: Interface, match: Match | undefined): Promise<void> {
  const method = http.method === 'HEAD' ? 'get' : http.method.toLowerCase();
  const query = queryOf(http);
  const allowed = match && allowedMethods(match.group, query);
  if (http.method === 'OPTIONS' && allowed) {
    http.status = 204;
    http.set('Allow', allowed.join(', '));
    return;
  }
  // Unknown paths identify the caller too, so that they count towards its own limit and not its address's.
  const caller = match?.group.anonymous ? stranger : await recognise(app, http, face, { program: programOf(match) });
  const crossOrigin = match?.group.crossOrigin && caller.actor !== undefined;
  const originAllowed = !crossOrigin || narrowWebsites(http, face.surface, caller.actor);
  await chargeRequest(app, http, face.surface, caller.actor);
  if (!match) throw notFound('Resource');
  if (!allowed?.includes(http.method)) throw wrongMethod(allowed ?? []);
  const route = routeFor(face, match, method, query, caller);
  http.state.route = route;
  admit(app, http, route, caller);
  if (!originAllowed) throw forbidden('This key is not for this website');
  await requireModule(app, route, caller.actor);
  if (caller.actor !== undefined || !route.access.open) requireRule(route, caller.actor);
  // Other encodings would be decoded to U+FFFD and find the wrong records (V-29).
  if (!isUtf8(http.querystring)) throw invalid('The query must be UTF-8');
  const params = paramsOf(route, match, query);
  const compiled = face.compiled(route);
  const run = async (): Promise<Rendered> => {
    if (route.upload !== false) allowSlowBody(http.req);
    if (route.upload === 'files') return handleFiles(app, http, compiled, caller, { params, query });
    const body = await readRequestBody(http, route);
    return handle(app, http, compiled, caller, { params, query, body });
  };
  const owner = route.upload === 'import' ? importOwner(face.surface, caller.actor) : undefined;
  const rendered = await (owner === undefined ? run() : inImportTurn(app, owner, run));
  // Composing megabytes has taken a while: other requests get a turn before they are encoded.
  if (typeof rendered.body === 'string' && rendered.body.length > HUGE) await nextTurn();
  if (rendered.stream && http.method !== 'HEAD') {
    openStream(
      http,
      rendered,
      async () => (await recognise(app, http, face, { passive: true, program: programOf(match) })).actor,
    );
    return;
  }
  send(http, rendered);
}

function admit(app: App, http: Koa, route: Route, caller: Caller): void {
  if (!route.access.open && caller.actor === undefined)
    throw unauthenticated(route.surface.challenge, route.signedOutExtra);
  const forged = forgery(http, route, caller.via === 'cookie' && caller.actor !== undefined, app.config.baseUrl);
  if (forged) throw forged;
}

async function requireModule(app: App, route: Route, actor: unknown): Promise<void> {
  const company = actor === undefined ? undefined : route.surface.company(actor);
  if (company === undefined) return;
  // Rows beneath another module's path need both: what that path is about, and what they are.
  const above = app.plugins.filter(({ id }) => id === route.module);
  for (const { id, title, perCompany } of [...above, app.ownerOf(route)]) {
    if (perCompany && !(await app.switches.enabled(app.system(), company, id)))
      throw forbidden(`${title} module is disabled`);
  }
}

function requireRule(route: Route, actor: unknown): void {
  if (!route.access.allows(actor)) throw forbidden(route.access.refusal);
}

interface RequestParts {
  readonly params: Record<string, unknown>;
  readonly query: ReadonlyMap<string, string>;
  readonly body: Body;
}

/** Files come after the record is found: nobody's disk is filled for a record that is not there. */
async function handleFiles(
  app: App,
  http: Koa,
  compiled: CompiledRoute,
  caller: Caller,
  given: Omit<RequestParts, 'body'>,
): Promise<Rendered> {
  const { route } = compiled;
  return inUploadTurn(app, callerName(route.surface, caller.actor, http.state.ip), async () => {
    await route.load?.(outsideOf(app, http, route, caller), given.params);
    return withFiles(app, http, (body) => handle(app, http, compiled, caller, { ...given, body }));
  });
}

async function handle(
  app: App,
  http: Koa,
  compiled: CompiledRoute,
  caller: Caller,
  given: RequestParts,
): Promise<Rendered> {
  const { route } = compiled;
  const writeCount = { writes: 0, records: 0 };
  const outside = outsideOf(app, http, route, caller, writeCount);
  const run = async (ctx: Context): Promise<Rendered> => {
    const item = await route.load?.(ctx, given.params);
    const query = compiled.readQuery(http.querystring, given.query, app.zone);
    const input = inputOf(http, route, given, { item, query, zone: app.zone });
    const search = async (): Promise<unknown> => route.handle(ctx, input);
    const value = compiled.isSearch(query)
      ? await inSearchTurn(app, callerName(route.surface, caller.actor, http.state.ip), search)
      : await route.handle(ctx, input);
    if (route.returns.kind !== 'stored') return render(compiled, http.method, value, input);
    return download(value as StoredAnswer, http.method, input.http, route.surface);
  };
  const key = keyOf(app, http, route, caller.actor, given.body.parts);
  const seconds = LONGEST_SECONDS[route.slow ? 'slow' : 'usual'];
  const late = `The handler has not answered within ${seconds} s`;
  const rendered = await withTimeout(seconds, () => perform(outside, route, run, key), late).catch(translate);
  const unlogged = writeCount.writes > 0 && writeCount.records === 0;
  if (unlogged && !route.unlogged && !rendered.repeated) app.reportUnlogged(route);
  return rendered;
}

interface ParsedInput {
  readonly item: unknown;
  readonly query: unknown;
  readonly zone: Zone;
}

function inputOf(
  http: Koa,
  route: Route,
  given: RequestParts,
  { item, query, zone }: ParsedInput,
): Input<unknown, unknown, unknown, unknown> {
  if (given.body.problem) throw given.body.problem;
  const uploaded = route.upload !== false && given.body.uploads.length > 0;
  const body = route.body && !uploaded ? parse(route.body, given.body.value, 'Request body', zone) : given.body.value;
  const { uploads, files } = given.body;
  return { params: given.params, query, body, item, uploads, files, http: httpOf(http) };
}

function translate(error: unknown): never {
  if (error instanceof DuplicateKey) throw duplicate('A record with these values already exists');
  throw error;
}
