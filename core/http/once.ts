// `Idempotency-Key` on POST: a second request with the same key gets the answer of the first.
import { createHmac, createSecretKey } from 'node:crypto';
import { json, type Rendered } from './answer.ts';
import type { Koa, Routed } from './request-state.ts';
import type { App } from '../plugin/app.ts';
import { endingWith, type Context } from '../plugin/context.ts';
import {
  beginKeyed,
  claimKeyed,
  finishKeyed,
  isIdempotencyKey,
  noteStored,
  releaseKeyed,
  type KeyClaim,
  type Keyed,
  type KeyedRequest,
} from './idempotency.ts';
import { packAnswer, unpackAnswer } from './kept-answer.ts';
import { withinRoom } from './key-room.ts';
import type { Db } from '../database/db.ts';
import { perApp } from '../plugin/per-app.ts';
import { duplicate, invalid, Problem, unavailable } from '../kit/problem.ts';
import type { Route } from '../plugin/route.ts';

export type RequestKey = Omit<KeyedRequest, 'now'>;

/** Bodies are hashed with a secret key: one may contain a password, and a plain hash could be attacked by guessing. */
const bodyKey = perApp((app) => createSecretKey(app.vault.derive('idempotency body')));

/**
 * Whether answers of the route can be stored. Those that set a cookie cannot: the sign-in is simply done again. Nor can
 * pages, whose errors are ordinary answers.
 */
export function takesIdempotencyKey({ method, cookie, returns }: Route): boolean {
  return method === 'post' && !cookie && returns.kind !== 'page';
}

/** The idempotency key of a POST; undefined without one. @throws invalid() when it is malformed */
export function keyOf(
  app: App,
  http: Koa | Routed,
  route: Route,
  actor: unknown,
  body: readonly Buffer[],
): RequestKey | undefined {
  const key = http.get('Idempotency-Key');
  if (!key || !takesIdempotencyKey(route)) return undefined;
  if (!isIdempotencyKey(key)) throw invalid('Idempotency-Key must be 1 to 255 printable characters');
  // Callers without an identity cannot be told apart, so one could get another's answer.
  const who = actor === undefined ? undefined : route.surface.principal(actor);
  if (who === undefined) return undefined;
  const hash = createHmac('sha256', bodyKey(app)).update(`${http.path}?${http.querystring}\n`);
  for (const part of body) hash.update(part);
  const principal = `${route.surface.id}:${who}`;
  return { principal, route: route.name, key, bodyHash: hash.digest('hex') };
}

type Run = (ctx: Context) => Promise<Rendered>;

/** Runs a request as its route needs it: in a transaction or not, and only once for each key. */
export function perform(outside: Context, route: Route, run: Run, key: RequestKey | undefined): Promise<Rendered> {
  if (route.method === 'get') return run(outside);
  if (route.slow) return key ? onceWithLease(outside, key, run) : run(outside);
  return outside.transaction((ctx) => (key ? onceInTransaction(ctx, key, run) : run(ctx)));
}

/** Stores the changes and the answer in the same transaction, so that a crash leaves neither. */
async function onceInTransaction(ctx: Context, key: RequestKey, run: Run): Promise<Rendered> {
  if (!ctx.tx) throw new Error('A keyed request needs a transaction');
  const keyed = await beginKeyed(ctx.tx, { ...key, now: ctx.now });
  if (keyed.kind !== 'new') return known(ctx, key, keyed);
  const rendered = await run(ctx);
  // Another request has taken the key over: this transaction is rolled back, and the other one counts.
  if (!(await finishKeyed(ctx.tx, keyed.claim, await kept(ctx, ctx.tx, key, rendered)))) throw unavailable();
  return rendered;
}

/**
 * For slow routes, which have no transaction around them: claims the key first, for the length of a lease. What the route
 * commits is noted in the same transaction, so that it is not done again when the process dies before it has answered.
 */
async function onceWithLease(ctx: Context, key: RequestKey, run: Run): Promise<Rendered> {
  const keyed = await claimKeyed(ctx.app.database, { ...key, now: ctx.now });
  if (keyed.kind !== 'new') return known(ctx, key, keyed);
  const { claim } = keyed;
  const noting = endingWith(ctx, async (tx) => {
    // Another request has taken the key over, because the lease was over: that one counts.
    if (!(await noteStored(tx, claim))) throw unavailable();
  });
  const rendered = await runOrRelease(noting, claim, run);
  // If this fails the key stays claimed, because the work has been done.
  await finishKeyed(ctx.app.database, claim, await kept(ctx, ctx.app.database, key, rendered));
  return rendered;
}

async function runOrRelease(ctx: Context, claim: KeyClaim, run: Run): Promise<Rendered> {
  try {
    return await run(ctx);
  } catch (error) {
    await releaseKeyed(ctx.app.database, claim);
    throw error;
  }
}

function known(ctx: Context, key: RequestKey, keyed: Exclude<Keyed, { kind: 'new' }>): Rendered {
  if (keyed.kind === 'other-body') throw invalid('Idempotency-Key was used with another request');
  if (keyed.kind === 'running') throw running();
  if (keyed.kind === 'unanswered')
    throw duplicate('This request was carried out before, at least in part; its answer was lost');
  if (keyed.answer === null) throw duplicate('This request was carried out before; its answer was not kept');
  const body = unpackAnswer(ctx.app, keyed.answer, sealContext(key));
  return { ...json(keyed.status, undefined), body, repeated: true };
}

const running = () =>
  new Problem('duplicate', 'A request with this Idempotency-Key is still running', { headers: { 'Retry-After': '1' } });

async function kept(
  { app, now }: Context,
  db: Db,
  key: RequestKey,
  rendered: Rendered,
): Promise<{ status: number; answer: string | null }> {
  const answer = packAnswer(app, rendered, sealContext(key));
  return { status: rendered.status, answer: await withinRoom({ app, db, now }, key.principal, answer) };
}

function sealContext({ principal, route, key }: RequestKey): string {
  return `idempotency\n${principal}\n${route}\n${key}`;
}
