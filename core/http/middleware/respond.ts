// Sends the rendered response.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Next } from 'koa';
import type { App } from '../../plugin/app.ts';
import { send } from '../answer/answer.ts';
import { openStream } from '../answer/stream.ts';
import { programOf, recognise } from '../caller.ts';
import type { Routed } from '../request-state.ts';

const HUGE = 1_000_000;

export function respond(app: App) {
  return async (http: Routed, next: Next): Promise<void> => {
    await next();
    const { rendered, face, path } = http.state;
    // Building megabytes took a while. Yield to other requests before encoding.
    if (typeof rendered.body === 'string' && rendered.body.length > HUGE) await nextTurn();
    if (!rendered.stream || http.method === 'HEAD') return send(http, rendered);
    const passive = { passive: true, program: programOf(path) };
    openStream(http, rendered, async () => (await recognise(app, http, face, passive)).actor);
  };
}
