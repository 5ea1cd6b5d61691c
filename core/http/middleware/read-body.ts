// Reads the body once the request has a slot. File uploads are received after the record is found, so that requests for
// missing records do not fill the disk; imports wait for their slot once their file has arrived.
import { unavailable } from '@keelson/kit/problem.ts';
import { allowSlowBody } from '@keelson/server/slow-bodies.ts';
import type { Next } from 'koa';
import type { App } from '../../plugin/app.ts';
import { readRequestBody } from '../body/body.ts';
import { inUploadTurn, withFiles } from '../body/receive-files.ts';
import { withImport, type ReadBody } from '../body/receive-import.ts';
import { callerName, hasLeft, importOwner, outsideOf } from '../caller.ts';
import { asOnlyImport, inImportTurn } from '../import-turn.ts';
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
  const imports = (http: Routed, next: Next): Promise<void> => {
    const owner = importOwner(http.state.face.surface, http.state.caller.actor);
    const whenArrived = (read: ReadBody) =>
      inImportTurn(app, owner, async () => {
        if (hasLeft(http)) throw unavailable('The caller disconnected');
        http.state.body = await read();
        await next();
      });
    return asOnlyImport(app, owner, () => withImport(app, http, whenArrived));
  };
  return async (http: Routed, next: Next): Promise<void> => {
    const { route } = http.state;
    if (route.upload !== false) allowSlowBody(http.req);
    if (route.upload === 'files') return files(http, next);
    if (route.upload === 'import') return imports(http, next);
    http.state.body = await readRequestBody(http, route);
    return next();
  };
}
