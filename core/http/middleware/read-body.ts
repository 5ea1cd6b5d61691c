// Reads the body once the request has a slot. File uploads are received after the record is found, so that requests for
// missing records do not fill the disk.
import { allowSlowBody } from '@keelson/server/slow-bodies.ts';
import type { Next } from 'koa';
import type { App } from '../../plugin/app.ts';
import { readRequestBody } from '../body/body.ts';
import { inUploadTurn, withFiles } from '../body/receive-files.ts';
import { callerName, importOwner, outsideOf } from '../caller.ts';
import { inImportTurn } from '../import-turn.ts';
import type { Routed } from '../request-state.ts';

export function readBody(app: App) {
  const files = (http: Routed, next: Next): Promise<void> => {
    const { route, caller, face, ip, params } = http.state;
    const { owner } = importOwner(face.surface, caller.actor);
    return inUploadTurn(app, { caller: callerName(route.surface, caller.actor, ip), owner }, async () => {
      await route.load?.(outsideOf(app, http, route, caller), params);
      await withFiles(app, http, (body) => {
        http.state.body = body;
        return next();
      });
    });
  };
  return async (http: Routed, next: Next): Promise<void> => {
    const { route, caller, face } = http.state;
    if (route.upload !== false) allowSlowBody(http.req);
    if (route.upload === 'files') return files(http, next);
    const read = async () => {
      http.state.body = await readRequestBody(http, route);
      return next();
    };
    return route.upload === 'import' ? inImportTurn(app, importOwner(face.surface, caller.actor), read) : read();
  };
}
