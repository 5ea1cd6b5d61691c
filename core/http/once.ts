// `Idempotency-Key` on POST: the second request with the same key gets the first one's answer.
import { createHmac, createSecretKey } from 'node:crypto';
import { json, type Rendered } from './answer.ts';
import type { Koa } from './request-state.ts';
import type { App } from '../plugin/app.ts';
import type { Context } from '../plugin/context.ts';
import {
  beginKeyed,
  claimKeyed,
  finishKeyed,
  isIdempotencyKey,
  releaseKeyed,
  type KeyClaim,
  type Keyed,
  type KeyedRequest,
} from './idempotency.ts';
import { packAnswer, unpackAnswer } from './kept-answer.ts';
import { requireRoom } from './key-room.ts';
import { perApp } from '../plugin/per-app.ts';
import { duplicate, invalid, unavailable } from '../kit/problem.ts';
import type { Route } from '../plugin/route.ts';

export type RequestKey = Omit<KeyedRequest, 'now'>;

/** Bodies are hashed under a key of ours: one may hold a password, and a plain hash of it could be guessed at. */
const bodyKey = perApp((app) => createSecretKey(app.vault.derive('idempotency body')));

/**
 * May its answer be kept? What sets a cookie cannot be repeated from what is kept: a sign-in is simply done again. Nor can
 * a page: its refusals are answers like any other.
 */
export function takesIdempotencyKey({ method, cookie, returns }: Route): boolean {
  return method === 'post' && !cookie && returns.kind !== 'page';
}

/** The key a POST carries; undefined without one. @throws invalid when it is not one */
export function keyOf(
  app: App,
  http: Koa,
  route: Route,
  actor: unknown,
  body: readonly Buffer[],
): RequestKey | undefined {
  const key = http.get('Idempotency-Key');
  if (!key || !takesIdempotencyKey(route)) return undefined;
  if (!isIdempotencyKey(key)) throw invalid('Idempotency-Key must be 1 to 255 printable characters');
  // Strangers share no identity, so one could read another's answer.
  const who = actor === undefined ? undefined : route.surface.principal(actor);
  if (who === undefined) return undefined;
  const hash = createHmac('sha256', bodyKey(app)).update(`${http.path}?${http.querystring}\n`);
  for (const part of body) hash.update(part);
  const principal = `${route.surface.id}:${who}`;
  return { principal, route: route.name, key, bodyHash: hash.digest('hex') };
}

type Run = (ctx: Context) => Promise<Rendered>;

/** Work and answer in the same transaction: a crash leaves neither. */
export async function onceInTransaction(ctx: Context, key: RequestKey, run: Run): Promise<Rendered> {
  if (!ctx.tx) throw new Error('A keyed request needs a transaction');
  const keyed = await beginKeyed(ctx.tx, { ...key, now: ctx.now });
  if (keyed.kind !== 'new') return known(ctx, key, keyed);
  await requireRoom(ctx, ctx.tx, key.principal);
  const rendered = await run(ctx);
  // Somebody took the key over meanwhile: this transaction is rolled back, theirs holds.
  if (!(await finishKeyed(ctx.tx, keyed.claim, kept(ctx, key, rendered)))) throw unavailable();
  return rendered;
}

/** For slow routes, which have no transaction around them: the key is claimed first, for as long as the lease runs. */
export async function onceWithLease(ctx: Context, key: RequestKey, run: Run): Promise<Rendered> {
  const keyed = await claimKeyed(ctx.app.database, { ...key, now: ctx.now });
  if (keyed.kind !== 'new') return known(ctx, key, keyed);
  const rendered = await runOrRelease(ctx, key, keyed.claim, run);
  // When this fails the key stays claimed: the work is done.
  await finishKeyed(ctx.app.database, keyed.claim, kept(ctx, key, rendered));
  return rendered;
}

async function runOrRelease(ctx: Context, { principal }: RequestKey, claim: KeyClaim, run: Run): Promise<Rendered> {
  try {
    await requireRoom(ctx, ctx.app.database, principal);
    return await run(ctx);
  } catch (error) {
    await releaseKeyed(ctx.app.database, claim);
    throw error;
  }
}

function known(ctx: Context, key: RequestKey, keyed: Exclude<Keyed, { kind: 'new' }>): Rendered {
  if (keyed.kind === 'other-body') throw invalid('Idempotency-Key was used with another request');
  if (keyed.kind === 'running') throw duplicate('A request with this Idempotency-Key is still running');
  if (keyed.answer === null) throw duplicate('This request was carried out before; its answer was too long to be kept');
  const body = unpackAnswer(ctx.app, keyed.answer, sealContext(key));
  return { ...json(keyed.status, undefined), body, repeated: true };
}

function kept(ctx: Context, key: RequestKey, rendered: Rendered): { status: number; answer: string | null } {
  return { status: rendered.status, answer: packAnswer(ctx.app, rendered, sealContext(key)) };
}

function sealContext({ principal, route, key }: RequestKey): string {
  return `idempotency\n${principal}\n${route}\n${key}`;
}
