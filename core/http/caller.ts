// Identifies the caller of a request, and exposes its headers and cookies to handlers.
import { Problem, signedOut } from '@keelson/kit/problem.ts';
import { theSystem } from '@keelson/log/activity.ts';
import { addressBucket } from '@keelson/security/address.ts';
import type { App } from '../plugin/app.ts';
import { contextOf, type Context, type WriteCount } from '../plugin/context.ts';
import type { Credentials } from '../plugin/declaration/identity.ts';
import type { Http, Route } from '../plugin/route/route.ts';
import type { Program } from '../plugin/route/surface.ts';
import { browserLanguage } from '../plugin/setting/language.ts';
import type { ImportOwner } from './import-turn.ts';
import type { Caller, Koa } from './request-state.ts';
import type { PathRoutes } from './routing/php-actions.ts';
import type { Interface } from './routing/routes.ts';

export const stranger: Caller = Object.freeze({ actor: undefined, via: undefined, refused: false });

/** Returns the kind of program a path is for, whatever the method (check.ts). */
export const programOf = (path: PathRoutes | undefined): string | undefined => path?.routes[0]?.access.program;

/** @param program the kind of program the path is for. Only its identities apply there, and nowhere else */
export async function recognise(
  app: App,
  http: Koa,
  face: Interface,
  { passive = false, program }: { readonly passive?: boolean; readonly program?: string | undefined } = {},
): Promise<Caller> {
  const from: Credentials = { ...credentialsOf(http), passive };
  for (const identity of face.identities) {
    if (identity.program !== program) continue;
    const actor: unknown = await identity.recognise(app, from);
    if (actor === 'refused') return { actor: undefined, via: identity.via, refused: true };
    if (actor !== undefined) {
      http.state.actor = face.surface.author(actor).type;
      return { actor, via: identity.via, refused: false };
    }
  }
  return stranger;
}

/** Returns the parts of a request that may carry a credential. */
function credentialsOf(http: Koa): Credentials {
  return {
    ip: http.state.ip,
    query: http.querystring,
    header: (name) => headerOf(http, name.toLowerCase()),
    cookie: (name) => http.cookies.get(name),
  };
}

// Node keeps only the first of several Authorization headers. Two credentials must not pass as one (SF-04).
function headerOf(http: Koa, name: string): string | undefined {
  if (name !== 'authorization') return http.get(name) || undefined;
  return http.req.headers[name] === undefined ? undefined : http.req.headersDistinct[name]?.join(', ');
}

/** Returns the caller's name for limits, or the address without a credential. */
export function callerName(surface: Interface['surface'], actor: unknown, ip: string): string {
  const who = actor === undefined ? undefined : surface.principal(actor);
  return `${surface.id}:${who ?? addressBucket(ip)}`;
}

/** Returns the owner of an import: the company of an employee or collector, otherwise the key or technician. */
export function importOwner(surface: Interface['surface'], actor: unknown): ImportOwner {
  const kind = isProgram(actor) ? 'programs' : 'people';
  const company = isProgram(actor) ? actor.company_number : surface.company(actor);
  return { kind, owner: company === undefined ? (surface.principal(actor) ?? '') : `company:${company}` };
}

const isProgram = (actor: unknown): actor is Program =>
  typeof actor === 'object' && actor !== null && 'kind' in actor && actor.kind === 'program';

/** Returns the HTTP part of a handler's input. */
export function httpOf(http: Koa): Http {
  const secure = http.state.secure;
  // Behind a proxy Koa sees a plain connection and would refuse to set a secure cookie.
  http.cookies.secure = secure;
  const common = { httpOnly: true, sameSite: 'lax', secure, overwrite: true } as const;
  return {
    ...credentialsOf(http),
    language: (offered) => http.acceptsLanguages(...offered) || null,
    setCookie: (name, value, { path, maxAgeSeconds }) =>
      http.cookies.set(name, value, { ...common, path, maxAge: maxAgeSeconds * 1000 }),
    clearCookie: (name, path) => http.cookies.set(name, '', { ...common, path, maxAge: 0 }),
  };
}

/** Returns true if the caller disconnected before the response was sent. */
export const hasLeft = (http: Koa): boolean => http.res.destroyed && !http.res.writableFinished;

/** Creates the context outside a transaction. */
export function outsideOf(app: App, http: Koa, route: Route, { actor }: Caller, writeCount?: WriteCount): Context {
  const author = actor === undefined ? theSystem : route.surface.author(actor);
  const gone = () => hasLeft(http);
  const language = () => browserLanguage(http);
  const request = { id: http.state.requestId, ip: http.state.ip, gone, language };
  return contextOf({ app, actor, author, request, ...(writeCount && { writeCount }) });
}

/** Creates the surface's 401. */
export function unauthenticated(
  challenge: Readonly<Record<string, string>>,
  extra: Record<string, unknown> = {},
): Problem {
  return new Problem('signed-out', signedOut().message, { headers: { ...challenge }, extra });
}
