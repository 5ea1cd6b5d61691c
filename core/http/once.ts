// `Idempotency-Key` on POST: a second request with the same key gets the first one's response.
import { createHmac, createSecretKey } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Db } from '@keelson/database/db.ts';
import { lru } from '@keelson/kit/lru.ts';
import { duplicate, invalid, Problem, unavailable } from '@keelson/kit/problem.ts';
import type { Timestamp } from '@keelson/kit/time.ts';
import type { App } from '../plugin/app.ts';
import { endingWith, type Context } from '../plugin/context.ts';
import { perApp } from '../plugin/per-app.ts';
import type { Route } from '../plugin/route/route.ts';
import { json } from './answer/answer.ts';
import {
  beginKeyed,
  claimKeyed,
  finishKeyed,
  isIdempotencyKey,
  noteStored,
  releaseKeyed,
  renewKeyed,
  type KeyClaim,
  type Keyed,
  type KeyedRequest,
  sumAnswers,
} from './idempotency.ts';
import type { Rendered, Koa } from './request-state.ts';

export type RequestKey = Omit<KeyedRequest, 'now'>;

/** Body hashes are keyed: a body may contain a password, and a plain hash would allow guessing. */
const bodyKey = perApp((app) => createSecretKey(app.vault.derive('idempotency body')));

/**
 * Returns true if the route's responses can be stored. Routes that set a cookie are excluded: the client simply signs
 * in again. Pages are excluded because their errors are ordinary responses.
 */
export function takesIdempotencyKey({ method, cookie, returns }: Route): boolean {
  return method === 'post' && !cookie && returns.kind !== 'page';
}

/** Returns the idempotency key of a POST, or undefined without one. @throws invalid() when it is malformed */
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
  // Unidentified callers are indistinguishable, so one could get another's response.
  const who = actor === undefined ? undefined : route.surface.principal(actor);
  if (who === undefined) return undefined;
  const hash = createHmac('sha256', bodyKey(app)).update(`${http.path}?${http.querystring}\n`);
  for (const part of body) hash.update(part);
  const principal = `${route.surface.id}:${who}`;
  return { principal, route: route.name, key, bodyHash: hash.digest('hex') };
}

type Run = (ctx: Context) => Promise<Rendered>;

/** Runs a request as its route requires: with or without a transaction, and once per key. */
export function perform(outside: Context, route: Route, run: Run, key: RequestKey | undefined): Promise<Rendered> {
  if (route.method === 'get') return run(outside);
  if (route.slow) return key ? onceWithLease(outside, key, run) : run(outside);
  return outside.transaction((ctx) => (key ? onceInTransaction(ctx, key, run) : run(ctx)));
}

/** Stores the changes and the response in one transaction, so that a crash leaves neither. */
async function onceInTransaction(ctx: Context, key: RequestKey, run: Run): Promise<Rendered> {
  if (!ctx.tx) throw new Error('A request with an Idempotency-Key needs a transaction');
  const keyed = await beginKeyed(ctx.tx, { ...key, now: ctx.now });
  if (keyed.kind !== 'new') return known(ctx, key, keyed);
  const rendered = await run(ctx);
  // Another request took over the key. Roll back, because that request counts.
  if (!(await finishKeyed(ctx.tx, keyed.claim, await kept(ctx, ctx.tx, key, rendered)))) throw unavailable();
  return rendered;
}

/**
 * For slow routes, which run outside a transaction: claims the key under a lease first. Each transaction the route
 * commits also marks the key, so that the work is not repeated if the process dies before responding.
 */
async function onceWithLease(ctx: Context, key: RequestKey, run: Run): Promise<Rendered> {
  const keyed = await claimKeyed(ctx.app.database, { ...key, now: ctx.now });
  if (keyed.kind !== 'new') return known(ctx, key, keyed);
  const { claim } = keyed;
  const noting = endingWith(ctx, async (tx) => {
    // The lease expired and another request took over the key. That request counts.
    if (!(await noteStored(tx, claim))) throw unavailable();
  });
  const rendered = await runOrRelease(noting, claim, run);
  // If this fails the key stays claimed, because the work is done.
  await finishKeyed(ctx.app.database, claim, await kept(ctx, ctx.app.database, key, rendered));
  return rendered;
}

const RENEW_MS = 30_000;

