// Charges a request to its rate limits and sets the rate-limit headers (L-01 to L-12).
import { Problem } from '@keelson/kit/problem.ts';
import { addressBucket } from '@keelson/security/address.ts';
import { takeAll, type Window } from '@keelson/security/limit.ts';
import type { Next } from 'koa';
import type { App } from '../../plugin/app.ts';
import type { Koa } from '../request-state.ts';

const ANONYMOUS_PER_MINUTE = 60;

export const limit =
  (app: App) =>
  async (http: Koa, next: Next): Promise<void> => {
    await charge(app, http);
    return next();
  };

/** @throws a `too-many` Problem when a limit is reached */
async function charge(app: App, http: Koa): Promise<void> {
  const { surface } = http.state.face;
  const { actor } = http.state.caller;
  const address = addressBucket(http.state.ip);
  const charges =
    actor === undefined
      ? [{ bucket: `anonymous:${address}`, perMinute: ANONYMOUS_PER_MINUTE }]
      : surface.charges(actor, address);
  const window = await takeAll(
    app.limiter,
    charges.map(({ bucket, perMinute }) => ({ bucket, limit: perMinute })),
  );
  setRateHeaders(http, window);
  if (window.allowed) return;
  throw new Problem('too-many', 'Rate limit exceeded', { headers: { 'Retry-After': String(window.retryAfter) } });
}

function setRateHeaders(http: Koa, window: Window): void {
  http.set('X-RateLimit-Limit', String(window.limit));
  http.set('X-RateLimit-Remaining', String(window.remaining));
  http.set('X-RateLimit-Reset', String(window.resetAt));
}
