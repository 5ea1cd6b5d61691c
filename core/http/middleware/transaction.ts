// Runs the handler as its route requires: with or without a transaction, once per idempotency key, within a deadline.
import { DuplicateKey } from '@keelson/database/db.ts';
import { duplicate } from '@keelson/kit/problem.ts';
import { withTimeout } from '@keelson/kit/timeout.ts';
import type { App } from '../../plugin/app.ts';
import type { Context } from '../../plugin/context.ts';
import { outsideOf } from '../caller.ts';
import { keyOf, perform } from '../once.ts';
import type { Rendered, Routed } from '../request-state.ts';

/** Deadline for a handler. Slow handlers call other services or read whole files. */
const LONGEST_SECONDS = { usual: 60, slow: 600 };

/** @param handle runs the handler. May run again when the database requires a retry, which `next` does not allow */
export function transaction(app: App, handle: (http: Routed, ctx: Context) => Promise<Rendered>) {
  return async (http: Routed): Promise<void> => {
    const { route, caller, body } = http.state;
    const writeCount = { writes: 0, records: 0 };
    const outside = outsideOf(app, http, route, caller, writeCount);
    const key = keyOf(app, http, route, caller.actor, body.parts);
    const seconds = LONGEST_SECONDS[route.slow ? 'slow' : 'usual'];
    const late = `The handler did not respond within ${seconds} s`;
    const run = () => perform(outside, route, (ctx) => handle(http, ctx), key);
    const rendered = await withTimeout(seconds, run, late, { background: true }).catch(translate);
    const unlogged = writeCount.writes > 0 && writeCount.records === 0;
    if (unlogged && !route.unlogged && !rendered.repeated) app.reportUnlogged(route);
    http.state.rendered = rendered;
  };
}

function translate(error: unknown): never {
  if (error instanceof DuplicateKey) throw duplicate('A record with these values already exists');
  throw error;
}
