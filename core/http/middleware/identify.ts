// Identifies the caller. Also on unknown paths, so that they count towards the caller's limit, not the address's.
import type { Next } from 'koa';
import type { App } from '../../plugin/app.ts';
import { programOf, recognise } from '../caller.ts';
import type { Koa, Routed } from '../request-state.ts';

export function identify(app: App) {
  return async (http: Koa | Routed, next: Next): Promise<void> => {
    const path = 'path' in http.state ? http.state.path : undefined;
    if (!path?.anonymous)
      http.state.caller = await recognise(app, http as Koa, http.state.face, { program: programOf(path) });
    return next();
  };
}
