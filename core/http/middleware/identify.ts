// Identifies the caller. Also on unknown paths, so that they count towards the caller's limit, not the address's.
import type { Next } from 'koa';
import type { App } from '../../plugin/app.ts';
import { programOf, recognise } from '../caller.ts';
import type { Koa } from '../request-state.ts';

export function identify(app: App) {
  return async (http: Koa, next: Next): Promise<void> => {
    const { face, path } = http.state;
    if (!path?.anonymous) http.state.caller = await recognise(app, http, face, { program: programOf(path) });
    return next();
  };
}