async function runOrRelease(ctx: Context, claim: KeyClaim, run: Run): Promise<Rendered> {
  const { database, clock } = ctx.app;
  const beat = setInterval(() => {
    renewKeyed(database, claim, clock.now()).catch((err: unknown) => ctx.log.warn({ err }, 'once: no lease'));
  }, RENEW_MS).unref();
  try {
    return await run(ctx);
  } catch (error) {
    await releaseKeyed(database, claim);
    throw error;
  } finally {
    clearInterval(beat);
  }
}

function known(ctx: Context, key: RequestKey, keyed: Exclude<Keyed, { kind: 'new' }>): Rendered {
  if (keyed.kind === 'other-body') throw invalid('Idempotency-Key was already used for a different request');
  if (keyed.kind === 'running') throw running();
  if (keyed.kind === 'unanswered')
    throw duplicate('This request was already carried out, at least in part; its response was lost');
  if (keyed.answer === null) throw duplicate('This request was already carried out; its response was not kept');
  const body = unpackAnswer(ctx.app, keyed.answer, sealContext(key));
  return { ...json(keyed.status, undefined), body, repeated: true };
}

const running = () =>
  new Problem('duplicate', 'A request with this Idempotency-Key is still in progress', {
    headers: { 'Retry-After': '1' },
  });

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

// Stored responses for replayed requests: bounded, and sealed, because they may contain secrets.

/** Maximum length of a stored sealed response, in characters. */
const LONGEST_KEPT = 65_536;
/** Longer texts are compressed: import errors repeat the same sentences. */
const LONG = 8192;
/** Longer texts are not stored: compressing them would block other requests. */
const LONGEST_COMPRESSED = 1_048_576;
/** Marks compressed responses. No JSON starts with it. */
const COMPRESSED = 'deflate:';

/** Packs a response for storage. Returns null if it is too long or not text. */
function packAnswer({ vault }: App, { body }: Rendered, context: string): string | null {
  if (body !== undefined && typeof body !== 'string') return null;
  const text = body ?? '';
  if (text.length > LONGEST_COMPRESSED) return null;
  const short = text.length > LONG ? COMPRESSED + deflateRawSync(text).toString('base64') : text;
  const sealed = vault.seal(short, context);
  return sealed.length > LONGEST_KEPT ? null : sealed;
}

function unpackAnswer({ vault }: App, kept: string, context: string): string {
  const text = vault.open(kept, context);
  if (!text.startsWith(COMPRESSED)) return text;
  // A UTF-16 unit takes at most three bytes in UTF-8.
  const limits = { maxOutputLength: 3 * LONGEST_COMPRESSED };
  return inflateRawSync(Buffer.from(text.slice(COMPRESSED.length), 'base64'), limits).toString();
}

// Limits the bytes stored per caller for idempotent responses. The rate limit already bounds the number of keys. Over
// the limit, keys are stored without their response, so no request is refused.

/** Per caller in 24 hours: a day of creates at the default rate, with responses of 1 KB. */
const MOST_BYTES = 192 * 1024 * 1024;
/** Bytes a process may store before recounting. A caller may exceed the limit by this much per process. */
const UNCOUNTED = 4 * 1024 * 1024;
/** Over the limit, recount after this many responses. */
const FULL_ANSWERS = 1000;

interface Room {
  bytes: number;
  /** Responses still to skip before recounting. */
  skip: number;
}

const rooms = perApp(() => lru<string, Room>(5000));

/** Returns the response if it fits the caller's quota, otherwise null. `now` decides which stored ones still count. */
async function withinRoom(
  { app, db, now }: { readonly app: App; readonly db: Db; readonly now: Timestamp },
  principal: string,
  answer: string | null,
): Promise<string | null> {
  if (answer === null) return null;
  const known = rooms(app);
  const room = known.get(principal) ?? { bytes: 0, skip: 0 };
  known.set(principal, room);
  if (room.bytes < answer.length) {
    if (room.skip-- > 0) return null;
    const left = MOST_BYTES - (await sumAnswers(db, principal, now));
    Object.assign(room, { bytes: Math.min(left, UNCOUNTED), skip: FULL_ANSWERS });
    if (room.bytes < answer.length) return null;
  }
  room.skip = 0;
  room.bytes -= answer.length;
  return answer;
}
